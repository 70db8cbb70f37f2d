internal import DecantCatalogue
internal import DecantEngine
internal import DecantMapping
internal import DecantMigration
internal import DecantModel
internal import DecantPasses
internal import DecantPolicies
internal import DecantSQLite
internal import DecantStore
internal import DecantXMLStore
internal import Foundation

/// Compares the destination of a path with the expected result of the path, with the help of kept associations.
///
/// The expected result of a step with mapping models is computed from the step's source and the associations. The
/// engine runs the inferred steps before such a step. Inferred steps at the end of the path are compared without an
/// expected result.
struct MappedVerification {
  let pair: CataloguePair
  let way: [PathPlan.Step]
  let file: AssociationFile
  let source: URL
  let destination: URL
  /// The external files of both stores, which are never written and never linked.
  let external: StorePair.Files
  let scratch: URL
  let policies: PolicyRegistry
  let progress: (Verification.Progress) -> Void

  func run() throws -> Verification.Report {
    try AssociationFit(file, way: way, store: source, scratch: scratch).check()
    var findings = Findings()
    var current = source
    var files = external.source
    for (index, step) in way.enumerated() {
      let place = scratch.appendingPathComponent("way-\(index + 1)")
      try FileCopy.makeFolder(place.path)
      let isLast = index + 1 == way.count
      tell("\(step.source.name) to \(step.destination.name)", index)
      switch step.work {
      case .inferred:
        if way[index...].allSatisfy(\.isInferred) {
          return try compareInferred(from: current, files, steps: Array(way[index...]), findings)
        }
        current = try inferred(step, from: current, files, in: place)
        files = ExternalData(store: current)
      case .mappingModels(let modelFiles):
        var preparation = PassPreparation(
          family: pair.family, source: step.source, destination: step.destination)
        let models = try preparation.compiled(modelFiles)
        let store = try open(current, of: step.source, scratch: place.appendingPathComponent("source"))
        if isLast { return try compare(step, index, models, store, files, place, findings) }
        let layout = try StoreLayout(
          step.destination.model, framework: store.metadata.framework ?? .current, isPassing: true)
        let expected = try self.expected(index, models, store, layout, files: files, place)
        try fill(expected, index, &findings)
        guard !expected.hasPolicies, expected.unjudgedProperties.isEmpty else {
          // The later steps start from values of this step that can't be computed. So they aren't judged.
          findings.expect(.notJudged, entity: step.destination.name, count: way.count - index - 1)
          return try finish(findings)
        }
        try expected.finish(metadata: store.metadata)
        current = URL(fileURLWithPath: expected.path)
      }
    }
    return try finish(findings)
  }

  private func tell(_ subject: String, _ done: Int) {
    progress(Verification.Progress(subject: subject, done: done, total: way.count))
  }

  private func open(_ url: URL, of version: FamilyVersion, scratch: URL) throws -> SourceStore {
    try SourceStore.open(url.path, scratch: scratch.path, checksPages: false)
      .filled(as: version.model, version: version.name, scratch: scratch.path)
  }

  private func expected(
    _ index: Int, _ models: [MappingModel], _ store: SourceStore, _ layout: StoreLayout, files: ExternalData,
    _ place: URL
  ) throws -> ExpectedStore {
    let source = try store.layout(
      for: way[index].source.model, version: way[index].source.name, acceptsCloudKit: true)
    let plan = PassPlan(source: source, destination: layout, mappingModels: models)
    let step = try AssociationFit(file, way: way, store: self.source, scratch: scratch).step(
      index + 1, of: plan)
    return try ExpectedStore(
      at: place.appendingPathComponent("expected.sqlite").path, layout: layout, models: models, source: store,
      sourceLayout: source, files: files.readableFiles, associations: file, step: step,
      quarantine: quarantine(index), policies: policies)
  }

  private func quarantine(_ index: Int) -> QuarantineFiles {
    QuarantineFiles(output: destination, step: index + 1, of: way.count)
  }

  /// Computes the expected result of a step.
  ///
  /// If associations are missing, missing quarantine files may be the cause. Then these files are reported as missing,
  /// too.
  private func fill(_ expected: ExpectedStore, _ index: Int, _ findings: inout Findings) throws {
    let known = findings.differences.count
    try expected.fill(&findings)
    let files = quarantine(index)
    let mode = pair.family.configuration.validation?.mode
    guard findings.differences.dropFirst(known).contains(where: { $0.kind == .lostAssociation }),
      expected.plan.mappings.contains(where: { ($0.validation ?? mode) == .quarantine })
    else { return }
    if !files.isThere {
      findings.add(.missingQuarantine, name: files.storeName)
    } else if !FileManager.default.fileExists(atPath: files.list) {
      findings.add(.missingQuarantine, name: files.listName)
    }
  }

  /// Runs an inferred step with the engine, to get the source of the next step.
  ///
  /// Inferred steps at the end of the path are compared instead (`compareInferred`).
  private func inferred(
    _ step: PathPlan.Step, from current: URL, _ files: ExternalData, in place: URL
  ) throws -> URL {
    // The engine looks for the external files beside the store.
    let beside = ExternalData(store: current)
    if !beside.folder.utf8.elementsEqual(files.folder.utf8) { _ = try files.copy(to: beside) }
    let output = place.appendingPathComponent("step.sqlite")
    var job = MigrationJob(
      source: current, output: output, workFolder: place.appendingPathComponent("work"),
      catalogue: pair.family.place.url, family: nil, target: step.destination.name)
    job.linksExternalFiles = false
    job.digestsFiles = false
    _ = try Migration.run(job)
    return output
  }

  /// Compares the rest of the path, which is inferred.
  private func compareInferred(
    from current: URL, _ files: ExternalData, steps: [PathPlan.Step], _ findings: Findings
  ) throws -> Verification.Report {
    guard let first = steps.first else { return try finish(findings) }
    var report = try Verification.run(
      source: current, destination: destination,
      files: .init(source: files, destination: external.destination), sourceModel: first.source.model,
      steps: steps.compactMap(\.verified), quarantine: quarantine(way.count - 1),
      scratch: scratch.appendingPathComponent("rest"), progress: progress)
    report.noteMissing(quarantine(way.count - 1), mode: pair.family.configuration.validation?.mode)
    var findings = findings
    try InferredAssociations(file: file, step: way.count, stores: try stores()).run(&findings)
    report.differences = findings.differences + report.differences
    report.expected = findings.expected + report.expected
    report.isEqual = report.differences.isEmpty
    report.source = source.path
    return report
  }

  private func stores() throws -> StorePair {
    let nothing = MappingModel(name: "", origin: .inferred, entityMappings: [])
    return try StorePair(
      source: source, destination: destination, files: external,
      lineage: Lineage(
        from: pair.source.model, steps: [.init(mapping: nothing, model: pair.destination.model)]),
      evidence: nil, scratch: scratch)
  }

  /// Compares the destination with the expected result of the last step, which runs mapping models.
  private func compare(
    _ step: PathPlan.Step, _ index: Int, _ models: [MappingModel], _ store: SourceStore,
    _ files: ExternalData, _ place: URL, _ findings: Findings
  ) throws -> Verification.Report {
    var findings = findings
    let stores = try stores()
    let expected = try self.expected(index, models, store, stores.destinationLayout, files: files, place)
    try fill(expected, index, &findings)
    for place in expected.samePath {
      let parts = place.split(separator: ".", maxSplits: 1).map(String.init)
      findings.expect(.samePath, entity: parts.first ?? place, property: parts.dropFirst().first, count: 1)
    }
    try administration(stores, &findings)
    let pair = try stores.beside(expected: expected.path, try expected.judgement())
    let tables = pair.destinationLayout.tables
    for table in tables {
      tell(table.name, index)
      try RowCheck(pair, table: table).run(&findings)
      try DerivedCheck(pair, table: table).run(&findings)
      try ExternalFileCheck(pair, table: table).run(&findings)
    }
    for property in PairCheck.properties(of: pair.destinationLayout) {
      tell(property.description, index)
      try PairCheck(pair, property: property).run(&findings)
    }
    try PolicyPairs(stores: pair).tell(&findings)
    for table in tables { try ReferenceCheck(pair, table: table).run(&findings) }
    return findings.report(source: source, destination: destination)
  }

  private func administration(_ stores: StorePair, _ findings: inout Findings) throws(SQLiteError) {
    try SchemaCheck(stores).run(&findings)
    MetadataCheck(stores).run(&findings)
    try IntegrityCheck(stores).run(&findings)
    try HistoryCheck(stores).run(&findings)
    try ModelCacheCheck(stores).run(&findings)
  }

  /// Compares schema, metadata and history, and checks the destination by itself, without its expected objects.
  private func finish(_ findings: Findings) throws -> Verification.Report {
    var findings = findings
    let stores = try stores()
    try administration(stores, &findings)
    for table in stores.destinationLayout.tables {
      try DerivedCheck(stores, table: table).run(&findings)
      try ReferenceCheck(stores, table: table).run(&findings)
    }
    return findings.report(source: source, destination: destination)
  }
}

extension PathPlan.Step {
  /// The data that a comparison needs of an inferred step; `nil` for a step with mapping models.
  var verified: Verification.Step? {
    guard case .inferred(let mapping) = work else { return nil }
    return Verification.Step(mapping: mapping.mappingModel, model: destination.model)
  }
}
