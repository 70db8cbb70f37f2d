/// `a BEGINSWITH b`: strings by bytes, folded first where `[c]` or `[d]` says so; nil on either side: false.
///
/// Every string begins with the empty string. In SQL: `substr`.
enum BeginsWith {
  static func holds(
    _ whole: Value, _ part: Value, _ options: ComparisonOptions
  ) throws(EvaluationError) -> Bool {
    guard let (whole, part) = try TextPair.of(whole, part) else { return false }
    return Folding.text(whole, options).utf8.starts(with: Folding.text(part, options).utf8)
  }
}

/// The two sides of an operator for strings.
enum TextPair {
  /// Both texts; `nil` where one is nil.
  static func of(_ left: Value, _ right: Value) throws(EvaluationError) -> (String, String)? {
    switch (left, right) {
    case (.string(let a), .string(let b)): return (a, b)
    case (.null, .null), (.null, .string), (.string, .null): return nil
    case (.string, _), (.null, _): throw .mismatch(right, expected: "a string")
    default: throw .mismatch(left, expected: "a string")
    }
  }
}
