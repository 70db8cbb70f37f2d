internal import DecantStore

/// A source store that answers what mapping models ask of its rows, before a row is written.
struct PassSource {
  let database: SQLiteDatabase
  /// At how many places rows are looked at to tell how many values there are.
  private static let places = 1024
  /// What these rows may hold, in bytes.
  private static let mostBytes = 32 << 20
  /// From fewer rows than these nothing is told, unless they are all.
  private static let fewest = 200

  /// - Parameters:
  ///   - externalFolder: The folder of the source's external files.
  ///   - now: What `now()` stands for, in seconds since 2001.
  ///   - observer: Asked now and then by long statements; false ends them.
  init(
    _ source: SourceStore, externalFolder: String, now: Double, observer: (@Sendable () -> Bool)? = nil
  ) throws(SQLiteError) {
    database = try SQLiteDatabase(source.readPath, mode: .immutable)
    database.observe(observer)
    // The pages may not have been checked yet.
    try database.execute("PRAGMA cell_size_check=ON")
    ExternalDataFunction.register(in: database, folder: externalFolder)
    ExpressionFunctions.register(in: database, now: now)
    try database.attachImmutable(source.readPath, as: "source")
  }

  /// How many rows a mapping doesn't take; `nil` where it takes all, or where its filter isn't SQL.
  ///
  /// - Throws: `StepFailure.expression`, `StepFailure.badValue`, `SQLiteError`.
  func filtered(of mapping: PassPlan.Mapping, in plan: PassPlan) throws -> Int? {
    guard let condition = try? CreateWork(plan, mapping).filtered() else { return nil }
    return try count(condition, of: [mapping], in: plan)
  }

  /// About how many values of `uniqueBy` there are for each row that has one and is taken: up to 1, as rows from all over
  /// the table tell.
  ///
  /// A value that several of these rows have is one; one that a single row has stands for as many more as there are more
  /// rows: for rows drawn by chance that is no less than there are, on average, however often each comes.
  ///
  /// - Parameters:
  ///   - spread: Where the table's rows lie.
  ///   - bytes: About what they all hold; of large rows fewer are looked at.
  /// - Returns: `nil` where the value isn't SQL or can't be computed, and where too few rows were found to tell.
  func distinct(of mapping: PassPlan.Mapping, in plan: PassPlan, _ spread: KeySpread, bytes: Int) -> Double? {
    let work = CreateWork(plan, mapping)
    guard let value = try? work.uniqueValue(), let taken = try? work.taken() else { return nil }
    let places = max(1, min(Self.places, Self.mostBytes / max(1, bytes / max(1, spread.rows))))
    let keys = spread.scattered(of: mapping.sourceTable.name, in: "source", places: places)
    // Long values as such would be kept in memory until they are grouped.
    let parts =
      "typeof(\(value)) AS a, length(\(value)) AS b, substr(\(value), 1, 2048) AS c, substr(\(value), -2048) AS d"
    let rows = try? database.rows(
      "SELECT sum(n), count(*), sum(n = 1), (SELECT count(*) FROM \(keys)) FROM (SELECT count(*) AS n FROM (SELECT \(parts) \(taken) "
        + "AND s.Z_PK IN \(keys) AND (\(value)) IS NOT NULL) GROUP BY a, b, c, d)")
    guard let sums = rows?.first, let all = sums[0].integer, let values = sums[1].integer,
      let alone = sums[2].integer, all >= min(Self.fewest, spread.rows)
    else { return nil }
    let share = min(1, Double(sums[3].integer ?? 0) / Double(max(1, spread.rows)))
    return min(1, (Double(values - alone) * share + Double(alone)) / Double(all))
  }

  /// How many rows of a source entity meet a condition.
  ///
  /// - Parameters:
  ///   - condition: Made of filters of the entity's mappings.
  ///   - mappings: All that have that entity, one at least.
  /// - Throws: `StepFailure.expression`, `StepFailure.badValue`, `SQLiteError`.
  func count(_ condition: String, of mappings: [PassPlan.Mapping], in plan: PassPlan) throws -> Int {
    do {
      return try database.integer(
        "SELECT count(*) FROM source.\(quoted(mappings[0].sourceTable.name)) AS s NOT INDEXED "
          + "WHERE s.Z_ENT = \(mappings[0].sourceNumber) AND \(condition)")
    } catch {
      guard error.isFunctionError else { throw error }
      for mapping in mappings {
        let search = ExpressionFaultSearch(plan, mapping, database)
        if let fault = try search.fault(.taking, after: .min, upTo: .max) {
          throw StepFailure.expression(fault)
        }
      }
      throw StepFailure.badValue(place: plan.words(for: mappings[0]), reason: error.message)
    }
  }
}
