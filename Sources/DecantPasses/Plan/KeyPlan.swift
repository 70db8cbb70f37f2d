internal import DecantMapping

/// Decides which entity mappings keep primary keys (docs/mapping-models.md, “How they run”).
///
/// The first source family of a destination family keeps its keys. If several mappings take the same source entity, the
/// first mapping keeps the keys. Objects of one family never share a key, so kept keys don't collide. All other objects
/// get keys above every kept key.
struct KeyPlan {
  /// The source family that keeps keys, by root of the destination family.
  private var keepers: [String: String] = [:]
  /// Source entities whose keys a mapping keeps, by root of the destination family.
  private var kept: [String: Set<String>] = [:]

  /// Whether a mapping keeps keys; to be called once for each mapping, in order.
  mutating func keeps(_ mapping: EntityMapping, from sourceRoot: String, to destinationRoot: String) -> Bool {
    guard mapping.uniqueBy == nil, let entity = mapping.sourceEntityName else { return false }
    guard keepers[destinationRoot, default: sourceRoot] == sourceRoot else { return false }
    keepers[destinationRoot] = sourceRoot
    return kept[destinationRoot, default: []].insert(entity).inserted
  }
}
