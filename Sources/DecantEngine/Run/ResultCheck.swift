internal import DecantModel
internal import DecantSQLite

/// The last check of a finished working file: whether it is a sound database.
///
/// Indexes that this run has built from the tables need no comparison with the rows. Such a comparison takes far longer
/// than a check of the pages.
///
/// If the file began as a copy of the source, the source's own check reads the pages of unchanged tables, and
/// `SourceStore.compareIndexes(of:)` compares the copied indexes with the rows.
struct ResultCheck: Sendable {
  /// Whether an earlier run may have built some of the indexes.
  var hasOldIndexes: Bool
  /// The tables to check; `nil` for the whole file.
  var only: Tables?

  /// The tables of a file that began as a copy.
  struct Tables: Sendable {
    /// Tables that were written anew.
    let new: [String]
    /// Copied tables whose rows and indexes were changed.
    let changed: [String]
    /// Copied tables that got an index; `nil` if an earlier run may have made indexes, so that all indexes are counted.
    let indexed: Set<String>?
  }

  func findings(in database: SQLiteDatabase) throws(SQLiteError) -> [String] {
    let pragma = hasOldIndexes ? "integrity_check" : "quick_check"
    let checks = only.map { only in
      only.new.map { "\(pragma)(\(quoted($0)))" } + only.changed.map { "integrity_check(\(quoted($0)))" }
    }
    for check in checks ?? ["\(pragma)(10)"] {
      let findings = try texts("PRAGMA main.\(check)", in: database)
      guard findings.isEmpty else { return findings }
    }
    guard let only else { return hasOldIndexes ? [] : try counts(in: database) }
    let counted = only.indexed?.union(only.new).union(only.changed)
    return try counts(in: database, of: counted)
  }

  private func texts(_ statement: String, in database: SQLiteDatabase) throws(SQLiteError) -> [String] {
    let texts = try database.rows(statement).compactMap {
      if case .text(let text)? = $0.first { text } else { nil }
    }
    guard texts != ["ok"] else { return [] }
    return texts.isEmpty ? ["the check gave no answer"] : texts
  }

  /// Compares the number of an index's entries with the number of the table's rows.
  ///
  /// - Parameter tables: The tables whose indexes are counted; `nil` for all.
  private func counts(in database: SQLiteDatabase, of tables: Set<String>? = nil) throws(SQLiteError)
    -> [String]
  {
    var findings: [String] = []
    let indexes = try database.rows(
      "SELECT m.name, i.name FROM main.sqlite_master AS m, pragma_index_list(m.name, 'main') AS i "
        + "WHERE m.type = 'table' AND m.sql NOT LIKE '%WITHOUT ROWID%' AND i.partial = 0 ORDER BY 1, 2")
    var rows: [String: Int] = [:]
    for pair in indexes {
      guard case .text(let table) = pair[0], case .text(let index) = pair[1],
        tables?.contains(table) ?? true
      else { continue }
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
