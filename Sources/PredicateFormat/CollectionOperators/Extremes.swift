/// `@min`, `@max`, `min:`, `max:`: numbers, dates or strings by `Ordering`, without nil; nil for an empty collection.
enum Extremes {
  static func least(_ values: [Value]) throws(EvaluationError) -> Value { try extreme(values, sign: -1) }

  static func greatest(_ values: [Value]) throws(EvaluationError) -> Value { try extreme(values, sign: 1) }

  private static func extreme(_ values: [Value], sign: Int) throws(EvaluationError) -> Value {
    var best = Value.null
    for value in values where !Equality.holds(value, .null) {
      if best.isNull {
        // A single member must also have a kind with an order.
        _ = try Ordering.compare(value, value, [])
        best = value
      } else if try Ordering.compare(value, best, []) == sign {
        best = value
      }
    }
    return best
  }
}
