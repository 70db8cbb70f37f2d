internal import DecantStore

/// The destination key that a mapping has associated with a source key, as parts of a statement.
struct AssociatedKey {
  /// Joins what the key comes from; empty where it is looked up.
  let join: String
  /// What holds where there is such a key, with an “AND” before it; empty where the join sees to that.
  let condition: String
  let key: String

  /// - Parameters:
  ///   - alias: A name for the join that the statement has not used yet.
  ///   - source: The source key, as SQL.
  init(_ alias: String, _ mapping: PassPlan.Mapping, source: String, in plan: PassPlan) {
    if plan.isInBlocks(mapping) {
      key = "\(TargetLookup.target)(\(mapping.number), \(source))"
      join = ""
      condition = " AND \(key) IS NOT NULL"
    } else {
      join = Associations.join(alias, mapping: mapping.number, source: source)
      key = Associations.key(of: alias, for: source)
      condition = ""
    }
  }
}
