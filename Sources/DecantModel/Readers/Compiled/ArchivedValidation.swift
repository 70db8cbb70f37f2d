internal import Foundation
internal import KeyedArchive

/// Turns the validation predicates of a compiled attribute back into the limits of its source (model-files.md 4).
///
/// The codes and messages beside the predicates say nothing that the predicates don't, and are left aside.
struct ArchivedValidation {
  private(set) var limits = Attribute.Limits()
  /// The predicates that are no limits, as format text.
  private(set) var predicates: [String] = []
  private(set) var warnings: [String] = []
  private let type: AttributeType

  init(
    _ attribute: ArchiveNode, type: AttributeType, allowance: inout ArchiveAllowance
  ) throws(ArchiveError) {
    self.type = type
    for predicate in try attribute.list("NSValidationPredicates", &allowance) ?? [] {
      try take(predicate, allowance: &allowance, depth: 0)
    }
  }

  /// Both sides of a limit may stand in one predicate, joined by AND.
  private mutating func take(
    _ predicate: ArchiveNode, allowance: inout ArchiveAllowance, depth: Int
  ) throws(ArchiveError) {
    if depth < ArchivedFormat.maximumDepth, predicate.className == "NSCompoundPredicate",
      try predicate.integer("NSCompoundPredicateType") == 1
    {
      for part in try predicate.list("NSSubpredicates", &allowance) ?? [] {
        try take(part, allowance: &allowance, depth: depth + 1)
      }
    } else {
      if predicate.className == "NSComparisonPredicate",
        takeLimit(try ArchivedComparison(predicate), &allowance)
      {
        return
      }
      do {
        predicates.append(try ArchivedFormat.predicate(predicate, &allowance))
      } catch {
        warnings.append("a validation predicate is left aside: \(error)")
      }
    }
  }

  /// `SELF >= 1`, `length <= 20`, `SELF MATCHES "…"`; each place is taken once.
  private mutating func takeLimit(
    _ comparison: ArchivedComparison, _ allowance: inout ArchiveAllowance
  ) -> Bool {
    guard comparison.modifier == 0, comparison.options == 0,
      comparison.right.className == "NSConstantValueExpression",
      let constant = try? comparison.right.member("NSConstantValue")
    else { return false }
    if comparison.type == 6, type == .string, isSelf(comparison.left), limits.regularExpression == nil,
      let pattern = constant.string
    {
      limits.regularExpression = pattern
      return true
    }
    let isLength = type == .string && isLength(comparison.left, &allowance)
    guard isLength || type != .string && isSelf(comparison.left),
      let value = try? ArchivedValue.value(constant, type: isLength ? .integer64 : type)
    else { return false }
    switch comparison.type {
    case 3 where limits.minimum == nil: limits.minimum = value
    case 1 where limits.maximum == nil: limits.maximum = value
    default: return false
    }
    return true
  }

  private func isSelf(_ expression: ArchiveNode) -> Bool { expression.className == "NSSelfExpression" }

  private func isLength(_ expression: ArchiveNode, _ allowance: inout ArchiveAllowance) -> Bool {
    guard expression.className == "NSKeyPathExpression" else { return false }
    return (try? ArchivedFormat.expression(expression, &allowance)) == "length"
  }
}
