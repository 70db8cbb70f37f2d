internal import DecantExpressions
internal import DecantPasses
internal import DecantReport
package import DecantSQLite
package import DecantStore

/// The row counts of a step that runs mapping models.
extension PassProgram {
  package func count(
    in database: SQLiteDatabase, of store: SourceStore, dangling: [String: Int]
  ) throws -> StepCounts {
    var counts = StepCounts()
    var made: [String: Int] = [:]
    for way in ways {
      let mapping = way.mapping
      if way.creating.contains(where: { $0.action == .create(mapping.number) }) {
        counts.entities.append(try countRows(mapping, of: store, in: database))
        continue
      }
      let account = try countSet(mapping, of: store, in: database)
      made[mapping.destination, default: 0] +=
        mapping.mapping.uniqueBy == nil
        ? account.migrated + account.leftOut + account.refused
        : try RowCounts(database).rows(RowCounts.values, mapping: mapping.number)
      counts.entities.append(account)
    }
    for entity in destination.model.entities.map(\.name) {
      let expected = made[entity, default: 0] + (rows == nil ? 0 : try RowCounts(database).made(of: entity))
      guard let table = destination.table(of: entity), let number = destination.entityNumbers[entity] else {
        continue
      }
      let rows = try destinationRows(of: entity, in: database)
      let refused = quarantine == nil ? 0 : try database.integer(Quarantine.count(entity: number))
      guard rows + refused == expected else {
        throw StepFailure.objectsDiffer(entity: entity, made: expected, destination: rows + refused)
      }
      let found = try insertedRows(of: entity, number, in: table, of: rows, database)
      if found.inserted > 0 { counts.inserted[entity] = found.inserted }
      if found.isComplete { counts.complete.insert(entity) }
    }
    for join in destination.joinTables {
      counts.joinRows[join.name] = try database.integer("SELECT count(*) FROM main.\(quoted(join.name))")
    }
    for copy in ways.flatMap(\.copies) where quarantine == nil {
      try copy.check(
        pairs: counts.joinRows[copy.destinationTable, default: 0] + (dangling[copy.destinationTable] ?? 0),
        in: database)
    }
    return counts
  }

  /// The counts of a mapping that has run over sets of rows.
  private func countSet(
    _ mapping: PassPlan.Mapping, of store: SourceStore, in database: SQLiteDatabase
  ) throws -> MigrationReport.EntityRows {
    let source = try sourceRows(of: mapping.source, in: store)
    let counts = RowCounts(database)
    let associated = AssociatedRows(plan: plan, database: database)
    let isTouched = try rows != nil && associated.isTouched(mapping)
    let migrated =
      try isTouched
      ? associated.count(of: mapping) : database.integer(Associations.count(mapping: mapping.number))
    let filtered = try filteredRows(of: mapping, in: database)
    let withoutValue = try counts.rows(RowCounts.withoutValue, mapping: mapping.number)
    let refused = try refused(of: mapping, in: database)
    // A source object that is associated again after a policy deleted its object isn't left out.
    let deleted =
      try isTouched
      ? min(
        max(0, source - migrated - filtered - withoutValue - refused),
        counts.rows(RowCounts.deleted, mapping: mapping.number)) : 0
    let accounted = migrated + filtered + withoutValue + deleted + refused
    guard source == accounted else {
      throw StepFailure.rowsDiffer(entityMapping: mapping.mapping.name, source: source, destination: accounted)
    }
    let objects = try objects(of: mapping, migrated: migrated, in: database)
    return .init(
      entityMapping: mapping.mapping.name, pass: passName(of: mapping), source: source, made: objects.made,
      shared: migrated - objects.made, withoutValue: withoutValue, filtered: filtered, refused: refused,
      leftOut: deleted, further: objects.further)
  }

  /// The counts of a mapping that has run row by row; a policy may have made nothing from some rows.
  private func countRows(
    _ mapping: PassPlan.Mapping, of store: SourceStore, in database: SQLiteDatabase
  ) throws -> MigrationReport.EntityRows {
    let all = try sourceRows(of: mapping.source, in: store)
    let counts = RowCounts(database)
    let given = try counts.rows(RowCounts.given, mapping: mapping.number)
    let filtered = try counts.rows(RowCounts.filtered, mapping: mapping.number)
    let withoutValue = try counts.rows(RowCounts.withoutValue, mapping: mapping.number)
    guard all == given + filtered + withoutValue else {
      throw StepFailure.rowsDiffer(
        entityMapping: mapping.mapping.name, source: all, destination: given + filtered + withoutValue)
    }
    let refused = try refused(of: mapping, in: database)
    let associated = AssociatedRows(plan: plan, database: database)
    let leftOut =
      try associated.isTouched(mapping) ? max(0, given - refused - associated.count(of: mapping)) : 0
    let migrated = given - leftOut - refused
    let objects = try objects(of: mapping, migrated: migrated, in: database)
    return .init(
      entityMapping: mapping.mapping.name, pass: passName(of: mapping), source: all, made: objects.made,
      shared: migrated - objects.made, withoutValue: withoutValue, filtered: filtered, refused: refused,
      leftOut: leftOut, further: objects.further)
  }

  /// The numbers of objects made from source objects, as in `AccountedObjects.count(of:migrated:)`.
  private func objects(
    of mapping: PassPlan.Mapping, migrated: Int, in database: SQLiteDatabase
  ) throws -> (made: Int, further: Int) {
    let isPlain = rows == nil || plan.mappings.allSatisfy { $0.mapping.policy == nil }
    guard !isPlain || quarantine != nil else {
      guard mapping.mapping.uniqueBy != nil else { return (migrated, 0) }
      return (try RowCounts(database).rows(RowCounts.values, mapping: mapping.number), 0)
    }
    return try AccountedObjects(plan: plan, database: database).count(of: mapping, migrated: migrated)
  }

  private func filteredRows(of mapping: PassPlan.Mapping, in database: SQLiteDatabase) throws -> Int {
    guard let filter = try CreateWork(plan, mapping).filter() else { return 0 }
    return try database.integer(
      "SELECT count(*) FROM source.\(quoted(mapping.sourceTable.name)) AS s NOT INDEXED "
        + "WHERE s.Z_ENT = \(mapping.sourceNumber) AND NOT (\(filter))")
  }

  private func passName(of mapping: PassPlan.Mapping) -> String? {
    plan.passes.indices.contains(mapping.pass) ? plan.passes[mapping.pass].name : nil
  }

  /// The number of an entity's objects without an associated source object; only policies make such objects.
  ///
  /// - Returns: The number, and whether all associated objects are known to exist and to be of that entity.
  private func insertedRows(
    of entity: String, _ number: Int, in table: StoreLayout.Table, of rows: Int, _ database: SQLiteDatabase
  ) throws -> (inserted: Int, isComplete: Bool) {
    guard self.rows != nil, plan.mappings.contains(where: { $0.mapping.policy != nil }),
      try RowCounts(database).made(of: entity) > 0, let root = destination.entityNumbers[table.rootEntity]
    else { return (0, false) }
    let family = plan.mappings.filter { $0.destinationTable.name == table.name }.map(\.number)
    if try database.integer("SELECT EXISTS (SELECT 1 FROM main.\(Associations.pairs) WHERE root = \(root))") > 0
    {
      let associated = Associations.objects(entity: number, table: table.name, root: root, mappings: family)
      return (try rows - database.integer(associated), false)
    }
    let inserted = try database.integer(
      Associations.objectsBetween(entity: number, table: table.name, mappings: family))
    // If the runs have as many objects as keys, each key has an object, and no object is in two runs.
    return (inserted, try rows - inserted == database.integer(Associations.length(mappings: family)))
  }

  /// The number of source rows that lost all their objects to quarantine.
  private func refused(of mapping: PassPlan.Mapping, in database: SQLiteDatabase) throws(SQLiteError) -> Int {
    quarantine == nil ? 0 : try database.integer(PassQuarantine.left(mapping: mapping.number))
  }
}
