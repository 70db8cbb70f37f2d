internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
internal import DecantPolicies
internal import DecantSQLite
internal import DecantStore
internal import Foundation
internal import PredicateFormat

/// The expected result of a step, computed from its source and the kept associations by the other method.
///
/// It works row by row where the migration worked on sets, and by SQL where the migration went row by row. `main` is
/// the expected store, `source` the one before the step, `kept` the associations.
final class ExpectedStore {
  static let unjudged = "Z_EXPECTED_UNJUDGED"
  static let values = "Z_EXPECTED_VALUES"
  /// The owners that have claimed a target of the current one-to-one relationship.
  static let claims = "Z_EXPECTED_CLAIMS"
  /// Work tables; they are dropped when the store becomes the source of another step.
  static let workTables = [
    // Objects whose values a policy may set, by the root entity's number.
    unjudged: "CREATE TABLE \(unjudged) (root INTEGER, key INTEGER, PRIMARY KEY (root, key)) WITHOUT ROWID",
    values:
      "CREATE TABLE \(values) (mapping INTEGER, value, destination INTEGER, PRIMARY KEY (mapping, value)) WITHOUT ROWID",
    claims: "CREATE TABLE \(claims) (owner INTEGER PRIMARY KEY)", AsideObjects.table: AsideObjects.schema,
  ]

  let path: String
  let plan: PassPlan
  let step: AssociationFile.Step
  let file: AssociationFile
  let store: DestinationStore
  let rows: RowSource
  let lookup: AssociationLookup
  /// The kept information about each mapping, by number.
  let kept: [Int: KeptMapping]
  var database: SQLiteDatabase { store.database }
  /// Relationships whose order doesn't follow from the rows.
  var unorderedProperties: Set<StoreLayout.Property> = []
  /// Values that were computed by the same method as in the migration.
  var samePath: [String] = []
  /// Properties that only the migration's own code could compute, with the number of mappings.
  var unjudgedProperties: [StoreLayout.Property: Int] = [:]
  let code: WorkerCode
  /// The quarantined objects of the step; `nil` for none.
  private(set) var aside: AsideObjects?
  /// Whether a policy ran in the step.
  ///
  /// It may have made, changed and deleted objects.
  var hasPolicies: Bool { kept.values.contains { $0.policy != nil } }
  private let job: String
  private var known: SQLiteStatement?
  private var insertion: SQLiteStatement?

  /// - Parameters:
  ///   - source: The store before the step.
  ///   - files: The folder of the source's external files.
  ///   - quarantine: The step's side files, which may be missing.
  init(
    at path: String, plan: PassPlan, source: SourceStore, files: String, associations: AssociationFile,
    step: AssociationFile.Step, quarantine: QuarantineFiles, policies: PolicyRegistry
  ) throws {
    code = WorkerCode(policies: policies)
    self.path = path
    self.plan = plan
    self.step = step
    file = associations
    kept = Dictionary(
      associations.mappings.filter { $0.step == step.number }.map { ($0.mapping.number, $0.mapping) },
      uniquingKeysWith: { first, _ in first })
    store = try DestinationStore(at: path, layout: plan.destination, workTables: Self.workTables, isOpen: true)
    try store.database.execute("PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF")
    try store.database.attachImmutable(source.readPath, as: "source")
    try store.database.attachImmutable(associations.path, as: "kept")
    ExternalDataFunction.register(in: store.database, folder: files)
    job = JobIdentity.text(store: source.metadata.uuid, time: step.time)
    ExpressionFunctions.register(in: store.database, now: step.time, job: job)
    rows = RowSource(database: store.database, layout: plan.source, schema: "source")
    lookup = try AssociationLookup(in: store.database, path: associations.path, step: step.number)
    if quarantine.isThere {
      aside = try AsideObjects(quarantine, of: plan.destination, in: store.database, scratch: path + ".aside")
    }
  }

  /// The context for evaluating a row's expressions.
  func context(of row: RowObject) -> EvaluationContext {
    let object = Value.object(ObjectReference(row))
    return EvaluationContext(
      object: object, variables: ["source": object], now: step.time,
      seed: JobIdentity.seed(job: job, key: row.key), job: job, functions: code.functions)
  }

  /// The object of a value of `uniqueBy`; `nil` for a new value.
  func destination(of value: SQLiteValue, mapping: Int) throws -> Int? {
    let statement =
      try known
      ?? database.prepare(
        "SELECT destination FROM main.\(Self.values) WHERE mapping = ? AND value = ?")
    known = statement
    statement.reset()
    defer { statement.reset() }
    try statement.bind(.integer(Int64(mapping)), at: 1)
    try statement.bind(value, at: 2)
    return try statement.step() ? statement.integer(0) : nil
  }

  func note(_ value: SQLiteValue, destination: Int, mapping: Int) throws {
    let statement = try insertion ?? database.prepare("INSERT INTO main.\(Self.values) VALUES (?, ?, ?)")
    insertion = statement
    try statement.run([.integer(Int64(mapping)), value, .integer(Int64(destination))])
  }

  /// Makes the objects and sets their relationships, in the order of the passes.
  func fill(_ findings: inout Findings) throws {
    try database.execute("BEGIN")
    // A policy may associate objects of other mappings.
    let isByPolicy = { (mapping: PassPlan.Mapping) in self.kept[mapping.number]?.policy != nil }
    for mapping in plan.mappings.filter({ !isByPolicy($0) }) + plan.mappings.filter(isByPolicy) {
      try ExpectedObjects(self, mapping).make(&findings)
    }
    try indexReferences()
    for pass in plan.passes {
      for mapping in pass.mappings { try ExpectedLinks(self, mapping).set(&findings) }
    }
    for mapping in plan.mappings { try ExpectedLinks(self, mapping).setWaiting(&findings) }
    for (property, count) in unjudgedProperties.sorted(by: { $0.key.description < $1.key.description }) {
      findings.expect(.notJudged, entity: property.entity, property: property.name, count: count)
    }
    if let aside {
      // A connection can attach two stores.
      try database.execute("COMMIT")
      try database.detach("kept")
      try aside.attach()
      try database.execute("BEGIN")
      try AsideComparison(self).run(&findings)
    }
    try settle()
    try database.execute("COMMIT")
  }

  private var referenceColumns: [(table: String, column: String)] {
    plan.destination.tables.flatMap { table in
      table.columns.compactMap { column in
        switch column.role {
        case .toOne, .owner: (table.name, column.name)
        default: nil
        }
      }
    } + plan.destination.joinTables.flatMap { [($0.name, $0.first.column), ($0.name, $0.second.column)] }
  }

  private func indexReferences() throws(SQLiteError) {
    for (index, reference) in referenceColumns.enumerated() {
      try database.execute(
        "CREATE INDEX Z_EXPECTED_\(index) ON \(quoted(reference.table)) (\(quoted(reference.column)))")
    }
  }

  /// Fills in missing places, entity numbers of references, and counts.
  private func settle() throws(SQLiteError) {
    let layout = plan.destination
    let rules = StepWork(
      EntityPairing(
        source: plan.source, destination: layout,
        mappingModel: MappingModel(name: "", origin: .inferred, entityMappings: [])), leadingColumns: [:])
    for work in layout.tables.flatMap(rules.numberings) + layout.joinTables.flatMap(rules.numberings) {
      for statement in work.statements { try database.execute(statement) }
    }
    for table in layout.tables {
      for column in table.columns {
        guard case .toOneEntity(let property) = column.role,
          let key = layout.toOneColumn(property.name, of: property.entity),
          let relationship = layout.model.relationship(property.name, of: property.entity),
          let target = layout.table(of: relationship.destinationEntityName)
        else { continue }
        try database.execute(
          "UPDATE \(quoted(table.name)) SET \(quoted(column.name)) = (SELECT t.Z_ENT FROM \(quoted(target.name)) AS t "
            + "WHERE t.Z_PK = \(quoted(table.name)).\(quoted(key)))")
      }
      try count(table)
    }
    for index in referenceColumns.indices { try database.execute("DROP INDEX Z_EXPECTED_\(index)") }
  }

  private func count(_ table: StoreLayout.Table) throws(SQLiteError) {
    for column in table.columns {
      guard case .attribute(let property) = column.role,
        let expression = plan.destination.model.attribute(property.name, of: property.entity)?
          .derivationExpression,
        case .count(let child, let key)? = DerivationKind(
          expression, entity: property.entity, layout: plan.destination)
      else { continue }
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
