extension SourceStore {
  /// Why a copy of the file that is read can't become a store as Core Data makes one; `nil` if it can.
  ///
  /// - Returns: The end of a sentence.
  /// - Throws: `StoreError`.
  package func alterationObstacle() throws(StoreError) -> String? {
    if let obstacle = try StoreFileHeader(readingFrom: readPath).alterationObstacle { return obstacle }
    return schema.tables["sqlite_sequence"] == nil ? nil : "it has a table of SQLite's that can't be dropped"
  }

  /// Whether a table has the columns of a layout, in any order, and nothing else.
  ///
  /// Core Data appends columns when it alters a table in place (docs/formats/core-data-sqlite.md 9.1).
  package func isPlain(_ table: String, in layout: StoreLayout) -> Bool {
    let wanted =
      layout.tables.first { $0.name == table }?.tableStatement
      ?? layout.joinTables.first { $0.name == table }?.tableStatement
    guard let wanted, let statement = statements[table], let physical = schema.tables[table],
      physical.count == wanted.columns.count
    else { return false }
    let types = Dictionary(wanted.columns.map { ($0.name, $0.type) }) { first, _ in first }
    let columns = physical.compactMap { name in types[name].map { (name, $0) } }
    return columns.count == physical.count
      && TableStatement(table: table, columns: columns, primaryKey: wanted.primaryKey).says(statement)
  }
}
