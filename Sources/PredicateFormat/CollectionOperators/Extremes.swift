/// `@min`, `@max`, `min:`, `max:`: numbers, dates or strings by `Ordering`; nil is left out, and of nothing it is nil.
enum Extremes {
  static func least(_ values: [Value]) throws(EvaluationError) -> Value { try extreme(values, sign: -1) }

  static func greatest(_ values: [Value]) throws(EvaluationError) -> Value { try extreme(values, sign: 1) }

  private static func extreme(_ values: [Value], sign: Int) throws(EvaluationError) -> Value {
    var best = Value.null
    for value in values where !Equality.holds(value, .null) {
      if best.isNull {
        // Also a single member has to be of a kind that has an order.
        _ = try Ordering.compare(value, value, [])
        best = value
      } else if try Ordering.compare(value, best, []) == sign {
        best = value
      }
    }
    return best
  }
}
