internal import DecantExpressions
internal import DecantMapping
internal import DecantSQLite
internal import PredicateFormat

/// Counts the rows that satisfy no chunk predicate and those that satisfy several, one row after another.
///
/// `ChunkCheck` uses this if a predicate or the filter can't be SQL.
struct ChunkWalk {
  private static let batch = 1_000

  private(set) var none = 0
  private(set) var several = 0
  /// Keys of some of the rows that satisfy no predicate.
  private(set) var examplesOfNone: [Int64] = []
  private(set) var examplesOfSeveral: [Int64] = []

  /// - Throws: `SQLiteError`; `StepFailure.expression` if a predicate or the filter fails on a row.
  init(_ mapping: PassPlan.Mapping, in plan: PassPlan, _ database: SQLiteDatabase, now: Double) throws {
    guard case .predicates(let predicates) = mapping.mapping.chunks else { return }
    let reader = RowSource(database: database, layout: plan.source, schema: "source")
    var last = Int64.min
    while true {
      let keys = try database.rows(
        "SELECT Z_PK FROM source.\(quoted(mapping.sourceTable.name)) WHERE Z_ENT = \(mapping.sourceNumber) "
          + "AND Z_PK > ? ORDER BY 1 LIMIT \(Self.batch)", [.integer(last)]
      ).compactMap { $0.first?.integer }
      guard let end = keys.last else { return }
      for key in keys {
        let object = Value.object(ObjectReference(reader.object(entity: mapping.source, key: key)))
        let context = EvaluationContext(
          object: object, variables: ["source": object], now: now, functions: .library)
        func holds(_ predicate: FormatPredicate, _ place: ExpressionPlace) throws -> Bool {
          do throws(EvaluationError) {
            return try predicate.holds(in: context)
          } catch {
            if let damage = error.storeError { throw damage }
            throw StepFailure.expression(
              ExpressionFault(
                place, predicate, of: mapping, in: plan, object: "\(mapping.source)/p\(key)", reason: "\(error)"
              ))
          }
        }
        if let filter = mapping.mapping.filter, try !holds(filter, .filter) { continue }
        note(key, try predicates.enumerated().count { try holds($0.element, .chunk($0.offset + 1)) })
      }
      last = end
    }
  }

  private mutating func note(_ key: Int64, _ matches: Int) {
    if matches == 0 {
      none += 1
      if examplesOfNone.count < 3 { examplesOfNone.append(key) }
    } else if matches > 1 {
      several += 1
      if examplesOfSeveral.count < 3 { examplesOfSeveral.append(key) }
    }
  }
}
