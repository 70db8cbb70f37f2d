/// `a ENDSWITH b`: compares strings by bytes; false if a side is nil.
///
/// With `[c]` or `[d]`, strings are folded first. Every string ends with the empty string.
enum EndsWith {
  static func holds(
    _ whole: Value, _ part: Value, _ options: ComparisonOptions
  ) throws(EvaluationError) -> Bool {
    guard let (whole, part) = try TextPair.of(whole, part) else { return false }
    return Folding.text(whole, options).utf8.reversed().starts(
      with: Folding.text(part, options).utf8.reversed())
  }
}
