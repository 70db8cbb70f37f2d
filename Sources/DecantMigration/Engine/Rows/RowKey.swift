/// Identifies a row of a store: keys are unique within a root entity's family.
struct RowKey: Hashable {
  let root: String
  let key: Int64

  /// Few families are in use at a time, so the key alone is a good hash.
  func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
