internal import PredicateFormat

extension KindCheck {
  /// Looks at a comparison.
  ///
  /// - Returns: Whether it holds, where that is the same for all rows.
  mutating func compare(_ comparison: Comparison) -> Bool? {
    let (left, right) = (kind(of: comparison.left), kind(of: comparison.right))
    let isPattern =
      comparison.operation == .matches && right.isConstant && left.sample.isNull
      && comparison.modifier == .direct
    let words = FormatPredicate.comparison(comparison)
    let before = problems.count
    let advice = KindAdvice(comparison, left, right)
    let results = trials([left, right], of: words, "") { values throws(EvaluationError) in
      var sample = comparison
      // The pattern is the same whatever it is held against.
      (sample.left, sample.right) = (.constant(isPattern ? .string("") : values[0]), .constant(values[1]))
      return .boolean(try FormatPredicate.comparison(sample).holds(in: Self.context))
    }
    guard problems.count == before else {
      advise(comparison, left, right)
      return nil
    }
    ComparisonOutcome(comparison, left, right).map { outcome in
      note(Problem(severity: .warning, problem: "“\(words)” \(outcome.words)", advice: advice.text))
    }
    guard left.known != nil, right.known != nil, case .boolean(let holds)? = results.first else { return nil }
    return holds
  }

  /// Gives the problem that was noted last the advice for the kinds with which it comes.
  private mutating func advise(_ comparison: Comparison, _ left: ExpressionKind, _ right: ExpressionKind) {
    guard let last = takeLast() else { return }
    let ways = left.alternatives.flatMap { one in right.alternatives.map { (one, $0) } }
    for (one, other) in ways {
      var sample = comparison
      (sample.left, sample.right) = (.constant(one.sample), .constant(other.sample))
      if comparison.operation == .matches, other.isConstant, one.sample.isNull {
        sample.left = .constant(.string(""))
      }
      do throws(EvaluationError) {
        _ = try FormatPredicate.comparison(sample).holds(in: Self.context)
      } catch {
        guard Self.certain(error.reason) != nil else { continue }
        return note(
          Problem(
            severity: last.severity, problem: last.problem,
            advice: KindAdvice(comparison, one, other).text(for: error.reason), focus: last.focus))
      }
    }
    note(last)
  }
}
