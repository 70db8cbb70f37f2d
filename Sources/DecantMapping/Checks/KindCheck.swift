internal import PredicateFormat

/// Finds comparisons and calculations that fail for every value of their kinds, and comparisons that never hold.
///
/// Whether something fails the evaluator says itself, of sample values: rows and statements go by the same code.
struct KindCheck {
  struct Problem {
    let severity: MappingFinding.Severity
    let problem: String
    let advice: String
  }

  private var kinds: KindInference
  private(set) var problems: [Problem] = []

  init(_ kinds: KindInference) { self.kinds = kinds }

  mutating func look(at predicate: FormatPredicate) {
    switch predicate {
    case .always, .never: break
    case .not(let inner): look(at: inner)
    case .and(let parts), .or(let parts): for part in parts { look(at: part) }
    case .comparison(let comparison):
      look(at: comparison.left)
      look(at: comparison.right)
      check(comparison)
    }
  }

  mutating func look(at expression: FormatExpression) {
    switch expression {
    case .constant, .selfObject, .variable, .anyKey, .fetch: break
    case .keyPath(let path):
      look(at: path.operand)
      for case .index(let index) in path.steps { look(at: index) }
    case .function(let name, let arguments):
      for argument in arguments { look(at: argument) }
      check(name, arguments, in: expression)
    case .aggregate(let members): for member in members { look(at: member) }
    case .message(let target, _, let arguments):
      look(at: target)
      for argument in arguments { look(at: argument) }
    case .cast(let inner, let type):
      look(at: inner)
      check(inner, castTo: type, in: expression)
    case .assignment(_, let value): look(at: value)
    case .ternary(let condition, let positive, let negative):
      look(at: condition)
      look(at: positive)
      look(at: negative)
    case .subquery(let collection, let variable, let predicate):
      look(at: collection)
      let outer = kinds
      kinds = kinds.within(collection, as: variable)
      look(at: predicate)
      kinds = outer
    case .set(_, let left, let right):
      look(at: left)
      look(at: right)
    }
  }

  // MARK: Calculations

  private mutating func check(
    _ name: String, _ arguments: [FormatExpression], in expression: FormatExpression
  ) {
    guard FunctionName.isKnown(name) else { return }
    let samples = arguments.map { FormatExpression.constant(kinds.kind(of: $0).sample) }
    evaluate(.function(name, samples), of: expression)
  }

  private mutating func check(
    _ inner: FormatExpression, castTo type: String, in expression: FormatExpression
  ) {
    let kind = kinds.kind(of: inner)
    // Whether a string is a number, a UUID or base64 is told by its letters.
    if kind == .value(.string) { return }
    evaluate(.cast(.constant(kind.sample), type: type), of: expression)
  }

  private mutating func evaluate(_ sample: FormatExpression, of expression: FormatExpression) {
    do throws(EvaluationError) {
      _ = try sample.value(in: EvaluationContext())
    } catch {
      guard let reason = Self.certain(error.reason) else { return }
      refuse("\(expression)", reason, "Write an expression whose parts fit each other")
    }
  }

  // MARK: Comparisons

  private mutating func check(_ comparison: Comparison) {
    let (left, right) = (kinds.kind(of: comparison.left), kinds.kind(of: comparison.right))
    var sample = comparison
    (sample.left, sample.right) = (.constant(left.sample), .constant(right.sample))
    if comparison.operation == .matches, right.isConstant, left.sample.isNull, comparison.modifier == .direct {
      // The pattern is the same whatever it is held against.
      sample.left = .constant(.string(""))
    }
    do throws(EvaluationError) {
      _ = try FormatPredicate.comparison(sample).holds(in: EvaluationContext())
    } catch {
      guard let reason = Self.certain(error.reason) else { return }
      return refuse(
        "\(FormatPredicate.comparison(comparison))", reason,
        KindAdvice(comparison, left, right).text(for: error.reason))
    }
    ComparisonOutcome(comparison, left, right).map { outcome in
      problems.append(
        Problem(
          severity: .warning, problem: "“\(FormatPredicate.comparison(comparison))” \(outcome.words)",
          advice: KindAdvice(comparison, left, right).text))
    }
  }

  private mutating func refuse(_ part: String, _ reason: String, _ advice: String) {
    problems.append(
      Problem(
        severity: .error,
        problem: "“\(part)” can't be evaluated, and refuses every store with values there: \(reason)",
        advice: advice))
  }

  /// The reason, where it is one of kinds and of constants, and not of a sample's own value.
  private static func certain(_ reason: EvaluationError.Reason) -> String? {
    switch reason {
    case .mismatch, .badPattern, .unsupported: "\(reason)"
    case .unknownVariable, .unknownKey, .unknownFunction, .unknownSelector, .tooCostly, .failed: nil
    }
  }
}
