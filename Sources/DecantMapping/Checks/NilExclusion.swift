internal import PredicateFormat

/// Whether an entity mapping makes no object if a path from `$source` gives nil.
///
/// Only certain forms count: conditions that nil never meets, and functions that give nil for nil (docs/predicates.md,
/// docs/functions.md).
struct NilExclusion {
  private let keys: [String]?

  /// Functions of single values that give nil for nil.
  private static let strict: Set<String> = [
    "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "sqrt:", "log:", "ln:",
    "raise:toPower:", "exp:", "floor:", "ceiling:", "abs:", "trunc:", "uppercase:", "lowercase:",
  ]

  /// - Parameter path: A plain path; nothing is known about other expressions.
  init(of path: FormatExpression) { keys = path.sourceKeys }

  /// Whether no object is made: `uniqueBy` gives nil, or the filter doesn't hold.
  func holds(in mapping: EntityMapping) -> Bool {
    mapping.uniqueBy.map(isNilWithPath) == true || mapping.filter.map(isUnmetWithoutValue) == true
  }

  /// Whether an expression is nil if the path is nil.
  private func isNilWithPath(_ expression: FormatExpression) -> Bool {
    if leadsThroughPath(expression) { return true }
    switch expression {
    case .function(let name, let arguments):
      guard let function = Library.function(name) else {
        return Self.strict.contains(name) && arguments.contains(where: isNilWithPath)
      }
      return arguments.enumerated().contains { place, argument in
        function.parameter(at: place)?.takesNil == false && isNilWithPath(argument)
      }
    default: return false
    }
  }

  /// Whether a predicate never holds if the path is nil.
  private func isUnmetWithoutValue(_ predicate: FormatPredicate) -> Bool {
    switch predicate {
    case .never: return true
    case .always, .not: return false
    case .and(let parts): return parts.contains(where: isUnmetWithoutValue)
    case .or(let parts): return parts.allSatisfy(isUnmetWithoutValue)
    case .comparison(let comparison): return isUnmetWithoutValue(comparison)
    }
  }

  private func isUnmetWithoutValue(_ comparison: Comparison) -> Bool {
    guard comparison.modifier == .direct else { return false }
    let (left, right) = (comparison.left, comparison.right)
    switch comparison.operation {
    case .notEqual:
      return (isNilWithPath(left) && right == .constant(.null))
        || (isNilWithPath(right) && left == .constant(.null))
    case .equal:
      return (isNilWithPath(left) && isValue(right)) || (isNilWithPath(right) && isValue(left))
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith, .like, .matches, .contains:
      return isNilWithPath(left) || isNilWithPath(right)
    case .between: return isNilWithPath(left)
    case .in:
      guard isNilWithPath(left) else { return isNilWithPath(right) }
      switch right {
      case .aggregate(let members): return members.allSatisfy(isValue)
      case .constant(.string): return true
      default: return false
      }
    case .conformsToUTI, .equalsUTI: return false
    }
  }

  /// Whether an expression is a constant other than nil.
  private func isValue(_ expression: FormatExpression) -> Bool {
    if case .constant(let value) = expression { value != .null } else { false }
  }

  /// Whether an expression is the path or continues it; in predicates a path may begin at the object.
  private func leadsThroughPath(_ expression: FormatExpression) -> Bool {
    guard let keys, case .keyPath(let path) = expression,
      path.operand == .variable("source") || path.operand == .selfObject
    else { return false }
    let areKeys = path.steps.allSatisfy { if case .key = $0 { true } else { false } }
    return areKeys && path.steps.count >= keys.count && zip(keys, path.steps).allSatisfy { $1 == .key($0) }
  }
}
