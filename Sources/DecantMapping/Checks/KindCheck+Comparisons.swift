internal import PredicateFormat

extension KindCheck {
  /// - Returns: The result, if it is known to be the same for all rows; otherwise `nil`.
  mutating func compare(_ comparison: Comparison) -> Bool? {
    let (left, right) = (kind(of: comparison.left), kind(of: comparison.right))
    let words = FormatPredicate.comparison(comparison)
    let before = problems.count
    let results = trials(
      [left, right], of: words, advice: { KindAdvice(comparison, $0[0], $0[1]).text(for: $1) }
    ) {
      .ternary(
        .comparison(Self.sample(of: comparison, $0[0], $0[1])), .constant(.boolean(true)),
        .constant(.boolean(false)))
    }
    guard problems.count == before else { return nil }
    if let outcome = ComparisonOutcome(comparison, left, right) {
      note(
        Problem(
          severity: .warning, problem: "“\(words)” \(outcome.words)",
          advice: KindAdvice(comparison, left, right).text))
      if outcome.isOfNil { return false }
    }
    guard comparison.operation != .matches, left.known != nil, right.known != nil,
      case .boolean(let holds)? = results.first
    else { return nil }
    return holds
  }

  private static func sample(
    of comparison: Comparison, _ left: ExpressionKind, _ right: ExpressionKind
  ) -> Comparison {
    var sample = comparison
    (sample.left, sample.right) = (left.constant, right.constant)
    // An empty text is enough to check the pattern. Matching another text may take long.
    if comparison.operation == .matches, right.isConstant, comparison.modifier == .direct,
      left == .unknown || left == .null || left.family == .sort(.string)
    {
      sample.left = .constant(.string(""))
    }
    // `BETWEEN` needs two members, and a collection with unknown members may have two.
    if comparison.operation == .between, case .collection(let member, _) = right {
      sample.right = .constant(.array([member.sample, member.sample]))
    }
    return sample
  }
}
