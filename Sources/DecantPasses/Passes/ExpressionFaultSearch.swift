internal import DecantExpressions
internal import DecantMapping
package import DecantSQLite
internal import PredicateFormat

/// Finds the expression and the source object at which a statement over many rows has failed.
///
/// SQLite reports neither of the two. So each expression first runs alone as SQL until it fails, which is about as fast
/// as the statement. Then the evaluator runs the failed expression for the failed row, so that the reason names the
/// expression's own parts.
package struct ExpressionFaultSearch {
  private let plan: PassPlan
  private let mapping: PassPlan.Mapping
  private let database: SQLiteDatabase
  private let work: CreateWork

  package init(_ plan: PassPlan, _ mapping: PassPlan.Mapping, _ database: SQLiteDatabase) {
    self.plan = plan
    self.mapping = mapping
    self.database = database
    work = CreateWork(plan, mapping)
  }

  private struct Candidate {
    let place: ExpressionPlace
    let sql: String
    let text: String
    let evaluate: (EvaluationContext) throws -> Void
  }

  /// The expressions to search.
  package enum Scope {
    /// The expressions that select rows: filter and `uniqueBy`.
    case taking
    /// The expressions of attributes, on every row.
    case values
    /// The expressions that select rows, and those of attributes on the rows from which objects are made.
    case making
  }

  /// The first object on which an expression of a scope fails; `nil` if none fails.
  ///
  /// - Parameters:
  ///   - lower: The lower bound of the source keys, exclusive.
  ///   - upper: The upper bound of the source keys, inclusive.
  package func fault(_ scope: Scope, after lower: Int64, upTo upper: Int64) throws -> ExpressionFault? {
    var found: ExpressionFault?
    var upper = upper
    func look(_ candidate: Candidate, _ condition: String?) throws {
      guard let (key, reason) = try failure(of: candidate, if: condition, after: lower, upTo: upper) else {
        return
      }
      found = fault(candidate, key, reason)
      // Only failures at earlier rows count now. For those rows the condition doesn't fail.
      upper = key - 1
    }
    var condition: String?
    if scope != .values {
      if let filter {
        try look(filter, nil)
        condition = filter.sql
      }
      if let unique = mapping.mapping.uniqueBy, let sql = try? work.uniqueValue() {
        let candidate = Candidate(place: .uniqueBy, sql: sql, text: "\(unique)") {
          _ = try unique.value(in: $0)
        }
        try look(candidate, condition)
        // An object is made from the first row with each value.
        condition =
          "s.Z_PK IN (SELECT min(s.Z_PK) \(try work.taken()) AND s.Z_PK <= \(upper) AND (\(sql)) IS NOT NULL "
          + "GROUP BY \(sql))"
      }
    }
    guard scope != .taking else { return found }
    for candidate in attributes() { try look(candidate, condition) }
    return found
  }

  /// The filter or the first chunk predicate that fails, with the first object on which it fails; `nil` if none fails.
  func chunkFault() throws -> ExpressionFault? {
    guard case .predicates(let predicates) = mapping.mapping.chunks else { return nil }
    if let filter, let (key, reason) = try failure(of: filter, if: nil, after: .min, upTo: .max) {
      return fault(filter, key, reason)
    }
    for (index, predicate) in predicates.enumerated() {
      guard let sql = try? work.sql.condition(predicate) else { continue }
      let candidate = Candidate(place: .chunk(index + 1), sql: sql, text: "\(predicate)") {
        _ = try predicate.holds(in: $0)
      }
      if let (key, reason) = try failure(of: candidate, if: filter?.sql, after: .min, upTo: .max) {
        return fault(candidate, key, reason)
      }
    }
    return nil
  }

  private func fault(_ candidate: Candidate, _ key: Int64, _ reason: String) -> ExpressionFault {
    ExpressionFault(
      candidate.place, candidate.text, of: mapping, in: plan, object: "\(mapping.source)/p\(key)",
      reason: reason)
  }

  private var filter: Candidate? {
    guard let filter = mapping.mapping.filter, let sql = try? work.filter() else { return nil }
    return Candidate(place: .filter, sql: sql, text: "\(filter)") { _ = try filter.holds(in: $0) }
  }

  private func attributes() -> [Candidate] {
    mapping.destinationTable.columns.compactMap { column in
      guard case .attribute(let property) = column.role, let sql = try? work.value(of: column),
        let attribute = plan.destination.model.attribute(property.name, of: mapping.destination),
        let expression = expression(of: property.name)
      else { return nil }
      let fit = AttributeFit(attribute, entity: mapping.destination)
      return Candidate(place: .attribute(property.name), sql: sql, text: "\(expression)") {
        _ = try fit.stored(try expression.value(in: $0))
      }
    }
  }

  private func expression(of attribute: String) -> FormatExpression? {
    switch mapping.mapping.attributeMappings.first(where: { $0.destinationName == attribute })?.value {
    case .expression(let expression)?: expression
    case .source(let name)?, .sourceOrDefault(let name)?: .path(from: .variable("source"), [.key(name)])
    case .defaultValue?, .derived?, .unset?, nil: nil
    }
  }

  private func failure(
    of candidate: Candidate, if condition: String?, after lower: Int64, upTo upper: Int64
  ) throws -> (key: Int64, reason: String)? {
    let rows = "FROM source.\(quoted(mapping.sourceTable.name)) AS s NOT INDEXED "
    let range = "WHERE s.Z_ENT = \(mapping.sourceNumber) AND s.Z_PK > ?1 AND s.Z_PK <= ?2"
    let value = condition.map { "CASE WHEN \($0) THEN \(candidate.sql) END" } ?? "(\(candidate.sql))"
    // A condition in WHERE would skip rows. Then the row after the last good row wouldn't be the failed row.
    let statement = try database.prepare("SELECT s.Z_PK, \(value) \(rows)\(range) ORDER BY s.Z_PK")
    defer { statement.reset() }
    try statement.bind(.integer(lower), at: 1)
    try statement.bind(.integer(upper), at: 2)
    var last = lower
    do throws(SQLiteError) {
      while try statement.step() { last = Int64(statement.integer(0)) }
      return nil
    } catch {
      guard error.isFunctionError else { throw error }
      let next = try database.rows("SELECT min(s.Z_PK) \(rows)\(range)", [.integer(last), .integer(upper)])
      guard let key = next.first?.first?.integer else { return nil }
      return (key, reason(of: candidate, key) ?? error.message)
    }
  }

  /// The evaluator's error for one row; `nil` if the evaluator has no error, or fails to read the store.
  private func reason(of candidate: Candidate, _ key: Int64) -> String? {
    let reader = RowSource(database: database, layout: plan.source, schema: "source")
    let object = Value.object(ObjectReference(reader.object(entity: mapping.source, key: key)))
    var context = ExpressionFunctions.context(in: database)
    (context.object, context.variables) = (object, ["source": object])
    do {
      try candidate.evaluate(context)
      return nil
    } catch {
      return (error as? EvaluationError)?.storeError == nil ? "\(error)" : nil
    }
  }
}
