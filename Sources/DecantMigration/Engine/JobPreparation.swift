internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import Foundation

/// Opens a store, recognises its version, plans its way, and checks what can be checked before a row is written.
struct JobPreparation {
  let job: MigrationJob
  /// Asked about once a second while the store is being checked; false ends the job.
  var observer: (@Sendable () -> Bool)?

  private var name: String { job.source.lastPathComponent }

  func prepare() throws(MigrationFailure) -> PreparedJob {
    let catalogue = try readCatalogue()
    let store = try openStore()
    let (family, source) = try recognise(store, in: catalogue)
    let sourceLayout = try layout(of: store, version: source, family: family)
    let target = try self.target(for: source, in: family)
    let references = ReferenceStores(family: family, workFolder: job.workFolder)
    let settling = LayoutSettling(
      family: family, store: store, source: source, sourceLayout: sourceLayout, references: references)
    var steps: [PreparedJob.Step] = []
    let path = try self.path(from: source, to: target, in: family)
    for step in path.steps {
      guard case .inferred(let mapping) = step.work else { continue }
      steps.append(
        PreparedJob.Step(
          source: step.source, destination: step.destination, mapping: mapping,
          destinationLayout: try settling.layout(of: step.destination)))
    }
    if !steps.isEmpty { try settling.checkSource() }
    var caches = ModelCacheSearch(store: store, source: source, references: references)
    if let last = steps.indices.last {
      steps[last].modelCache = caches.content(
        for: steps[last].destination, layout: steps[last].destinationLayout)
    }
    let counts = StoreCounts(store: store, layout: sourceLayout)
    let losses = try LossCount(steps: steps, counts: counts, family: family).losses()
    try checkUniqueness(steps.first, store, sourceLayout, family)
    let external = ExternalData(store: job.source)
    var warnings = store.warnings + family.warnings + path.warnings + caches.warnings
    warnings += steps.last.map { settling.findings($0.destinationLayout, of: $0.destination) } ?? []
    warnings += try external.findings(
      in: store, layout: sourceLayout, isRequired: family.configuration.requireExternalData, family: family.name
    )
    warnings += try RequiredRelationships(steps: steps, counts: counts).findings()
    if !store.cloudKitTables.isEmpty, !steps.isEmpty {
      warnings.append(
        "The tables of CloudKit's mirroring are left out (cloudKit: \"reset\"); devices mirror anew.")
    }
    let history = try self.history(of: store, sourceLayout, steps.first, family)
    if let finding = history?.finding { warnings.append(finding) }
    var planned: [MigrationPlan.Step] = []
    for (index, step) in steps.enumerated() {
      planned.append(try self.planned(step, counts: index == 0 ? counts : nil))
    }
    let plan = MigrationPlan(
      store: name, family: family.name, sourceVersion: source.name, sourceVersionNames: source.names,
      targetVersion: target.name, steps: planned, losses: losses,
      warnings: warnings, rows: try counts.total(),
      diskBytes: try diskNeed(store: store, steps: steps.count, external))
    return PreparedJob(
      job: job, family: family, store: store, sourceLayout: sourceLayout, source: source, target: target,
      steps: steps, history: history,
      plan: plan)
  }

  private func history(
    of store: SourceStore, _ layout: StoreLayout, _ step: PreparedJob.Step?, _ family: Family
  ) throws(MigrationFailure) -> HistoryCarriage? {
    guard let step else { return nil }
    do {
      return try HistoryCarriage(
        store,
        EntityPairing(
          source: layout, destination: step.destinationLayout, mappingModel: step.mapping.mappingModel))
    } catch {
      throw MigrationFailure(error, family: family.name)
    }
  }

  func readCatalogue() throws(MigrationFailure) -> Catalogue {
    do {
      return try Catalogue.read(at: job.catalogue)
    } catch {
      let isMissing = if case .notFound = error { true } else { false }
      throw MigrationFailure(
        disposition: .catalogue, reason: isMissing ? "no-catalogue" : "catalogue-unreadable",
        message: error.description, advice: "")
    }
  }

  private func openStore() throws(MigrationFailure) -> SourceStore {
    do {
      return try SourceStore(
        job.source.path, scratch: job.workFolder.appendingPathComponent("copy").path,
        observer: observer)
    } catch {
      throw MigrationFailure(error)
    }
  }

  func recognise(
    _ store: SourceStore, in catalogue: Catalogue
  ) throws(MigrationFailure) -> (Family, FamilyVersion) {
    switch catalogue.recognise(store.metadata.versionHashes ?? [:], family: job.family) {
    case .known(let family, let version): return (family, version)
    case .ambiguous(let families):
      throw MigrationFailure(
        disposition: .refuse, reason: "ambiguous-family", coreDataCode: 134_130,
        message: "\(name) fits a version of several families: \(Self.list(families)).",
        advice: "Name the family with --family or in the drop's request file.")
    case .broken(let family): throw Self.failure(family)
    case .noSuchFamily(let wanted, let existing):
      throw MigrationFailure(
        disposition: .refuse, reason: "unknown-family", message: "The catalogue has no family “\(wanted)”.",
        advice: "It has: \(Self.list(existing)).")
    case .unknown(let nearest, let broken) where !broken.isEmpty:
      let first = broken[0]
      var failure = Self.failure(first)
      failure.message =
        "\(name) is of none of the versions that can be read."
        + (nearest.map { " Nearest is \($0)." } ?? "")
        + " It could be of a family that can't. \(failure.message)"
      failure.advice = "Mend that family or take its folder out of the catalogue; the store waits until then."
      throw failure
    case .unknown(let nearest, _):
      throw MigrationFailure(
        disposition: .refuse, reason: "unknown-version", coreDataCode: 134_100,
        message: "\(name) is of a model version that the catalogue doesn't have."
          + (nearest.map { " Nearest is \($0)." } ?? Self.nothingNear(in: catalogue, family: job.family)),
        advice: "Add that version of the model to the family's folder.", family: nearest?.family)
    }
  }

  private static func nothingNear(in catalogue: Catalogue, family: String?) -> String {
    let families = catalogue.families.filter { family == nil || $0.name == family }
    let versions = families.reduce(0) { $0 + $1.versions.count }
    let place = family.map { "family “\($0)”, which alone was looked at," } ?? "the catalogue"
    return versions == 0
      ? " There is no model version in \(place)."
      : " None of the \(versions) versions in \(place) has an entity in common with it."
  }

  private static func failure(_ family: BrokenFamily) -> MigrationFailure {
    MigrationFailure(
      disposition: .catalogue, reason: "broken-family",
      message: "The family “\(family.name)” can't be used: \(family.error).",
      advice: "Mend the catalogue; the family's stores wait until then.", family: family.name)
  }

  static func list(_ names: [String]) -> String { names.map { "“\($0)”" }.joined(separator: ", ") }

  private func layout(
    of store: SourceStore, version: FamilyVersion, family: Family
  ) throws(MigrationFailure) -> StoreLayout {
    let layout: StoreLayout
    do {
      layout = try store.layout(
        for: version.model, version: version.name, acceptsCloudKit: family.configuration.cloudKit == .reset)
      // Pairs are read through the indexes, in the order in which they are written.
      try store.checkIndexes(of: layout.joinTables.map(\.name))
      try StoreCounts(store: store, layout: layout).checkStrayRows()
    } catch {
      throw MigrationFailure(error, family: family.name)
    }
    return layout
  }

  func target(for source: FamilyVersion, in family: Family) throws(MigrationFailure) -> FamilyVersion {
    if let wanted = job.target {
      guard let version = family.version(named: wanted) else {
        throw MigrationFailure(
          disposition: .refuse, reason: "unknown-target",
          message: "Family “\(family.name)” has no version “\(wanted)”.",
          advice: "It has: \(Self.list(family.versions.map(\.name))).", family: family.name)
      }
      return version
    }
    do {
      return try family.target(for: source)
    } catch {
      throw MigrationFailure(
        disposition: .catalogue, reason: "no-target", message: "\(error).", advice: "", family: family.name)
    }
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
      throw error.failure(family: family.name)
    }
    if let file = path.mappingModelFiles.first {
      throw MigrationFailure(
        disposition: .refuse, reason: "needs-mapping-model", coreDataCode: 134_140,
        message:
          "The way from “\(source.name)” to “\(target.name)” leads through the mapping model \(file.path), and "
          + "this version of Decant doesn't run mapping models yet.",
        advice: "Migrate to a version before it with --to, or state another “path” in family.json5.",
        family: family.name)
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
    guard let step else { return }
    do {
      try UniquenessCheck(
        EntityPairing(
          source: layout, destination: step.destinationLayout, mappingModel: step.mapping.mappingModel)
      ).check(store, externalFolder: ExternalData(store: job.source).files)
    } catch {
      throw MigrationFailure(running: error, family: family.name)
    }
  }

  private func planned(
    _ step: PreparedJob.Step, counts: StoreCounts?
  ) throws(MigrationFailure) -> MigrationPlan.Step {
    var mappings: [MigrationPlan.EntityMappingPlan] = []
    for mapping in step.mapping.mappingModel.entityMappings {
      var rows: Int?
      if let counts {
        rows = if let source = mapping.sourceEntityName { try counts.rows(of: source) } else { 0 }
      }
      mappings.append(
        .init(
          name: mapping.name, type: Self.word(mapping.type), source: mapping.sourceEntityName,
          destination: mapping.destinationEntityName, rows: rows))
    }
    return MigrationPlan.Step(
      source: step.source.name, destination: step.destination.name, passes: [step.mapping.mappingModel.name],
      entityMappings: mappings, framework: step.destinationLayout.framework.number)
  }

  private static func word(_ type: EntityMappingType) -> String {
    switch type {
    case .undefined: "undefined"
    case .custom: "custom"
    case .add: "add"
    case .remove: "remove"
    case .copy: "copy"
    case .transform: "transform"
    }
  }

  /// A destination as large as the source and a fifth more, two of them in a chain, and the external files.
  private func diskNeed(store: SourceStore, steps: Int, _ external: ExternalData) throws(MigrationFailure)
    -> Int
  {
    let attributes = try? FileManager.default.attributesOfItem(atPath: store.readPath)
    let size = (attributes?[.size] as? NSNumber)?.intValue ?? 0
    do {
      // Sparse files may claim any size.
      let need = Double(size) * 1.2 * Double(min(steps, 2)) + Double(try external.bytes()) + 1_048_576
      return Int(exactly: need.rounded()) ?? Int.max
    } catch {
      throw MigrationFailure(error)
    }
  }
}
