package import DecantSQLite
internal import Synchronization

/// The numbers of rows of a source table, in total and by entity number.
package struct SourceRowCounts: Sendable {
  package let total: Int
  /// The number of rows whose primary key isn't NULL.
  package let keyed: Int
  package let leastKey: SQLiteValue
  package let greatestKey: SQLiteValue
  /// The number of rows for each requested entity number.
  package let byNumber: [Int: Int]

  init(_ table: String, numbers: [Int], in database: SQLiteDatabase) throws(SQLiteError) {
    // If `Z_PK` is the rowid, SQLite finds the least and the greatest key without reading all rows.
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

  init(_ tally: TableTally, numbers: [Int]) {
    total = tally.rows
    keyed = tally.rows
    leastKey = tally.rows > 0 ? .integer(tally.least) : .null
    greatestKey = tally.rows > 0 ? .integer(tally.greatest) : .null
    byNumber = Dictionary(numbers.map { ($0, tally.numbers[Int64($0)] ?? 0) }) { first, _ in first }
  }
}

extension SourceStore {
  /// The number of all rows of a table, if it was counted.
  package func countedRows(in table: String) -> Int? {
    rowCounts.withLock { $0[table]?.total } ?? totals.withLock { $0[table] }
  }

  package func rows(in table: String) throws(SQLiteError) -> Int {
    if let known = countedRows(in: table) { return known }
    let total = try database.integer("SELECT count(*) FROM \(quoted(table))")
    totals.withLock { $0[table] = total }
    return total
  }

  /// Counts the rows of an entity table by reading the table itself, not an index; earlier counts are used again.
  ///
  /// If the store is checked in parallel, this waits for the checks, which count the rows.
  package func rowCounts(of table: String, numbers: [Int]) throws(SQLiteError) -> SourceRowCounts {
    if let known = knownCounts(of: table, numbers) { return known }
    if let checks {
      // `finishChecks(while:)` reports the error of a check.
      try? checks.wait { observer?() ?? true }
      if let known = knownCounts(of: table, numbers) { return known }
    }
    return try rowCounts(of: table, numbers: numbers, in: database)
  }

  /// Counts the rows through the caller's connection, unless they are known from earlier counts or from the scan.
  ///
  /// This waits for the scan, but not for the other checks.
  package func rowCounts(
    of table: String, numbers: [Int], in database: SQLiteDatabase
  ) throws(SQLiteError) -> SourceRowCounts {
    if let known = knownCounts(of: table, numbers) { return known }
    let tally = scanned { database !== self.database || observer?() ?? true }?.tables[table]
    let counts =
      if let tally, tally.areNumbersKnown {
        SourceRowCounts(tally, numbers: numbers)
      } else {
        try SourceRowCounts(table, numbers: numbers, in: database)
      }
    rowCounts.withLock { $0[table] = counts }
    return counts
  }

  /// Whether a row of a table has more values than the table has columns; the table may have had more columns before.
  ///
  /// - Parameter goesOn: Asked about once a second; false ends the waiting.
  /// - Returns: `nil` if it isn't known.
  package func hasLongerRows(in table: String, while goesOn: () -> Bool) -> Bool? {
    scanned(while: goesOn)?.tables[table]?.hasLongerRows
  }

  private func knownCounts(of table: String, _ numbers: [Int]) -> SourceRowCounts? {
    guard let known = rowCounts.withLock({ $0[table] }), known.byNumber.keys.count >= numbers.count,
      numbers.allSatisfy({ known.byNumber[$0] != nil })
    else { return nil }
    return known
  }
}
