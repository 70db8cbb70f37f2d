enum Numbers {
  /// The number in a value; `nil` for nil and NaN.
  static func one(_ value: Value) throws(EvaluationError) -> Number? {
    switch value {
    case .null: return nil
    case .boolean, .integer, .double, .decimal: return Number(value)
    default: throw .mismatch(value, expected: "a number")
    }
  }

  static func all(_ values: [Value]) throws(EvaluationError) -> [Number] {
    var numbers: [Number] = []
    for value in values {
      if let number = try one(value) { numbers.append(number) }
    }
    return numbers
  }
}
