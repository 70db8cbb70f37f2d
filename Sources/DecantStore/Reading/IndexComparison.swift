internal import DecantSQLite

/// Compares the indexes of a table with the table itself; `PRAGMA quick_check` doesn't.
///
/// The entries of an index over columns are read completely. They must have the values of the table's rows, with the
/// same row numbers, in order. A table with another kind of index is left to `PRAGMA integrity_check`, which takes many
/// times as long.
struct IndexComparison {
  let database: SQLiteDatabase

  private struct Index {
    let name: String
    var columns: [String] = []
    /// A letter for each column: `a` for ascending, `d` for descending (`EntryDigestFunction`).
    var order = ""
  }

  func findings(of table: String) throws(SQLiteError) -> [String] {
    try EntryDigestFunction.register(in: database)
    guard let indexes = try indexes(of: table) else { return try every(table) }
    guard !indexes.isEmpty else { return [] }
    let rows = try database.rows(
      "SELECT \(indexes.map { digest($0, order: "") }.joined(separator: ", ")) "
        + "FROM \(quoted(table)) NOT INDEXED")
    for (index, expected) in zip(indexes, rows.first ?? []) {
      let found = try database.rows(
        "SELECT \(digest(index, order: index.order)) FROM \(quoted(table)) INDEXED BY \(quoted(index.name))")
      guard case .text(let text)? = found.first?.first, case .text(let wanted) = expected, text == wanted else {
        return ["the index \(index.name) doesn't match the rows of \(table)"]
      }
    }
    return []
  }

  private func digest(_ index: Index, order: String) -> String {
    let values = index.columns.map { ", " + quoted($0) }.joined()
    return "\(EntryDigestFunction.name)('\(order)', rowid\(values))"
  }

  /// The indexes of a table; `nil` if one is partial, is over an expression, or has another collation than `BINARY`.
  private func indexes(of table: String) throws(SQLiteError) -> [Index]? {
    var indexes: [String: Index] = [:]
    for row in try database.rows(
      "SELECT l.name, l.partial, c.cid, c.name, c.desc, c.coll FROM pragma_index_list(?) AS l, "
        + "pragma_index_xinfo(l.name) AS c WHERE c.key ORDER BY l.name, c.seqno", [.text(table)])
    {
      guard case .text(let name) = row[0] else { continue }
      guard row[1].integer == 0, row[2].integer ?? -2 >= 0, case .text(let column) = row[3],
        case .text("BINARY") = row[5]
      else { return nil }
      var index = indexes[name] ?? Index(name: name)
      index.columns.append(column)
      index.order += row[4].integer == 1 ? "d" : "a"
      indexes[name] = index
    }
    return indexes.keys.sorted().compactMap { indexes[$0] }
  }

  private func every(_ table: String) throws(SQLiteError) -> [String] {
    let texts = try database.rows("PRAGMA integrity_check(\(quoted(table)))").compactMap { row in
      if case .text(let text)? = row.first { text } else { nil }
    }
    return texts == ["ok"] ? [] : texts
  }
}
