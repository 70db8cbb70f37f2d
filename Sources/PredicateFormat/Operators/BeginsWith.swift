/// `a BEGINSWITH b`: compares strings by bytes; false if a side is nil.
///
/// With `[c]` or `[d]`, strings are folded first. Every string begins with the empty string.
enum BeginsWith {
  static func holds(
    _ whole: Value, _ part: Value, _ options: ComparisonOptions
  ) throws(EvaluationError) -> Bool {
    guard let (whole, part) = try TextPair.of(whole, part) else { return false }
    return Folding.text(whole, options).utf8.starts(with: Folding.text(part, options).utf8)
  }
}
