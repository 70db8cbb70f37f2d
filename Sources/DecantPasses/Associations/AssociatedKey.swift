internal import DecantStore

/// SQL parts for the destination key that a mapping has associated with a source key.
package struct AssociatedKey {
  /// The join that gives the key; empty if the function of `TargetLookup` gives it.
  package let join: String
  /// The condition that such a key exists, with a leading “AND”; empty if the join ensures it.
  package let condition: String
  /// The destination key, as SQL.
  package let key: String

  /// - Parameters:
  ///   - alias: The name of the joined run. No other part of the statement may have this name.
  ///   - source: The source key, as SQL.
  package init(_ alias: String, _ mapping: PassPlan.Mapping, source: String, in plan: PassPlan) {
    if plan.isInBlocks(mapping) {
      key = mapping.lookingUp(source)
      join = ""
      condition = " AND \(key) IS NOT NULL"
    } else {
      join = Associations.join(alias, mapping: mapping.number, source: source)
      key = Associations.key(of: alias, for: source)
      condition = ""
    }
  }
}

extension PassPlan.Mapping {
  /// SQL for the key of the object that the mapping has made from a source object.
  func lookingUp(_ source: String) -> String { "\(TargetLookup.target)(\(number), \(source))" }
}
