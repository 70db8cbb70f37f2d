internal import DecantSQLite

/// Compares the indexes of a join table with the table itself; `PRAGMA quick_check` doesn't.
///
/// Indexes over two columns of whole numbers, which Core Data writes (docs/formats/core-data-sqlite.md 4.7, 5.1), are
/// read completely. They must have the same pairs as the table with the same row numbers, in order. All other indexes
/// are left to `PRAGMA integrity_check`, which takes many times as long.
struct PairIndexCheck {
  let database: SQLiteDatabase

  /// - Returns: The faults; empty for sound indexes.
  func findings(of table: String) throws(SQLiteError) -> [String] {
    PairDigestFunction.register(in: database)
    var columns: [String: [String?]] = [:]
    for row in try database.rows(
      "SELECT l.name, CASE l.partial WHEN 0 THEN c.name END FROM pragma_index_list(?) AS l, "
        + "pragma_index_info(l.name) AS c ORDER BY l.name, c.seqno",
      [.text(table)])
    {
      guard case .text(let index) = row[0] else { continue }
      if case .text(let column) = row[1] {
        columns[index, default: []].append(column)
      } else {
        columns[index, default: []].append(nil)
      }
    }
    var known: (columns: [String], pairs: String)?
    for index in columns.keys.sorted() {
      let names = columns[index, default: []].compactMap(\.self)
      guard names.count == 2, columns[index]?.count == 2 else { return try every(table) }
      if known == nil, let pairs = try digest(table, names.sorted(), "NOT INDEXED")?.pairs {
        known = (names.sorted(), pairs)
      }
      guard let known, known.columns == names.sorted(),
        let found = try digest(table, names, "INDEXED BY \(quoted(index)) ORDER BY 1, 2")
      else { return try every(table) }
      guard found.pairs == known.pairs, found.isOrdered else {
        return ["the index \(index) isn't that of the rows of \(table)"]
      }
    }
    return []
  }

  private func digest(
    _ table: String, _ columns: [String], _ way: String
  ) throws(SQLiteError) -> (pairs: String, isOrdered: Bool)? {
    let names = columns.map(quoted)
    let rows = try database.rows(
      "SELECT \(PairDigestFunction.name)(a, b, \(columns == columns.sorted() ? 0 : 1), r) FROM (SELECT "
        + "\(names[0]) AS a, \(names[1]) AS b, rowid AS r FROM \(quoted(table)) \(way))")
    guard case .text(let text)? = rows.first?.first, let space = text.lastIndex(of: " ") else { return nil }
    return (String(text[..<space]), text.hasSuffix(" 1"))
  }

  private func every(_ table: String) throws(SQLiteError) -> [String] {
    let texts = try database.rows("PRAGMA integrity_check(\(quoted(table)))").compactMap { row in
      if case .text(let text)? = row.first { text } else { nil }
    }
    return texts == ["ok"] ? [] : texts
  }
}
