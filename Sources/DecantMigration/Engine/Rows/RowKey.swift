/// Which row of a store: keys are unique within a root entity's family.
struct RowKey: Hashable {
  let root: String
  let key: Int64

  /// Few families are at work at a time, so that the key alone tells rows apart well enough.
  func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
