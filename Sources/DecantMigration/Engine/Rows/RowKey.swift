/// Which row of a store: keys are unique within a root entity's family.
struct RowKey: Hashable {
  let root: String
  let key: Int64
}
