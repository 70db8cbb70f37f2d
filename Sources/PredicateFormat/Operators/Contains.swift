/// `c CONTAINS x`: `x IN c` with exchanged sides.
enum Contains {
  static func holds(
    _ collection: Value, _ value: Value, _ options: ComparisonOptions
  ) throws(EvaluationError) -> Bool {
    try Membership.holds(value, in: collection, options)
  }
}
