internal import DecantModel
internal import DecantSQLite

/// The last check of a finished working file: whether it is a sound database.
///
/// If one run wrote the file, SQLite has just built the indexes from the tables. Then the form of every page and the
/// number of entries of every index are checked. If an earlier, killed run built some indexes, every entry is compared
/// with its row, which takes far longer.
struct ResultCheck {
  private let database: SQLiteDatabase

  init(_ database: SQLiteDatabase) {
    self.database = database
  }

  /// - Parameter hasOldIndexes: Whether an earlier run built some of the indexes.
  /// - Returns: The faults. Empty for a sound file.
  func findings(hasOldIndexes: Bool) throws(SQLiteError) -> [String] {
    let texts = try database.rows("PRAGMA main.\(hasOldIndexes ? "integrity_check" : "quick_check")(10)")
      .compactMap {
        if case .text(let text)? = $0.first { text } else { nil }
      }
    guard texts == ["ok"] else { return texts.isEmpty ? ["the check gave no answer"] : texts }
    return hasOldIndexes ? [] : try counts()
  }

  private func counts() throws(SQLiteError) -> [String] {
    var findings: [String] = []
    let indexes = try database.rows(
      "SELECT m.name, i.name FROM main.sqlite_master AS m, pragma_index_list(m.name, 'main') AS i "
        + "WHERE m.type = 'table' AND m.sql NOT LIKE '%WITHOUT ROWID%' AND i.partial = 0 ORDER BY 1, 2")
    var rows: [String: Int] = [:]
    for pair in indexes {
      guard case .text(let table) = pair[0], case .text(let index) = pair[1] else { continue }
      let expected: Int
      if let known = rows[table] {
        expected = known
      } else {
        expected = try database.integer("SELECT count(*) FROM main.\(quoted(table)) NOT INDEXED")
        rows[table] = expected
      }
      let found = try database.integer("SELECT count(*) FROM main.\(quoted(table)) INDEXED BY \(quoted(index))")
      if found != expected {
        findings.append(
          "\(index) has \(counted(found, "entry", "entries")) for \(counted(expected, "row")) of \(table)")
      }
    }
    return findings
  }
}
