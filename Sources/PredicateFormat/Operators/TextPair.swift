enum TextPair {
  static func of(_ left: Value, _ right: Value) throws(EvaluationError) -> (String, String)? {
    switch (left, right) {
    case (.string(let a), .string(let b)): return (a, b)
    case (.null, .null), (.null, .string), (.string, .null): return nil
    case (.string, _), (.null, _): throw .mismatch(right, expected: "a string")
    default: throw .mismatch(left, expected: "a string")
    }
  }
}
