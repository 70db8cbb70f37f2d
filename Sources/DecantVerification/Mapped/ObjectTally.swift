internal import DecantMapping
internal import DecantPasses

/// Counts of an entity mapping's source objects, and of the findings about them.
struct ObjectTally {
  var counts: [Verification.Difference.Kind: (count: Int, keys: [String])] = [:]
  var errors: [String: (count: Int, keys: [String])] = [:]
  var associated = 0
  var destinations = 0
  var filtered = 0
  var withoutValue = 0
  /// Source objects that a policy left out, or whose object a policy deleted.
  var deleted = 0
  /// Source objects whose filter or `uniqueBy` can't be evaluated.
  var opaque = 0
  var sourceRows = 0
  /// The key of the last new object.
  ///
  /// The keys of later new objects must be larger, unless keys are kept.
  var lastKey = 0

  mutating func note(_ kind: Verification.Difference.Kind, _ key: String) {
    counts[kind, default: (0, [])].count += 1
    if counts[kind, default: (0, [])].keys.count < 5 { counts[kind]?.keys.append(key) }
  }

  mutating func note(error: String, _ key: String) {
    errors[error, default: (0, [])].count += 1
    if errors[error, default: (0, [])].keys.count < 5 { errors[error]?.keys.append(key) }
  }

  mutating func note(_ fault: ExpressionFault, of mapping: PassPlan.Mapping, _ key: Int64) {
    let place: String =
      switch fault.place {
      case .attribute(let name), .relationship(let name): "“\(mapping.destination).\(name)”"
      default: "\(fault.place)"
      }
    note(error: "\(place): \(fault.reason)", String(key))
  }

  /// Reports the expressions that failed, with at most five different errors.
  func tellErrors(of mapping: PassPlan.Mapping, _ findings: inout Findings) {
    for (reason, found) in errors.sorted(by: { $0.key < $1.key }).prefix(5) {
      findings.add(
        .failedExpression, entity: mapping.destination, name: mapping.mapping.name, count: found.count,
        examples: [
          "\(reason) (\(found.keys.count == 1 ? "key" : "keys") \(found.keys.joined(separator: ", ")))"
        ])
    }
  }
}
