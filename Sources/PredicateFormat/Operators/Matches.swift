/// `a MATCHES b`: matches the whole string with a regular expression (ICU); false if a side is nil.
///
/// `[c]` means ICU's case-insensitive matching, and `[d]` first folds diacritics of both sides. A pattern that
/// is invalid or takes too many steps is an error.
enum Matches {
  static func holds(
    _ text: Value, _ pattern: Value, _ options: ComparisonOptions
  ) throws(EvaluationError) -> Bool {
    guard let (text, pattern) = try TextPair.of(text, pattern) else { return false }
    let diacritics = options.intersection(.diacriticInsensitive)
    let expression = try PatternCache.shared.expression(
      Folding.text(pattern, diacritics), isCaseInsensitive: options.contains(.caseInsensitive))
    var isFound = false
    try CountedSearch.run(
      expression, in: Folding.text(text, diacritics), isAnchored: true, pattern: pattern
    ) { _ in
      isFound = true
      return false
    }
    return isFound
  }
}
