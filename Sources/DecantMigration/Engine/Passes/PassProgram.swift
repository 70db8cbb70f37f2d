internal import DecantMapping
internal import DecantStore

/// The program of a step that runs mapping models, all of whose expressions are SQL.
struct PassProgram: StepProgram {
  let plan: PassPlan
  let filling: [Work]
  let checking: [Work]

  var source: StoreLayout { plan.source }
  var destination: StoreLayout { plan.destination }
  var passNames: [String] { plan.passes.map(\.name) }
  var workTables: [String: String] { Associations.workTables }
  var keptMappings: [KeptMapping] { plan.mappings.map { plan.kept($0, way: .set) } }
  private let now: Double
  private let validation: ValidationMode?

  /// - Parameter validation: What happens to invalid objects where a mapping model doesn't say.
  /// - Throws: `NotSet` for an expression that can't run over a set of rows.
  init(_ plan: PassPlan, now: Double, validation: ValidationMode?) throws(NotSet) {
    self.plan = plan
    self.now = now
    self.validation = validation
    let work = PassWork(plan)
    filling = try work.filling()
    checking = work.checking()
  }

  func prepare(_ database: SQLiteDatabase) {
    ExpressionFunctions.register(in: database, now: now)
  }

  func validate(in database: SQLiteDatabase) throws -> [String] {
    try ValidationCheck(plan: plan, mode: validation).warnings(in: database)
  }

  /// What a function refused is a matter of the mapping; what a table's own constraint refused is looked for in the
  /// source, so that the values can be named.
  func explained(_ error: SQLiteError, of work: Work, in database: SQLiteDatabase) throws -> any Error {
    if error.isFunctionError { return StepFailure.badValue(work: work.name, reason: error.message) }
    guard error.isConstraint else { return error }
    try UniquenessCheck(of: destination).check(database) { table, columns in
      let mappings = plan.mappings.filter { $0.destinationTable.name == table.name }
      let selections = mappings.compactMap { try? CreateWork(plan, $0).selection(of: columns) }
      return selections.count == mappings.count ? "(\(selections.joined(separator: " UNION ALL ")))" : nil
    }
    return error
  }

  /// Source rows = migrated + filtered for each entity mapping; the objects of each destination entity are those that
  /// its mappings made.
  func count(in database: SQLiteDatabase, dangling: [String: Int]) throws -> StepCounts {
    var counts = StepCounts()
    var made: [String: Int] = [:]
    for mapping in plan.mappings {
      let table =
        "source.\(quoted(mapping.sourceTable.name)) AS s NOT INDEXED WHERE s.Z_ENT = \(mapping.sourceNumber)"
      let rows = try database.integer("SELECT count(*) FROM \(table)")
      let migrated = try database.integer(Associations.count(mapping: mapping.number))
      let filtered = try CreateWork(plan, mapping).filtered().map {
        try database.integer("SELECT count(*) FROM \(table) AND \($0)")
      }
      guard rows == migrated + (filtered ?? 0) else {
        throw StepFailure.rowsDiffer(
          entityMapping: mapping.mapping.name, source: rows, destination: migrated + (filtered ?? 0))
      }
      made[mapping.destination, default: 0] +=
        mapping.mapping.uniqueBy == nil
        ? migrated : try database.integer(Associations.values(mapping: mapping.number))
      counts.entities.append(
        .init(entityMapping: mapping.mapping.name, source: rows, migrated: migrated, filtered: filtered ?? 0))
    }
    for (entity, expected) in made {
      guard let table = destination.table(of: entity), let number = destination.entityNumbers[entity] else {
        continue
      }
      let rows = try database.integer(
        "SELECT count(*) FROM main.\(quoted(table.name)) WHERE Z_ENT = ?", [.integer(Int64(number))])
      guard rows == expected else {
        throw StepFailure.rowsDiffer(entityMapping: entity, source: expected, destination: rows)
      }
    }
    for join in destination.joinTables {
      counts.joinRows[join.name] = try database.integer("SELECT count(*) FROM main.\(quoted(join.name))")
    }
    return counts
  }

  func marks(of store: SourceStore, in database: SQLiteDatabase) throws -> HighWaterMarks {
    var maxima: [String: Int] = [:]
    for table in destination.tables {
      guard let number = destination.entityNumbers[table.rootEntity] else { continue }
      maxima[table.rootEntity] =
        try database.integer(
          "SELECT ifnull(max(next), 1) FROM main.\(Associations.keys) WHERE root = ?", [.integer(Int64(number))]
        ) - 1
    }
    return try HighWaterMarks(source: store, maxima: maxima)
  }
}
