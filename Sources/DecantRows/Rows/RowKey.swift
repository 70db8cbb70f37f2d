/// Identifies a row of a store: keys are unique within a root entity's family.
package struct RowKey: Hashable {
  let root: String
  let key: Int64

  package init(root: String, key: Int64) {
    self.root = root
    self.key = key
  }

  /// Few families are in use at the same time, so the key without the family is a good hash.
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
