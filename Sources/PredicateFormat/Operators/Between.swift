/// `x BETWEEN {a, b}`: a ≤ x ≤ b, both ends included.
///
/// The result is false if one of the three values is nil.
enum Between {
  static func holds(
    _ value: Value, _ bounds: Value, _ options: ComparisonOptions
  ) throws(EvaluationError) -> Bool {
    if bounds.isNull { return false }
    guard let ends = bounds.members, ends.count == 2 else {
      throw .mismatch(bounds, expected: "two bounds, as in {1, 5}")
    }
    guard let low = try Ordering.compare(ends[0], value, options),
      let high = try Ordering.compare(value, ends[1], options)
    else { return false }
    return low <= 0 && high <= 0
  }
}
