internal import DecantSQLite

/// The tables of a source that stay in its copy, under the names of the destination.
///
/// The reshaping itself keeps all their rows. Later work of the step may change or delete rows.
package struct Reshaping: Sendable {
  package struct KeptTable: Sendable {
    /// The name in the source.
    package let source: String
    /// The name in the destination's layout.
    package let destination: String
    /// The columns that stay: names in the source, and names in the destination.
    package let columns: [(source: String, destination: String)]
    /// The destination's names of the new columns, and of the columns whose values change.
    package let changed: Set<String>

    package init(
      source: String, destination: String, columns: [(source: String, destination: String)],
      changed: Set<String>
    ) {
      self.source = source
      self.destination = destination
      self.columns = columns
      self.changed = changed
    }
  }

  package let kept: [KeptTable]

  package init(kept: [KeptTable]) { self.kept = kept }
}

/// A row of the schema table.
struct SchemaEntry {
  let row: Int64
  let type: String
  let name: String
  let table: String
  /// `nil` for an index that belongs to a clause of its table's statement.
  let statement: String?

  static func all(in database: SQLiteDatabase) throws(SQLiteError) -> [SchemaEntry] {
    try database.rows("SELECT rowid, type, name, tbl_name, sql FROM main.sqlite_master ORDER BY rowid")
      .compactMap {
        guard let row = $0[0].integer, case .text(let type) = $0[1], case .text(let name) = $0[2],
          case .text(let table) = $0[3]
        else { return nil }
        let statement: String? = if case .text(let text) = $0[4] { text } else { nil }
        return SchemaEntry(row: row, type: type, name: name, table: table, statement: statement)
      }
  }
}
