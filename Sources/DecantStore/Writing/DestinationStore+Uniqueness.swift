package import DecantSQLite

/// Uniqueness constraints of frameworks before 847: they are part of a table's statement.
///
/// While a store is being filled, objects may break the constraints: some objects go to quarantine later, and equal
/// references may turn out to be dangling. So the tables are made without the constraints. SQLite has no statement that
/// adds a constraint to a table, but it keeps each constraint as an index `sqlite_autoindex_…`. So an index is made at
/// the end, and an entry in the schema table turns it into the index of the constraint
/// (https://www.sqlite.org/fileformat2.html, “Representation Of SQL Indices”).
extension DestinationStore {
  private static let index = "Z_DECANT_UNIQUE"

  var openTables: [String] {
    let open = Dictionary(
      statements.constrained.map { ($0.statement, $0.open) }, uniquingKeysWith: { first, _ in first })
    return statements.tables.map { open[$0] ?? $0 }
  }

  /// The tables that don't have their constraints yet.
  package func openConstrainedTables() throws(SQLiteError) -> [ConstrainedTable] {
    var open: [ConstrainedTable] = []
    for table in statements.constrained {
      let rows = try database.rows(
        "SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = ?", [.text(table.name)])
      if rows.first?.first == .text(table.open) { open.append(table) }
    }
    return open
  }

  /// Gives a table its constraints, in one transaction.
  ///
  /// - Throws: `SQLiteError`, also if rows break a constraint. Then the table isn't changed.
  package func constrain(_ table: ConstrainedTable) throws(SQLiteError) {
    database.allowSchemaWrites(true)
    // The reset also reads the schema again.
    defer {
      try? database.execute("PRAGMA writable_schema=RESET")
      database.allowSchemaWrites(false)
    }
    try database.transaction { () throws(SQLiteError) in
      for (place, columns) in table.constraints.enumerated() {
        let list = columns.map(quoted).joined(separator: ", ")
        try database.execute(
          "CREATE UNIQUE INDEX main.\(Self.index)_\(place + 1) ON \(quoted(table.name)) (\(list))")
      }
      try database.execute("PRAGMA writable_schema=ON")
      try database.prepare("UPDATE main.sqlite_master SET sql = ? WHERE type = 'table' AND name = ?")
        .run([.text(table.statement), .text(table.name)])
      for place in 1...table.constraints.count {
        try database.prepare(
          "UPDATE main.sqlite_master SET name = ?, sql = NULL WHERE type = 'index' AND name = ?"
        )
        .run([.text("sqlite_autoindex_\(table.name)_\(place)"), .text("\(Self.index)_\(place)")])
      }
    }
  }
}
