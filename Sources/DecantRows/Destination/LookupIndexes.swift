package import DecantSQLite
package import DecantStore

/// Indexes for look-ups by a column; a step drops them before it creates the model's indexes.
package final class LookupIndexes {
  private static let prefix = "Z_DECANT_BY_"
  private let database: SQLiteDatabase
  /// The columns by which a table can be searched, by table.
  private var known: [String: Set<String>] = [:]

  package init(_ database: SQLiteDatabase, layout: StoreLayout) {
    self.database = database
    for table in layout.tables { known[table.name] = ["Z_PK"] }
    // A join table's primary key begins with its first column.
    for join in layout.joinTables { known[join.name] = [join.first.column] }
  }

  /// Makes sure that a table can be searched by a column.
  package func make(_ table: String, _ column: String) throws(SQLiteError) {
    guard known[table, default: []].insert(column).inserted else { return }
    try database.execute(
      "CREATE INDEX IF NOT EXISTS main.\(quoted(Self.prefix + table + "_" + column)) ON \(quoted(table)) "
        + "(\(quoted(column)))")
  }

  package static func removal(in database: SQLiteDatabase) throws(SQLiteError) -> [String] {
    try database.rows(
      "SELECT name FROM main.sqlite_master WHERE type = 'index' AND substr(name, 1, \(prefix.count)) = ?",
      [.text(prefix)]
    ).compactMap { row in
      if case .text(let name)? = row.first { "DROP INDEX main.\(quoted(name))" } else { nil }
    }
  }
}
