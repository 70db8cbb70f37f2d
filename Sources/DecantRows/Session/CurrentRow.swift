internal import DecantPolicies

/// The current row of the create stage.
struct CurrentRow {
  let source: ManagedObject
  let key: Int64
  /// Whether an object has kept the row's key.
  var hasUsedKey = false
  /// Whether the row has no value for `uniqueBy`.
  var lacksUniqueValue = false
}
