package import DecantSQLite

/// The distribution of a table's keys.
///
/// It is estimated from samples, because counting reads the whole table. Only a small span of keys is counted.
package struct KeySpread: Sendable, Hashable {
  package let least: Int64
  package let greatest: Int64
  /// The number of rows, estimated if the span of the keys is large.
  package let rows: Int
  /// Whether the keys have no gaps: in the whole table if the rows were counted, else in the samples.
  package let isDense: Bool

  /// A span of keys below this is small: the rows are counted.
  private static let countedSpan: UInt64 = 20_000
  private static let places: UInt64 = 16
  private static let rowsOfPlace = 16
  private static let mostRows = 1e12

  /// - Parameters:
  ///   - key: A column that is the table's rowid.
  /// - Returns: `nil` for a table without rows.
  init?(of table: String, key: String, in database: SQLiteDatabase) throws(SQLiteError) {
    let (name, key) = (quoted(table), key == "rowid" ? key : quoted(key))
    // With two subqueries, SQLite looks up both keys. A single query for both would read all rows.
    let ends = try database.rows("SELECT (SELECT min(\(key)) FROM \(name)), (SELECT max(\(key)) FROM \(name))")
    guard let least = ends.first?[0].integer, let greatest = ends.first?[1].integer else { return nil }
    self.least = least
    self.greatest = greatest
    let span = UInt64(bitPattern: greatest &- least)
    guard span >= Self.countedSpan else {
      rows = try database.integer("SELECT count(*) FROM \(name)")
      isDense = UInt64(rows) == span + 1
      return
    }
    var share = 0.0
    var isDense = true
    for start in Self.starts(from: least, span) {
      let last = try database.rows(
        "SELECT \(key) FROM \(name) WHERE \(key) >= ? ORDER BY \(key) LIMIT 1 OFFSET ?",
        [.integer(start), .integer(Int64(Self.rowsOfPlace - 1))]
      ).first?.first?.integer
      // A sample near the greatest key may be shorter.
      let end = last ?? greatest
      let keys = Double(UInt64(bitPattern: end &- start)) + 1
      let found = last == nil ? min(Double(Self.rowsOfPlace), keys) : Double(Self.rowsOfPlace)
      share += min(1, found / keys) / Double(Self.places)
      if found != keys { isDense = false }
    }
    self.isDense = isDense
    // With wide gaps, the estimate may be more than a file can hold. The limit keeps sums of estimates small.
    rows = Int(max(1, min(Self.mostRows, ((Double(span) + 1) * share).rounded())))
  }

  private static func starts(from least: Int64, _ span: UInt64) -> [Int64] {
    (0..<places).map { least &+ Int64(bitPattern: span / places &* $0) }
  }

  /// A query in parentheses for keys from all parts of a table whose key is `Z_PK`.
  ///
  /// It takes one key at each of about `places` places. The distances between the places are irregular, because the
  /// rows' content may be regular.
  package func scattered(of table: String, in schema: String, places: Int) -> String {
    let span = UInt64(bitPattern: greatest &- least)
    let step = Int64(min(span / UInt64(max(1, places)), UInt64(Int64.max) - 1)) + 1
    let (last, isBelowAll) = greatest.subtractingReportingOverflow(step)
    return
      "(WITH RECURSIVE place (start, number) AS (SELECT \(least), 1 UNION ALL "
      + "SELECT place.start + \(step), place.number + 1 FROM place "
      + "WHERE \(isBelowAll ? "FALSE" : "place.start <= \(last)") LIMIT \(places + 2)) "
      + "SELECT DISTINCT (SELECT min(Z_PK) FROM \(schema).\(quoted(table)) WHERE Z_PK >= "
      + "place.start + ((place.number * 2654435761 >> 7) & 1048575) % \(step)) FROM place)"
  }
}

extension SourceStore {
  /// The distribution of the keys of an entity table, computed once; `nil` for a table without rows.
  package func keySpread(of table: String) throws(SQLiteError) -> KeySpread? {
    if let known = spreads.withLock({ $0[table] }) { return known }
    let spread = try KeySpread(of: table, key: "Z_PK", in: database)
    spreads.withLock { $0[table] = .some(spread) }
    return spread
  }

  /// The approximate number of rows of a table; it is exact if the rows were counted.
  package func estimatedRows(in table: String, isJoinTable: Bool) throws(SQLiteError) -> Int {
    if let known = countedRows(in: table) { return known }
    if !isJoinTable { return try keySpread(of: table)?.rows ?? 0 }
    // The program that wrote the store may have made a table without a rowid. Its rows are counted.
    if let rows = try? KeySpread(of: table, key: "rowid", in: database)?.rows { return rows }
    return try rows(in: table)
  }
}
