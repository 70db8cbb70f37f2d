/// How the statements of a piece of work give objects their keys, by the functions of `KeyAssignment`.
package struct KeyNumbering: Sendable, Hashable {
  let mapping: Int
  /// The number of the destination table's root entity.
  let root: Int
  /// Whether objects have the keys of their source objects.
  let keepsKeys: Bool
  /// Whether several source objects share one object (`uniqueBy`).
  let isShared: Bool
  /// Whether the associations of shared objects are written as blocks (`SharedBlock`).
  let isInBlocks: Bool
}
