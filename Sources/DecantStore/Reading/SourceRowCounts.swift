package import DecantSQLite
internal import Synchronization

/// How many rows a table of a source has, in all and by entity number, counted once: nobody writes the file.
package struct SourceRowCounts: Sendable {
  /// All rows.
  package let total: Int
  /// Rows whose primary key isn't NULL.
  package let keyed: Int
  package let leastKey: SQLiteValue
  package let greatestKey: SQLiteValue
  /// By the entity numbers that were asked for.
  package let byNumber: [Int: Int]

  init(_ table: String, numbers: [Int], in database: SQLiteDatabase) throws(SQLiteError) {
    // Of tables whose rows have their keys as numbers the first and the last needn't be looked for.
    let name = quoted(table)
    let sums = numbers.map { ", count(*) FILTER (WHERE typeof(Z_ENT) = 'integer' AND Z_ENT = \($0))" }
    let end = "SELECT Z_PK FROM \(name) NOT INDEXED WHERE Z_PK IS NOT NULL ORDER BY Z_PK"
    let rows = try database.rows(
      "SELECT count(*), count(Z_PK), (\(end) LIMIT 1), (\(end) DESC LIMIT 1)\(sums.joined()) FROM \(name) NOT INDEXED"
    )
    func number(_ place: Int) -> Int { rows.first?[place].integer.flatMap { Int(exactly: $0) } ?? 0 }
    total = number(0)
    keyed = number(1)
    leastKey = rows.first?[2] ?? .null
    greatestKey = rows.first?[3] ?? .null
    byNumber = Dictionary(
      numbers.enumerated().map { ($1, number($0 + 4)) }, uniquingKeysWith: { first, _ in first })
  }
}

extension SourceStore {
  /// All rows of a table, where somebody has counted them.
  package func countedRows(in table: String) -> Int? {
    rowCounts.withLock { $0[table]?.total } ?? totals.withLock { $0[table] }
  }

  /// All rows of a table.
  ///
  /// - Throws: `SQLiteError`.
  package func rows(in table: String) throws(SQLiteError) -> Int {
    if let known = countedRows(in: table) { return known }
    let total = try database.integer("SELECT count(*) FROM \(quoted(table))")
    totals.withLock { $0[table] = total }
    return total
  }

  /// Counts the rows of an entity family's table by reading the table itself, not an index.
  ///
  /// Where the store is checked beside the work, the checks count them.
  ///
  /// - Parameter numbers: The entity numbers to count.
  /// - Throws: `SQLiteError`.
  package func rowCounts(of table: String, numbers: [Int]) throws(SQLiteError) -> SourceRowCounts {
    if let known = knownCounts(of: table, numbers) { return known }
    if let checks {
      // What they find is told by `finishChecks(while:)`.
      try? checks.wait { observer?() ?? true }
      if let known = knownCounts(of: table, numbers) { return known }
    }
    return try rowCounts(of: table, numbers: numbers, in: database)
  }

  /// Counts them over a connection of the caller's.
  package func rowCounts(
    of table: String, numbers: [Int], in database: SQLiteDatabase
  ) throws(SQLiteError) -> SourceRowCounts {
    if let known = knownCounts(of: table, numbers) { return known }
    let counts = try SourceRowCounts(table, numbers: numbers, in: database)
    rowCounts.withLock { $0[table] = counts }
    return counts
  }

  private func knownCounts(of table: String, _ numbers: [Int]) -> SourceRowCounts? {
    guard let known = rowCounts.withLock({ $0[table] }), known.byNumber.keys.count >= numbers.count,
      numbers.allSatisfy({ known.byNumber[$0] != nil })
    else { return nil }
    return known
  }
}
