package import DecantSQLite

/// Changes the copy of a source into a working file of the destination.
///
/// A kept table keeps its pages: only its entry in the schema table changes, as with `ALTER TABLE`.
extension DestinationStore {
  /// - Throws: `SQLiteError`. Then the file is unchanged.
  func reshape(
    _ reshaping: Reshaping, further: [String], workTables: [String: String]
  ) throws(SQLiteError) {
    database.allowSchemaWrites(true)
    defer {
      try? database.execute("PRAGMA writable_schema=RESET")
      database.allowSchemaWrites(false)
    }
    try database.transaction { () throws(SQLiteError) in
      let indexes = KeptIndexes(
        reshaping, statements: statements.indexes, schema: try SchemaEntry.all(in: database))
      for statement in indexes.drops { try database.execute(statement) }
      try database.execute("PRAGMA writable_schema=ON")
      for table in reshaping.kept { try rename(table, indexes) }
      // Makes SQLite read the changed schema.
      try database.execute("PRAGMA writable_schema=RESET")
      let kept = Set(reshaping.kept.map(\.destination))
      for statement in statements.tables where !kept.contains(Self.name(of: statement)) {
        try database.execute(statement)
      }
      for statement in further { try database.execute(statement) }
      for name in workTables.keys.sorted() { try database.execute(workTables[name] ?? "") }
      try database.execute("PRAGMA user_version=0; PRAGMA application_id=0")
    }
  }

  /// Compares the names and types of the tables' columns, as SQLite reads them, with the layout.
  ///
  /// - Returns: A text for each table that differs. The order of columns doesn't matter.
  package func tableFindings() throws(SQLiteError) -> [String] {
    var findings: [String] = []
    for wanted in layout.tables.map(\.tableStatement) + layout.joinTables.map(\.tableStatement) {
      let rows = try database.rows(
        "SELECT name, type FROM pragma_table_info(?, 'main')", [.text(wanted.table)])
      let found = rows.map { row -> String in
        guard case .text(let name) = row[0], case .text(let type) = row[1] else { return "" }
        return "\(name) \(type)"
      }
      // SQLite doesn't repeat the words for the primary key in the type.
      let columns = wanted.columns.map { "\($0.name) \($0.type.replacing(" PRIMARY KEY", with: ""))" }
      if found.isEmpty {
        findings.append("the table \(wanted.table) is missing")
      } else if found.sorted() != columns.sorted() {
        findings.append(
          "the table \(wanted.table) has the columns \(found.joined(separator: ", ")), but should have "
            + columns.joined(separator: ", "))
      }
    }
    return findings
  }

  private func rename(_ table: Reshaping.KeptTable, _ indexes: KeptIndexes) throws(SQLiteError) {
    let update = try database.prepare(
      "UPDATE main.sqlite_master SET name = ?, tbl_name = ?, sql = ? WHERE rowid = ?")
    let physical = try database.rows(
      "SELECT name FROM pragma_table_info(?, 'main') ORDER BY cid", [.text(table.source)]
    ).compactMap { row -> String? in if case .text(let name) = row[0] { name } else { nil } }
    for entry in indexes.entries where entry.table == table.source {
      let (name, statement): (String, String?)
      switch entry.type {
      case "table": (name, statement) = (table.destination, text(of: table, physical: physical))
      case "index" where entry.statement == nil:
        let number = entry.name.split(separator: "_").last ?? "1"
        (name, statement) = ("sqlite_autoindex_\(table.destination)_\(number)", nil)
      default:
        guard let kept = indexes.kept[entry.name] else { continue }
        (name, statement) = (Self.name(of: kept), kept)
      }
      guard name != entry.name || statement != entry.statement else { continue }
      try update.run([
        .text(name), .text(table.destination), statement.map { .text($0) } ?? .null, .integer(entry.row),
      ])
    }
  }

  /// The statement of a kept table.
  ///
  /// Its columns have the order of the values in the rows; new columns come last.
  private func text(of table: Reshaping.KeptTable, physical: [String]) -> String {
    let names = Dictionary(table.columns.map { ($0.source, $0.destination) }) { first, _ in first }
    guard let whole = layout.statement(ofTable: table.destination) else { return "" }
    let old = physical.compactMap { names[$0] }
    let types = Dictionary(whole.columns.map { ($0.name, $0.type) }) { first, _ in first }
    let new = whole.columns.filter { !old.contains($0.name) }
    return TableStatement(
      table: table.destination, columns: old.map { ($0, types[$0] ?? "") } + new, primaryKey: whole.primaryKey
    ).text
  }
}
