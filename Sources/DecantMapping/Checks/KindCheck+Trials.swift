internal import PredicateFormat

/// What fails wherever there are values, and what for some of their kinds.
extension KindCheck {
  /// Notes what fails wherever there are values.
  ///
  /// - Returns: `unknown`: nothing more is to be said of it.
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

  /// Notes what fails for some of the kinds that values may have.
  mutating func doubt(
    _ part: any CustomStringConvertible, _ reason: String, _ advice: String, focus: String? = nil
  ) {
    note(
      Problem(
        severity: .warning,
        problem: "“\(part)” can't be evaluated for some of its values, and refuses stores with "
          + "them: \(reason)", advice: advice, focus: focus))
  }

  /// The most ways in which the kinds of a part's operands are put together.
  private static let maximumTrials = 36

  /// Evaluates a part for each way in which the kinds of its operands go together.
  ///
  /// - Returns: What comes of those that don't fail; empty where something fails in all of them, and is noted.
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

  /// A context for sample values.
  static let context = EvaluationContext(functions: .library, maximumSteps: 100_000)

  /// The reason, where it is one of kinds and of constants, and not of a sample's own value.
  static func certain(_ reason: EvaluationError.Reason) -> String? {
    switch reason {
    case .mismatch, .badPattern, .unsupported: "\(reason)"
    case .unknownVariable, .unknownKey, .unknownFunction, .unknownSelector, .tooCostly, .failed: nil
    }
  }
}
