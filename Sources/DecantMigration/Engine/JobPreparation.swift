internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import Foundation

/// Opens a store, recognises its version, plans its way, and checks what can be checked before a row is written.
struct JobPreparation {
  var job: MigrationJob
  /// Asked about once a second while the store is being checked; false ends the job.
  var observer: (@Sendable () -> Bool)?
  /// Whether the plan says how many rows filters don't take, which takes a scan each.
  var countsFiltered = false
  /// Whether somebody wants to read the plan's steps.
  var isForReading = false
  /// Who has the policies.
  var code = PlannedCode.ofTheJob

  var name: String { job.source.lastPathComponent }

  /// Prepares the job.
  ///
  /// Unless somebody only wants to read the plan, the checks of a large store may still be under way when this returns:
  /// `SourceStore.finishChecks(while:)`.
  func prepare() throws(MigrationFailure) -> PreparedJob {
    let catalogue = job.direct == nil ? try readCatalogue() : nil
    let opened = try openStore()
    do throws(MigrationFailure) {
      return try prepare(opened, catalogue)
    } catch {
      defer { opened.endChecks() }
      // What is damaged may look like anything else.
      do { try opened.finishChecks { observer?() ?? true } } catch { throw MigrationFailure(error) }
      throw error
    }
  }

  private func prepare(
    _ opened: SourceStore, _ catalogue: Catalogue?
  ) throws(MigrationFailure) -> PreparedJob {
    var (family, source): (Family, FamilyVersion)
    if let direct = job.direct {
      family = direct.family()
      source = try direct.path(for: opened, in: family).source
    } else {
      (family, source) = try recognise(opened, in: try read(catalogue))
      try checkRunner(family)
    }
    let store = try filled(opened, as: source, family: family)
    let question = question(store, source, in: family)
    let sourceLayout = try layout(of: store, version: source, family: family, question)
    let direct = try job.direct?.path(for: opened, in: family)
    let target =
      if let direct { direct.destination } else { try rememberedTarget(for: source, in: &family, question) }
    let references = ReferenceStores(family: family, workFolder: job.workFolder)
    let settling = LayoutSettling(
      family: family, store: store, source: source, sourceLayout: sourceLayout, references: references,
      question: question)
    var steps: [PreparedJob.Step] = []
    var passWarnings: [String] = []
    let classes = try classes(for: family)
    var missingCode: [String] = []
    if case .unusable(let reason) = classes { missingCode.append(Self.placed(reason, of: family)) }
    let path =
      if let direct { direct } else { try rememberedPath(from: source, to: target, in: family, question) }
    for (index, step) in path.steps.enumerated() {
      var findings: [PlanFinding] = []
      let isLast = index + 1 == path.steps.count
      let work: PreparedJob.Step.Work =
        switch step.work {
        case .inferred(let mapping): .inferred(mapping)
        case .mappingModels(let files):
          .passes(
            try models(
              files, step, in: family, classes, warnings: &passWarnings, missingCode: &missingCode,
              findings: &findings))
        }
      steps.append(
        PreparedJob.Step(
          source: step.source, destination: step.destination, work: work,
          destinationLayout: try isLast
            ? settling.layout(of: step.destination) : settling.passingLayout(of: step.destination),
          findings: findings))
    }
    if !steps.isEmpty { try settling.checkSource() }
    var caches = ModelCacheSearch(
      store: store, source: source, references: references, question: question)
    if let last = steps.indices.last {
      steps[last].modelCache = caches.content(
        for: steps[last].destination, layout: steps[last].destinationLayout)
    }
    let known = question.map { ($0, pathQuestion(from: source, to: target)) }
    let counts = StoreCounts(store: store, layout: sourceLayout)
    let external = ExternalData(store: job.source)
    let losses = try LossCount(
      steps: steps, counts: counts, family: family, question: known, external: external
    ).losses()
    try checkUnknown(source, target, losses, in: family)
    // Of duplicates all but the first go to quarantine at the end of the last step.
    if steps.count > 1 || family.configuration.validation != .quarantine {
      try checkUniqueness(steps.first, store, sourceLayout, family)
    }
    try checkChunks(steps.first, store, sourceLayout, family)
    var warnings = store.alarms + family.warnings + path.warnings + passWarnings + caches.warnings
    warnings += steps.last.map { settling.findings($0.destinationLayout, of: $0.destination) } ?? []
    warnings += missingCode.filter { !warnings.contains($0) }
    if let nearest = source.origin.nearest, !steps.isEmpty {
      warnings.append(
        "The catalogue doesn't have the store's model version; the source model was taken from the store's own model "
          + "cache. Nearest is “\(nearest)”.")
    }
    warnings += try external.findings(
      in: store, layout: sourceLayout, isRequired: family.configuration.requireExternalData, family: family.name
    )
    warnings += try broken(steps, counts, family)
    if store.kind == .xml { warnings.insert(kindWarning(steps.isEmpty), at: 0) }
    if !store.cloudKitTables.isEmpty, !steps.isEmpty {
      warnings.append(
        "The tables of CloudKit's mirroring are left out (cloudKit: \"reset\"); devices mirror anew.")
    }
    let history = try self.history(of: store, sourceLayout, steps, family)
    var notes = store.notes + caches.notes
    if let finding = history?.finding {
      if history?.isKept == true { notes.append(finding) } else { warnings.append(finding) }
    }
    var planned: [MigrationPlan.Step] = []
    for (index, step) in steps.enumerated() where isForReading {
      planned.append(
        try self.planned(
          step, counts: index == 0 ? counts : nil,
          source: index == 0 ? sourceLayout : steps[index - 1].destinationLayout, family: family))
    }
    let plan = MigrationPlan(
      store: name, storeType: store.kind.name, family: family.name, sourceVersion: source.name,
      sourceVersionNames: source.names, sourceOrigin: source.origin.word, nearestVersion: source.origin.nearest,
      targetVersion: target.name, steps: planned, losses: losses,
      warnings: warnings, missingCode: missingCode, notes: notes, rows: try counts.total(),
      diskBytes: try diskNeed(store: store, steps: steps.count, external))
    return PreparedJob(
      job: job, family: family, store: store, sourceLayout: sourceLayout, source: source, target: target,
      steps: steps, question: known, history: history,
      plan: plan)
  }

  /// What an inferred way brings over although its objects break a rule that their version didn't have.
  private func broken(
    _ steps: [PreparedJob.Step], _ counts: StoreCounts, _ family: Family
  ) throws(MigrationFailure) -> [String] {
    let mode = family.configuration.validation
    let findings = try RequiredRelationships(
      steps: steps, counts: counts, goesToQuarantine: mode == .quarantine
    ).findings()
    guard mode == .fail, let first = findings.first else { return findings }
    throw MigrationFailure(
      disposition: .refuse, reason: "invalid-objects", coreDataCode: 1_580, message: first,
      advice:
        "family.json5 forbids it (validation: \"fail\"). Mend the store in the application, write a mapping model, "
        + "or set validation: \"report\".", family: family.name)
  }

  private func read(_ catalogue: Catalogue?) throws(MigrationFailure) -> Catalogue {
    if let catalogue { catalogue } else { try readCatalogue() }
  }

  /// A family's stores go to its own worker.
  private func checkRunner(_ family: Family) throws(MigrationFailure) {
    let wanted = family.configuration.worker
    switch job.runner {
    case .any: return
    case .shipped: if wanted == nil { return }
    case .worker(let path): if wanted == path { return }
    }
    throw MigrationFailure(
      disposition: .retry, reason: FamilyWorker.otherWorker,
      message: "Family “\(family.name)” leaves its stores to "
        + (wanted.map { "the worker “\($0)”." } ?? "Decant's own worker."),
      advice: "The daemon hands the job over by itself.", family: family.name)
  }

  private func history(
    of store: SourceStore, _ layout: StoreLayout, _ steps: [PreparedJob.Step], _ family: Family
  ) throws(MigrationFailure) -> HistoryCarriage? {
    do {
      return try HistoryCarriage(of: store, layout, steps)
    } catch {
      throw MigrationFailure(error, family: family.name)
    }
  }

  /// What the kind of the store means for the application that opens the result.
  private func kindWarning(_ isCurrent: Bool) -> String {
    isCurrent
      ? "\(name) is an XML store and is handed on as one; “decant migrate --rewrite” makes an SQLite store of it."
      : "\(name) is an XML store, and the new store is an SQLite store: the application has to open it as "
        + "NSSQLiteStoreType."
  }

  func readCatalogue() throws(MigrationFailure) -> Catalogue {
    do {
      if let shelf = job.shelf { return try shelf.catalogue(at: job.catalogue, family: job.family) }
      return try Catalogue.read(at: job.catalogue, family: job.family)
    } catch {
      let isMissing = if case .notFound = error { true } else { false }
      throw MigrationFailure(
        disposition: .catalogue, reason: isMissing ? "no-catalogue" : "catalogue-unreadable",
        message: error.description, advice: "")
    }
  }

  private func openStore() throws(MigrationFailure) -> SourceStore {
    do {
      return try SourceStore.open(
        job.source.path, scratch: job.workFolder.appendingPathComponent("copy").path,
        isCheckedBeside: !isForReading, observer: observer)
    } catch {
      throw MigrationFailure(error)
    }
  }

  /// The store with its objects, which an XML store gives only to its model.
  private func filled(
    _ store: SourceStore, as version: FamilyVersion, family: Family
  ) throws(MigrationFailure) -> SourceStore {
    do {
      return try store.filled(
        as: version.model, version: version.name,
        scratch: job.workFolder.appendingPathComponent("copy").path, observer: observer)
    } catch {
      throw MigrationFailure(error, family: family.name)
    }
  }

  static func list(_ names: [String]) -> String { names.map { "“\($0)”" }.joined(separator: ", ") }

  private func layout(
    of store: SourceStore, version: FamilyVersion, family: Family, _ question: FamilyQuestion.Store?
  ) throws(MigrationFailure) -> StoreLayout {
    let layout: StoreLayout
    do {
      layout = try store.layout(
        version: version.name, acceptsCloudKit: family.configuration.cloudKit == .reset
      ) { framework, schema throws(LayoutError) in
        try family.remembered(question.map(FamilyQuestion.SourceLayout.init)) { () throws(LayoutError) in
          try StoreLayout(version.model, framework: framework, evidence: schema)
        }
      }
      // Pairs are read through the indexes, in the order in which they are written.
      try store.checkIndexes(of: layout.joinTables.map(\.name))
      try store.blamingSibling { store throws(StoreError) in
        try StoreCounts(store: store, layout: layout).checkStrayRows()
      }
    } catch {
      throw MigrationFailure(error, family: family.name)
    }
    return layout
  }

  func path(
    from source: FamilyVersion, to target: FamilyVersion, in family: Family
  ) throws(MigrationFailure) -> PathPlan {
    // A store that is written anew in its own version takes the identity step.
    if job.rewrite, source.index == target.index { return try identity(source) }
    let path: PathPlan
    do {
      path = try PathPlan.make(from: source, to: target, in: family)
    } catch {
      var failure = error.failure(family: family.name)
      if case .mergedMappingModels = error {
        failure.advice = advice(withoutMappingModelsOfParts: source, in: family)
      }
      throw failure
    }
    return path
  }

  /// The classes that the mapping models' policies and functions are looked for among.
  ///
  /// - Throws: A failure of the catalogue where the worker is required and can't be asked.
  private func classes(for family: Family) throws(MigrationFailure) -> RegisteredClasses {
    switch code {
    case .ofTheJob: return RegisteredClasses(job.policies)
    case .toldOf(let ask): return ask(family.configuration.worker)
    case .requiredOf(let ask):
      let classes = ask(family.configuration.worker)
      guard case .unusable(let reason) = classes else { return classes }
      throw MigrationFailure(
        disposition: .catalogue, reason: "worker-unusable", message: Self.placed(reason, of: family),
        advice: "Mend that, or name another one with --worker.", family: family.name)
    }
  }

  /// Why a worker can't be used, with the place where the family names it.
  private static func placed(_ reason: String, of family: Family) -> String {
    guard family.configuration.worker.map({ reason.contains("“\($0)”") }) ?? false,
      let place = FamilyWorker.place(of: family.name, in: family.folder.deletingLastPathComponent())
    else { return reason }
    return "\(place): \(reason)"
  }

  /// The mapping models of a step, one a pass.
  private func models(
    _ files: [FamilyMappingModel], _ step: PathPlan.Step, in family: Family, _ classes: RegisteredClasses,
    warnings: inout [String], missingCode: inout [String], findings: inout [PlanFinding]
  ) throws(MigrationFailure) -> [MappingModel] {
    var preparation = PassPreparation(
      family: family, source: step.source, destination: step.destination, classes: classes)
    let models: [MappingModel]
    if let direct = job.direct {
      models = try preparation.checked(direct.passes)
    } else if case .toldOf = code {
      models = try preparation.planned(files)
    } else {
      models = try preparation.models(files)
    }
    warnings += preparation.warnings
    findings += preparation.findings
    missingCode += preparation.missingCode.filter { !missingCode.contains($0) }
    return models
  }

  /// The versions that a store of several merged models reaches by inference alone: what `--to` names there is a merge.
  private func advice(withoutMappingModelsOfParts source: FamilyVersion, in family: Family) -> String {
    let order = VersionOrder(of: family, versions: family.versions)
    let parts = family.parts(of: source)
    var names: [String] = []
    for version in family.versions {
      guard let part = parts.first(where: { version.of(bundle: $0.bundle) != nil }),
        order.relation(of: version.index, to: part.index) != .before
      else { continue }
      var merging = family
      guard let target = try? merging.mergeTarget(for: source, wanted: version.name),
        target.index != source.index, (try? PathPlan.make(from: source, to: target, in: merging)) != nil
      else { continue }
      let isName = (try? merging.mergeTarget(for: source, wanted: target.name))?.index == target.index
      let name = isName ? target.name : version.name
      if !names.contains(name) { names.append(name) }
    }
    guard !names.isEmpty else {
      return "No other versions can be reached without it; take such stores there with the application."
    }
    return
      "Without a mapping model the store can go to \(Self.list(Array(names.suffix(4)))): name it with --to."
  }

  private func identity(_ version: FamilyVersion) throws(MigrationFailure) -> PathPlan {
    do {
      let mapping = try InferredMapping.make(from: version.model, to: version.model)
      return PathPlan(
        source: version, destination: version,
        steps: [.init(source: version, destination: version, work: .inferred(mapping))], warnings: [])
    } catch {
      throw MigrationFailure(
        disposition: .refuse, reason: "not-inferable", coreDataCode: 134_190, message: "\(error).", advice: "")
    }
  }

  private func checkUniqueness(
    _ step: PreparedJob.Step?, _ store: SourceStore, _ layout: StoreLayout, _ family: Family
  ) throws(MigrationFailure) {
    guard let step, let mapping = step.mapping else { return }
    do {
      try UniquenessCheck(
        EntityPairing(source: layout, destination: step.destinationLayout, mappingModel: mapping.mappingModel)
      ).check(store, externalFolder: ExternalData(store: job.source).readableFiles)
    } catch {
      throw MigrationFailure(running: error, family: family.name, store: job.source.lastPathComponent)
    }
  }
}
