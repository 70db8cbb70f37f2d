/// The tables, columns and indexes of a store; they settle open points of its layout (docs/formats/core-data-sqlite.md
/// 13).
package struct SchemaEvidence: Sendable, Hashable {
  /// Column names of each table.
  package let tables: [String: [String]]

  /// The statement of each index, by name.
  package let indexes: [String: String]

  package init(tables: [String: [String]], indexes: [String: String] = [:]) {
    self.tables = tables
    self.indexes = indexes
  }

  /// Whether the layout has columns for a property, and all of them exist in the store.
  func confirms(_ property: StoreLayout.Property, in layout: [StoreLayout.Table]) -> Bool {
    var isFound = false
    for table in layout {
      for column in table.columns where column.role.property == property {
        guard tables[table.name]?.contains(column.name) == true else { return false }
        isFound = true
      }
    }
    return isFound
  }
}
