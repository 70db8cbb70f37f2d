package import DecantSQLite

/// Uniqueness constraints of frameworks before 847: they are part of a table's statement.
///
/// While a store is being filled, objects may break them: some of these go to quarantine later, and references that are
/// equal may turn out to be dangling. So the tables are made without them. SQLite can't add a constraint to a table, so
/// the rows are copied into a new one at the end.
extension DestinationStore {
  private static let former = "Z_DECANT_OPEN"

  /// The statements of all tables, without the constraints.
  var openTables: [String] {
    let open = Dictionary(
      statements.constrained.map { ($0.statement, $0.open) }, uniquingKeysWith: { first, _ in first })
    return statements.tables.map { open[$0] ?? $0 }
  }

  /// The tables that have yet to get their constraints.
  package func openConstrainedTables() throws(SQLiteError) -> [ConstrainedTable] {
    var open: [ConstrainedTable] = []
    for table in statements.constrained {
      let rows = try database.rows(
        "SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = ?", [.text(table.name)])
      if rows.first?.first == .text(table.open) { open.append(table) }
    }
    return open
  }

  /// Gives a table its constraints, in one transaction; its indexes are missing afterwards.
  ///
  /// - Throws: `SQLiteError`, also if rows break a constraint. Then the table stays as it was.
  package func constrain(_ table: ConstrainedTable) throws(SQLiteError) {
    try database.transaction { () throws(SQLiteError) in
      try database.execute("ALTER TABLE main.\(quoted(table.name)) RENAME TO \(Self.former)")
      try database.execute(table.statement)
      try database.execute("INSERT INTO main.\(quoted(table.name)) SELECT * FROM main.\(Self.former)")
      try database.execute("DROP TABLE main.\(Self.former)")
    }
  }
}
