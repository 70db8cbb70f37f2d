/// The way in which a piece of work's statements give objects their keys, through the functions of `KeyAssignment`.
package struct KeyNumbering: Sendable, Hashable {
  /// The entity mapping's number.
  let mapping: Int
  /// The entity number of the destination family's root.
  let root: Int
  /// Whether objects have the keys of their source objects.
  let keepsKeys: Bool
  /// Whether several source objects share one object (`uniqueBy`).
  let isShared: Bool
  /// Whether the associations of shared objects are written as blocks (`SharedBlock`).
  let isInBlocks: Bool
}
