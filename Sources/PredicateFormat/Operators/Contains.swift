/// `c CONTAINS x`: `x IN c`, turned round.
enum Contains {
  static func holds(
    _ collection: Value, _ value: Value, _ options: ComparisonOptions
  ) throws(EvaluationError) -> Bool {
    try Membership.holds(value, in: collection, options)
  }
}
