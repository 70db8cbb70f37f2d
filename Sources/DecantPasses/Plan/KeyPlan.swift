internal import DecantMapping

/// Decides which entity mappings keep primary keys (docs/mapping-models.md, “How they run”).
///
/// The first source family of a destination family keeps its keys. If several mappings take one of its entities, the
/// first mapping keeps them. Objects of one family never share a key, so kept keys don't collide. All other objects get
/// keys above every kept key.
struct KeyPlan {
  /// The source family that keeps keys, by root of the destination family.
  private var keepers: [String: String] = [:]
  /// Source entities that have kept their keys, by root of the destination family.
  private var kept: [String: Set<String>] = [:]

  /// Whether the next mapping in order keeps keys.
  mutating func keeps(_ mapping: EntityMapping, from sourceRoot: String, to destinationRoot: String) -> Bool {
    guard mapping.uniqueBy == nil, let entity = mapping.sourceEntityName else { return false }
    guard keepers[destinationRoot, default: sourceRoot] == sourceRoot else { return false }
    keepers[destinationRoot] = sourceRoot
    return kept[destinationRoot, default: []].insert(entity).inserted
  }
}
