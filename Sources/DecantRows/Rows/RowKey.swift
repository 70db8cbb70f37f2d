/// Identifies a row of a store by its table's root entity and its primary key, which is unique only in the table.
package struct RowKey: Hashable {
  let root: String
  let key: Int64

  package init(root: String, key: Int64) {
    self.root = root
    self.key = key
  }

  /// Few root entities are in use at the same time, so the key alone is a good hash.
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
