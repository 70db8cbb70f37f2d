internal import PredicateFormat

/// Problems for all values, and for some kinds of values.
extension KindCheck {
  /// Notes a problem for all values.
  ///
  /// - Returns: `unknown`, so that no further problem is reported for it.
  @discardableResult
  mutating func refuse(
    _ part: any CustomStringConvertible, _ reason: String, _ advice: String, focus: String? = nil
  ) -> ExpressionKind {
    note(
      Problem(
        severity: .error,
        problem: "“\(part)” can't be evaluated, and refuses every store with values there: \(reason)",
        advice: advice, focus: focus))
    return .unknown
  }

  /// Notes a problem for some of the possible kinds.
  mutating func doubt(
    _ part: any CustomStringConvertible, _ reason: String, _ advice: String, focus: String? = nil
  ) {
    note(
      Problem(
        severity: .warning,
        problem: "“\(part)” can't be evaluated for some of its values, and refuses stores with "
          + "them: \(reason)", advice: advice, focus: focus))
  }

  /// The largest number of combinations of operand kinds that are tried.
  private static let maximumTrials = 36

  /// Evaluates a part for each combination of its operands' kinds.
  ///
  /// - Returns: The results that don't fail; empty if all fail, which is noted.
  mutating func trials(
    _ operands: [ExpressionKind], of part: any CustomStringConvertible, _ advice: String,
    _ evaluate: ([Value]) throws(EvaluationError) -> Value
  ) -> [Value] {
    var ways: [[Value]] = [[]]
    for operand in operands {
      ways = ways.flatMap { way in operand.alternatives.map { way + [$0.sample] } }
      if ways.count > Self.maximumTrials { return [.null] }
    }
    var results: [Value] = []
    var reason: String?
    for way in ways {
      do throws(EvaluationError) {
        results.append(try evaluate(way))
      } catch {
        guard let own = Self.certain(error.reason) else {
          results.append(.null)
          continue
        }
        reason = reason ?? own
      }
    }
    if let reason {
      if results.isEmpty {
        refuse(part, reason, advice)
      } else {
        doubt(part, reason, advice)
      }
    }
    return results
  }

  /// The context for evaluating sample values.
  static let context = EvaluationContext(functions: .library, maximumSteps: 100_000)

  /// The reason, if it follows from kinds and constants, and not from a sample's own value.
  static func certain(_ reason: EvaluationError.Reason) -> String? {
    switch reason {
    case .mismatch, .badPattern, .unsupported: "\(reason)"
    case .unknownVariable, .unknownKey, .unknownFunction, .unknownSelector, .tooCostly, .failed: nil
    }
  }
}
