internal import PredicateFormat

extension KindCheck {
  /// Checks a comparison.
  ///
  /// - Returns: The result, if it is the same for all rows.
  mutating func compare(_ comparison: Comparison) -> Bool? {
    let (left, right) = (kind(of: comparison.left), kind(of: comparison.right))
    let words = FormatPredicate.comparison(comparison)
    let before = problems.count
    let advice = KindAdvice(comparison, left, right)
    let results = trials([left, right], of: words, "") { values throws(EvaluationError) in
      let sample = Self.sample(of: comparison, values[0], values[1], right)
      return .boolean(try FormatPredicate.comparison(sample).holds(in: Self.context))
    }
    guard problems.count == before else {
      advise(comparison, left, right)
      return nil
    }
    ComparisonOutcome(comparison, left, right).map { outcome in
      note(Problem(severity: .warning, problem: "“\(words)” \(outcome.words)", advice: advice.text))
    }
    guard comparison.operation != .matches, left.known != nil, right.known != nil,
      case .boolean(let holds)? = results.first
    else { return nil }
    return holds
  }

  /// Compares sample values.
  ///
  /// - Parameter kind: The kind of the right side.
  private static func sample(
    of comparison: Comparison, _ left: Value, _ right: Value, _ kind: ExpressionKind
  ) -> Comparison {
    var (left, right) = (left, right)
    // A pattern is parsed for any text. Matching a user's text against it may take long.
    if comparison.operation == .matches, kind.isConstant, comparison.modifier == .direct,
      left.isNull || left.isText
    {
      left = .string("")
    }
    // An unknown collection may have the two required members.
    if comparison.operation == .between, kind.alternatives.contains(where: \.isCollection) {
      switch right {
      case .array(let members) where members.count == 1: right = .array(members + members)
      case .set(let members) where members.count == 1: right = .array(members + members)
      default: break
      }
    }
    var sample = comparison
    (sample.left, sample.right) = (.constant(left), .constant(right))
    return sample
  }

  /// Adds advice about the kinds to the latest problem.
  private mutating func advise(_ comparison: Comparison, _ left: ExpressionKind, _ right: ExpressionKind) {
    guard let last = takeLast() else { return }
    let ways = left.alternatives.flatMap { one in right.alternatives.map { (one, $0) } }
    for (one, other) in ways {
      let sample = Self.sample(of: comparison, one.sample, other.sample, other)
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

extension ExpressionKind {
  fileprivate var isCollection: Bool { if case .collection = self { true } else { false } }
}

extension Value {
  fileprivate var isText: Bool { if case .string = self { true } else { false } }
}
