/// `@min`, `@max`, `min:`, `max:`: the least or the greatest of numbers, dates or strings.
///
/// Members are compared by `Ordering`, and nil members are ignored. The result for an empty collection is nil.
enum Extremes {
  static func least(_ values: [Value]) throws(EvaluationError) -> Value { try extreme(values, sign: -1) }

  static func greatest(_ values: [Value]) throws(EvaluationError) -> Value { try extreme(values, sign: 1) }

  private static func extreme(_ values: [Value], sign: Int) throws(EvaluationError) -> Value {
    var best = Value.null
    for value in values where !Equality.holds(value, .null) {
      if best.isNull {
        // Even a single member must be of a kind that has an order.
        _ = try Ordering.compare(value, value, [])
        best = value
      } else if try Ordering.compare(value, best, []) == sign {
        best = value
      }
    }
    return best
  }
}
