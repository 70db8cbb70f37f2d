/// `c CONTAINS x`, which means the same as `x IN c`.
enum Contains {
  static func holds(
    _ collection: Value, _ value: Value, _ options: ComparisonOptions
  ) throws(EvaluationError) -> Bool {
    try Membership.holds(value, in: collection, options)
  }
}
