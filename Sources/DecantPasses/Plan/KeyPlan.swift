internal import DecantMapping

/// Decides which entity mappings keep primary keys (docs/mapping-models.md, “How they run”).
///
/// Objects of one source table never share a key. So in each destination table, only objects of one source table keep
/// their keys. A mapping with `uniqueBy` keeps no keys.
struct KeyPlan {
  /// The root entity of the source table that keeps keys, by the root entity of the destination table.
  private var keepers: [String: String] = [:]
  /// Source entities whose keys a mapping keeps, by the root entity of the destination table.
  private var kept: [String: Set<String>] = [:]

  /// Whether a mapping keeps keys; to be called once for each mapping, in order.
  mutating func keeps(_ mapping: EntityMapping, from sourceRoot: String, to destinationRoot: String) -> Bool {
    guard mapping.uniqueBy == nil, let entity = mapping.sourceEntityName else { return false }
    guard keepers[destinationRoot, default: sourceRoot] == sourceRoot else { return false }
    keepers[destinationRoot] = sourceRoot
    return kept[destinationRoot, default: []].insert(entity).inserted
  }
}
