internal import DecantEngine
internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantPolicies
internal import DecantRows
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// The expected result of a step: the step is run once more, with the keys of the kept associations.
///
/// Values and relationships are computed by another method than in the migration where this is possible (`RowMapping`,
/// `ExpectedLinks`).
///
/// `main` is the expected store, `source` the store before the step, `kept` the file of associations.
final class ExpectedStore {
  static let made = "Z_EXPECTED_MADE"
  /// Work tables; they are dropped when the store becomes the source of another step.
  static let workTables = [
    // The objects that have been made.
    made: "CREATE TABLE \(made) (root INTEGER, key INTEGER, PRIMARY KEY (root, key)) WITHOUT ROWID",
    AsideObjects.table: AsideObjects.schema,
  ].merging(Judgement.workTables) { own, _ in own }.merging(Associations.workTables) { own, _ in own }
    .merging(RowCounts.workTables) { own, _ in own }

  let path: String
  let plan: PassPlan
  let step: AssociationFile.Step
  let file: AssociationFile
  let store: DestinationStore
  let lookup: AssociationLookup
  let code: WorkerCode
  var database: SQLiteDatabase { store.database }
  /// The attributes, as `Entity.attribute`, whose values are computed by the same method as in the migration.
  let samePath: [String]
  /// Properties that a comparison can't compute (`ComputableModels`), with the number of entity mappings that set them.
  let unjudgedProperties: [StoreLayout.Property: Int]
  /// The properties that a comparison can't compute in objects that a policy made.
  let propertiesLeftToPolicies: Set<StoreLayout.Property>
  /// The quarantined objects of the step; `nil` for none.
  private(set) var aside: AsideObjects?
  /// Whether a policy ran in the step; a policy may have made, changed and deleted objects.
  var hasPolicies: Bool { kept.values.contains { $0.policy != nil } }
  private let kept: [Int: KeptMapping]
  private let models: [MappingModel]
  let source: SourceStore
  private let files: String

  /// - Parameters:
  ///   - layout: The destination's layout.
  ///   - models: The mapping models, one for each pass.
  ///   - source: The store before the step.
  ///   - files: The folder of the source's external files.
  ///   - quarantine: The step's quarantine files, which may be missing.
  init(
    at path: String, layout: StoreLayout, models: [MappingModel], source: SourceStore,
    sourceLayout: StoreLayout, files: String, associations: AssociationFile, step: AssociationFile.Step,
    quarantine: QuarantineFiles,
    policies: PolicyRegistry
  ) throws {
    self.path = path
    self.step = step
    self.source = source
    self.files = files
    file = associations
    code = WorkerCode(policies: policies)
    let kept = Dictionary(
      associations.mappings.filter { $0.step == step.number }.map { ($0.mapping.number, $0.mapping) },
      uniquingKeysWith: { first, _ in first })
    let byPolicies = Set(kept.filter { $0.value.policy != nil }.keys)
    let computable = ComputableModels(models, into: layout, code: code, policies: byPolicies)
    let plan = PassPlan(source: sourceLayout, destination: layout, mappingModels: computable.models)
    self.kept = kept
    self.plan = plan
    self.models = computable.models
    unjudgedProperties = computable.left
    propertiesLeftToPolicies = computable.leftToPolicies
    samePath = plan.mappings.filter { kept[$0.number]?.way == .rows && !byPolicies.contains($0.number) }
      .flatMap { mapping in
        RowMapping(plan, mapping).evaluated.map { "\(mapping.destination).\($0.attribute.name)" }
      }
    store = try DestinationStore(at: path, layout: layout, workTables: Self.workTables, isOpen: true)
    try store.database.execute("PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF")
    try store.database.attachImmutable(source.readPath, as: "source")
    try store.database.attachImmutable(associations.path, as: "kept")
    lookup = try AssociationLookup(in: store.database, path: associations.path, step: step.number)
    if quarantine.isThere {
      aside = try AsideObjects(quarantine, of: layout, in: store.database, scratch: path + ".aside")
    }
  }

  /// What can be judged of the finished store.
  func judgement() throws(SQLiteError) -> Judgement {
    let unjudged = "SELECT EXISTS (SELECT 1 FROM main.\(Judgement.unjudgedTable))"
    return Judgement(
      layout: plan.destination, unjudged: Set(unjudgedProperties.keys),
      leftToPolicies: propertiesLeftToPolicies,
      hasPolicies: hasPolicies, hasUnjudged: try database.integer(unjudged) > 0)
  }

  /// The policy that made a mapping's objects; `nil` if there was none.
  func policy(of mapping: PassPlan.Mapping) -> String? { kept[mapping.number]?.policy }

  func wentByRows(_ mapping: PassPlan.Mapping) -> Bool { kept[mapping.number]?.way == .rows }

  func root(of mapping: PassPlan.Mapping) -> Int {
    plan.destination.entityNumbers[mapping.destinationTable.rootEntity] ?? 0
  }

  /// Makes the objects and sets their relationships, in the order of the passes.
  func fill(_ findings: inout Findings) throws {
    try database.execute("BEGIN")
    try run(&findings)
    try countGone(&findings)
    for (property, count) in unjudgedProperties.sorted(by: { $0.key.description < $1.key.description }) {
      findings.expect(.notJudged, entity: property.entity, property: property.name, count: count)
    }
    let indexes = LookupIndexes(database, layout: plan.destination)
    try settle()
    if let aside {
      try indexReferences(indexes)
      try database.execute("COMMIT")
      try AsideComparison(self, aside).run(&findings)
      try database.execute("BEGIN")
    }
    for table in plan.destination.tables { try count(table, indexes) }
    for statement in try LookupIndexes.removal(in: database) { try database.execute(statement) }
    try database.execute("COMMIT")
  }

  /// Counts the objects of source entities whose objects no entity mapping takes.
  private func countGone(_ findings: inout Findings) throws(SQLiteError) {
    let taken = Set(plan.mappings.map(\.source))
    for entity in plan.source.model.entities where !entity.isAbstract && !taken.contains(entity.name) {
      guard let table = plan.source.table(of: entity.name), let number = plan.source.entityNumbers[entity.name]
      else { continue }
      let count = try database.integer(
        "SELECT count(*) FROM source.\(quoted(table.name)) WHERE Z_ENT = \(number)")
      findings.expect(.entityGone, entity: entity.name, count: count)
    }
  }

  private func run(_ findings: inout Findings) throws {
    let targets = TargetLookup()
    try targets.register(in: database)
    let session = try session(targets)
    defer {
      session.close()
      targets.close()
    }
    for pass in plan.passes {
      // A policy may associate objects that other mappings made, so entity mappings with policies come last.
      let isByPolicy = { (mapping: PassPlan.Mapping) in self.policy(of: mapping) != nil }
      for mapping in pass.mappings.filter({ !isByPolicy($0) }) + pass.mappings.filter(isByPolicy) {
        try ExpectedObjects(self, session, mapping).make(&findings)
      }
      targets.forget()
      for mapping in pass.mappings { try ExpectedLinks(self, session, mapping)?.set(&findings) }
    }
    for mapping in plan.mappings { try ExpectedLinks(self, session, mapping)?.setWaiting() }
    for mapping in plan.mappings { try ExpectedLinks(self, session, mapping)?.noteForPolicy() }
  }

  private func session(_ targets: TargetLookup) throws -> RowSession {
    let job = JobIdentity.text(store: source.metadata.uuid, time: step.time)
    let (reading, ahead) = (
      try source.connection("the source of \(path)", externalFolder: files),
      try source.connection("the source of \(path)", externalFolder: files)
    )
    for connection in [database, reading, ahead] {
      try ExpressionFunctions.register(in: connection, now: step.time, job: job)
    }
    try ExternalDataFunction.register(in: database, folder: files)
    return try RowSession(
      plan, models: models, registry: code.functions,
      manager: MigrationManager(
        sourceModel: ModelDescription(plan.source.model),
        destinationModel: ModelDescription(plan.destination.model)),
      store: source.metadata.uuid, database: database, reading: reading, ahead: ahead, targets: targets,
      now: step.time, job: job, folder: "", placeRecorder: nil, evaluates: true, isStopped: { false })
  }

  /// Sets missing ordering keys.
  private func settle() throws(SQLiteError) {
    let layout = plan.destination
    let rules = StepWork(
      EntityPairing(
        source: plan.source, destination: layout,
        mappingModel: MappingModel(name: "", origin: .inferred, entityMappings: [])), leadingColumns: [:])
    for work in layout.tables.flatMap(rules.numberings) + layout.joinTables.flatMap(rules.numberings) {
      for statement in work.statements { try database.execute(statement) }
    }
  }

  /// Creates the indexes with which `AsideComparison` finds the references to quarantined objects.
  private func indexReferences(_ indexes: LookupIndexes) throws(SQLiteError) {
    for join in plan.destination.joinTables {
      for end in [join.first, join.second] { try indexes.make(join.name, end.column) }
    }
    for table in plan.destination.tables {
      for column in table.columns {
        switch column.role {
        case .toOne, .owner: try indexes.make(table.name, column.name)
        default: break
        }
      }
    }
  }

  private func count(_ table: StoreLayout.Table, _ indexes: LookupIndexes) throws(SQLiteError) {
    for column in table.columns {
      guard case .attribute(let property) = column.role,
        let expression = plan.destination.model.attribute(property.name, of: property.entity)?
          .derivationExpression,
        case .count(let child, let key)? = DerivationKind(
          expression, entity: property.entity, layout: plan.destination)
      else { continue }
      try indexes.make(child, key)
      try database.execute(
        "UPDATE \(quoted(table.name)) SET \(quoted(column.name)) = (SELECT count(*) FROM \(quoted(child)) AS t "
          + "WHERE t.\(quoted(key)) = \(quoted(table.name)).Z_PK) "
          + "WHERE Z_ENT IN \(plan.destination.entityNumbers(inFamilyOf: property.entity).list)")
    }
  }

  /// Completes the store, so that a further step can read it.
  func finish(metadata: StoreMetadata) throws {
    try database.detach("source")
    try database.detach(aside == nil ? "kept" : "aside")
    for statement in try store.missingIndexes() { try database.execute(statement) }
    try store.finish(
      metadata: metadata.updated(for: plan.destination.model, framework: plan.destination.framework),
      maxima: [:],
      workTables: Array(Self.workTables.keys), usesWriteAheadLog: false)
  }
}
