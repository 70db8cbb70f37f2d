internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import Foundation

/// Opens a store, recognises its version, plans its path, and checks as much as possible before a row is written.
struct JobPreparation {
  var job: MigrationJob
  /// Asked about once a second while the store is being checked; false ends the job.
  var observer: (@Sendable () -> Bool)?
  /// Whether the plan says how many rows filters leave out; each count takes a scan.
  var countsFiltered = false
  /// Whether the plan's steps are shown.
  var isForReading = false
  /// The process that has the policies.
  var code = PlannedCode.ofTheJob

  var name: String { job.storeName }

  /// Prepares the job.
  ///
  /// Unless the job is only planned, the checks of a large store may still run when this returns:
  /// `SourceStore.finishChecks(while:)`.
  func prepare() throws(MigrationFailure) -> PreparedJob {
    let catalogue = job.direct == nil ? try readCatalogue() : nil
    let opened = try openStore()
    do throws(MigrationFailure) {
      return try prepare(opened, catalogue)
    } catch {
      defer { opened.endChecks() }
      // A damaged store may cause any other error.
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
    var store = try filled(opened, as: source, family: family)
    let question = question(store, source, in: family)
    let sourceLayout = try layout(of: store, version: source, family: family, question)
    let strayRows = try strayRows(in: store, sourceLayout, family)
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
    var strays: StrayQuarantine?
    if let strayRows, !steps.isEmpty {
      let putAside = try putAside(strayRows, of: store, settling)
      store = putAside.rest
      strays = putAside
    }
    var caches = ModelCacheSearch(
      store: store, source: source, references: references, question: question)
    if let last = steps.indices.last {
      steps[last].modelCache = caches.content(
        for: steps[last].destination, layout: steps[last].destinationLayout)
    }
    let known = question.map { ($0, pathQuestion(from: source, to: target)) }
    let counts = StoreCounts(store: store, layout: sourceLayout)
    let external = ExternalData(store: job.source)
    let lossCount = LossCount(
      steps: steps, counts: counts, family: family, question: known, external: external, name: name,
      now: job.claimedAt.timeIntervalSinceReferenceDate, isStrict: job.refusesLosses, observer: observer)
    let losses = try lossCount.losses()
    try checkUnknown(source, target, losses, in: family)
    // All duplicates except the first go to quarantine at the end of the last step.
    if steps.count > 1 || family.configuration.validation != .quarantine {
      try checkUniqueness(steps.first, store, sourceLayout, family)
    }
    try checkChunks(steps.first, store, sourceLayout, family)
    var warnings = store.alarms + (strays?.sentences ?? strayRows?.remainingSentences ?? [])
    warnings += family.warnings + path.warnings + passWarnings + caches.warnings
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
    for (index, step) in steps.enumerated() {
      // A later step checks again when it begins. The report takes the sentence from there.
      let sentences = try lossCount.uncounted(
        step, index: index, of: index == 0 ? sourceLayout : steps[index - 1].destinationLayout)
      if index == 0 || isForReading { warnings += sentences }
    }
    let history = try self.history(of: store, sourceLayout, steps, family)
    var notes = family.notes + store.reportNotes + caches.notes
    notes += try lossCount.readingNotes()
    if isForReading { notes += LateLosses.notes(steps) + lossCount.pairNotes() }
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
    let need = try diskNeed(
      store: store, sourceLayout, steps, planned.first, external, putAside: strays?.bytes ?? 0)
    let plan = MigrationPlan(
      store: name, storeType: store.kind.name, family: family.name, sourceVersion: source.name,
      sourceVersionNames: source.names, sourceOrigin: source.origin.word, nearestVersion: source.origin.nearest,
      targetVersion: target.name, steps: planned, strayRows: strayRows?.report(nil), losses: losses,
      warnings: warnings, missingCode: missingCode, notes: notes, rows: isForReading ? try counts.total() : 0,
      diskBytes: need)
    return PreparedJob(
      job: job, family: family, store: store, sourceLayout: sourceLayout, source: source, target: target,
      steps: steps, question: known, history: history,
      strays: strays, plan: plan)
  }

  /// Objects that an inferred path keeps although they break a rule that their version didn't have.
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

  private func history(
    of store: SourceStore, _ layout: StoreLayout, _ steps: [PreparedJob.Step], _ family: Family
  ) throws(MigrationFailure) -> HistoryCarriage? {
    do {
      return try HistoryCarriage(of: store, layout, steps)
    } catch {
      throw MigrationFailure(error, family: family.name)
    }
  }

  /// What the store's kind means for the application that opens the result.
  private func kindWarning(_ isCurrent: Bool) -> String {
    isCurrent
      ? "\(name) is an XML store and is handed on as one\(wishes.rewriting)."
      : "\(name) is an XML store, and the new store is an SQLite store: the application has to open it as "
        + "NSSQLiteStoreType."
  }

  static func list(_ names: [String]) -> String { names.map { "“\($0)”" }.joined(separator: ", ") }

  func path(
    from source: FamilyVersion, to target: FamilyVersion, in family: Family
  ) throws(MigrationFailure) -> PathPlan {
    // A store that is rewritten in its own version takes the identity step.
    if job.rewrite, source.index == target.index { return try identity(source) }
    let path: PathPlan
    do {
      path = try PathPlan.make(from: source, to: target, in: family)
    } catch {
      var failure = error.failure(family: family.name)
      switch error {
      case .mergedMappingModels: failure.advice = advice(withoutMappingModelsOfParts: source, in: family)
      case .notMergeable:
        failure.advice = "Name versions whose models agree as “target” in family.json5, or \(wishes.version)."
      default: break
      }
      throw failure
    }
    return path
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
      throw MigrationFailure(running: error, family: family.name, store: job.storeName)
    }
  }
}
