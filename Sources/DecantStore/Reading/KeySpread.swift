package import DecantSQLite

/// How the keys of a source's table lie, told by a few of them: counting a large table reads all of it.
package struct KeySpread: Sendable, Hashable {
  package let least: Int64
  package let greatest: Int64
  /// About how many rows there are; exact for a table of few keys.
  package let rows: Int
  /// Whether the keys follow each other without gaps wherever somebody has looked.
  package let isDense: Bool

  /// Keys within which rows are counted.
  private static let countedSpan: UInt64 = 20_000
  private static let places: UInt64 = 16
  private static let rowsOfPlace = 16
  private static let mostRows = 1e12

  /// - Parameters:
  ///   - key: A column that is the table's rowid.
  /// - Returns: `nil` for a table without rows.
  /// - Throws: `SQLiteError`.
  init?(of table: String, key: String, in database: SQLiteDatabase) throws(SQLiteError) {
    let (name, key) = (quoted(table), key == "rowid" ? key : quoted(key))
    // By themselves the two are looked up; together they would be found by reading all rows.
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
      // Behind the last place there may be fewer.
      let end = last ?? greatest
      let keys = Double(UInt64(bitPattern: end &- start)) + 1
      let found = last == nil ? min(Double(Self.rowsOfPlace), keys) : Double(Self.rowsOfPlace)
      share += min(1, found / keys) / Double(Self.places)
      if found != keys { isDense = false }
    }
    self.isDense = isDense
    // Wide gaps may make it look like more than any file holds, and sums of it are made.
    rows = Int(max(1, min(Self.mostRows, ((Double(span) + 1) * share).rounded())))
  }

  /// Keys spread evenly over a span.
  private static func starts(from least: Int64, _ span: UInt64) -> [Int64] {
    (0..<places).map { least &+ Int64(bitPattern: span / places &* $0) }
  }

  /// Keys from all over a table whose key is `Z_PK`, as a query in parentheses: one at each of about so many places, which
  /// follow each other at no regular distance, since what rows hold may be regular.
  ///
  /// - Parameter schema: Where the table is.
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
  /// How the keys of an entity family's table lie; looked at once.
  ///
  /// - Returns: `nil` for a table without rows.
  /// - Throws: `SQLiteError`.
  package func keySpread(of table: String) throws(SQLiteError) -> KeySpread? {
    if let known = spreads.withLock({ $0[table] }) { return known }
    let spread = try KeySpread(of: table, key: "Z_PK", in: database)
    spreads.withLock { $0[table] = .some(spread) }
    return spread
  }

  /// About how many rows a table has: exactly, where somebody has counted them or there are few.
  ///
  /// - Throws: `SQLiteError`.
  package func estimatedRows(in table: String, isJoinTable: Bool) throws(SQLiteError) -> Int {
    if let known = countedRows(in: table) { return known }
    if !isJoinTable { return try keySpread(of: table)?.rows ?? 0 }
    // Whatever wrote the store may have made a table without such a key.
    if let rows = try? KeySpread(of: table, key: "rowid", in: database)?.rows { return rows }
    return try rows(in: table)
  }
}
