internal import PredicateFormat

extension KindCheck {
  /// Notes that a part can't be evaluated: for all values if `isCertain`, otherwise for some.
  ///
  /// - Returns: `unknown`, so that no further problem is reported for the part.
  @discardableResult
  mutating func refuse(
    _ part: any CustomStringConvertible, _ reason: String, _ advice: String, isCertain: Bool = true,
    focus: String? = nil
  ) -> ExpressionKind {
    let extent =
      isCertain
      ? ", so that every store with values there is refused"
      : " for some of its values, so that stores with such values are refused"
    note(
      Problem(
        severity: isCertain ? .error : .warning, problem: "“\(part)” can't be evaluated\(extent): \(reason)",
        advice: advice, focus: focus))
    return .unknown
  }

  @discardableResult
  mutating func misname(_ problem: String, _ advice: String, focus: String? = nil) -> ExpressionKind {
    note(Problem(severity: .error, problem: problem, advice: advice, isName: true, focus: focus))
    return .unknown
  }

  private static let maximumTrials = 36

  /// Evaluates a part for each combination of its operands' kinds.
  ///
  /// The evaluator itself decides what it accepts. A table here would repeat the rules of every operator.
  ///
  /// - Returns: One result for each combination that the evaluator accepts, in order. A combination that fails for
  ///   another reason gives nil. Too many combinations give a single nil.
  mutating func trials(
    _ operands: [ExpressionKind], of part: any CustomStringConvertible,
    advice: ([ExpressionKind], EvaluationError.Reason) -> String,
    _ expression: ([ExpressionKind]) -> FormatExpression
  ) -> [Value] {
    var ways: [[ExpressionKind]] = [[]]
    for operand in operands {
      ways = ways.flatMap { way in operand.alternatives.map { way + [$0] } }
      if ways.count > Self.maximumTrials { return [.null] }
    }
    var results: [Value] = []
    var failure: (reason: String, advice: String)?
    for way in ways {
      do throws(EvaluationError) {
        results.append(try expression(way).value(in: Self.context))
      } catch {
        switch error.reason {
        case .mismatch, .badPattern, .unsupported:
          failure = failure ?? ("\(error.reason)", advice(way, error.reason))
        // Such an error may come from the sample value, so no problem is noted.
        case .unknownVariable, .unknownKey, .unknownFunction, .unknownSelector, .tooCostly, .failed:
          results.append(.null)
        }
      }
    }
    if let failure { refuse(part, failure.reason, failure.advice, isCertain: results.isEmpty) }
    return results
  }

  static let context = EvaluationContext(functions: .library, maximumSteps: 100_000)
}

extension ExpressionKind {
  var constant: FormatExpression { .constant(sample) }
}
