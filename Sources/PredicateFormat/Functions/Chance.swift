/// `random()`, `random:(n)`: random integers, the same for the same seed.
enum Chance {
  /// A random integer from 0 to 2^31 - 1.
  static func number(_ state: inout EvaluationState) -> Value {
    .integer(Int64(state.nextRandom() >> 33))
  }

  /// A random integer from 0 to the limit minus 1.
  static func number(below limit: Value, _ state: inout EvaluationState) throws(EvaluationError) -> Value {
    guard let number = try Numbers.one(limit) else { return .null }
    guard let whole = number.whole, whole > 0 else {
      throw .mismatch(limit, expected: "a whole number above 0")
    }
    return .integer(Int64(state.nextRandom() % UInt64(whole)))
  }
}
