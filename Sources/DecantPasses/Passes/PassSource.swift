internal import DecantExpressions
package import DecantSQLite
package import DecantStore

/// A source store whose rows are counted for mapping models, before a step writes any row.
package struct PassSource {
  let database: SQLiteDatabase

  /// - Parameters:
  ///   - externalFolder: The folder of the source's external files.
  ///   - now: The value of `now()`, in seconds since 2001.
  ///   - observer: Called about once a second while a statement runs; false ends the statement.
  package init(
    _ source: SourceStore, externalFolder: String, now: Double, observer: (@Sendable () -> Bool)? = nil
  ) throws(SQLiteError) {
    database = try SQLiteDatabase(source.readPath, mode: .immutable)
    database.observe(observer)
    try ExternalDataFunction.register(in: database, folder: externalFolder)
    try ExpressionFunctions.register(in: database, now: now)
    try database.attachImmutable(source.readPath, as: "source")
  }

  /// The rows that a mapping doesn't take.
  package struct LeftOver {
    /// Rows that the filter excludes.
    package var filtered = 0
    /// Rows that the filter takes, but that have no value for `uniqueBy`.
    package var withoutValue = 0
  }

  /// Counts the rows that a mapping doesn't take; `nil` if it takes all, or if its filter or `uniqueBy` isn't SQL.
  ///
  /// - Throws: `StepFailure.expression`, `StepFailure.badValue`, `SQLiteError`.
  package func leftOver(of mapping: PassPlan.Mapping, in plan: PassPlan) throws -> LeftOver? {
    let work = CreateWork(plan, mapping)
    guard let condition = try? work.filtered() else { return nil }
    let all = try count(condition, of: [mapping], in: plan)
    guard mapping.mapping.uniqueBy != nil else { return LeftOver(filtered: all) }
    guard let filter = try? work.filter() else { return LeftOver(withoutValue: all) }
    let filtered = try count("NOT (\(filter))", of: [mapping], in: plan)
    return LeftOver(filtered: filtered, withoutValue: all - filtered)
  }

  /// Counts the rows of a source entity that meet a condition.
  ///
  /// - Parameters:
  ///   - condition: SQL over a row `s`, made of filters and `uniqueBy` of the mappings.
  ///   - mappings: All mappings of that entity, at least one.
  /// - Throws: `StepFailure.expression`, `StepFailure.badValue`, `SQLiteError`.
  func count(_ condition: String, of mappings: [PassPlan.Mapping], in plan: PassPlan) throws -> Int {
    try numbers(
      "SELECT count(*) FROM source.\(quoted(mappings[0].sourceTable.name)) AS s NOT INDEXED "
        + "WHERE s.Z_ENT = \(mappings[0].sourceNumber) AND \(condition)", of: mappings, in: plan
    ).first ?? 0
  }

  /// The numbers in the only row of a statement.
  ///
  /// - Parameters:
  ///   - mappings: The mappings whose filters and `uniqueBy` the statement contains, at least one.
  /// - Throws: `StepFailure.expression`, `StepFailure.badValue`, `SQLiteError`.
  package func numbers(
    _ statement: String, of mappings: [PassPlan.Mapping],
    in plan: PassPlan
  ) throws -> [Int] {
    do {
      return try (database.rows(statement).first ?? []).map { $0.integer.flatMap { Int(exactly: $0) } ?? 0 }
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
