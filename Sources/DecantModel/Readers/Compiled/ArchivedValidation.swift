internal import Foundation
internal import KeyedArchive
internal import PredicateFormat

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
    if depth < FormatLimits.maximumDepth, predicate.className == "NSCompoundPredicate",
      try predicate.integer("NSCompoundPredicateType") == 1
    {
      for part in try predicate.list("NSSubpredicates", &allowance) ?? [] {
        try take(part, allowance: &allowance, depth: depth + 1)
      }
      return
    }
    do {
      let read = try FormatPredicate(archive: predicate, allowance: &allowance)
      if case .comparison(let comparison) = read, takeLimit(comparison, of: predicate) { return }
      predicates.append(read.description)
    } catch {
      warnings.append("a validation predicate is left aside: \(error)")
    }
  }

  /// `SELF >= 1`, `length <= 20`, `SELF MATCHES "…"`; each place is taken once.
  private mutating func takeLimit(_ comparison: Comparison, of predicate: ArchiveNode) -> Bool {
    guard comparison.modifier == .direct, comparison.options.isEmpty, case .constant = comparison.right,
      let constant = try? predicate.member("NSRightExpression")?.member("NSConstantValue")
    else { return false }
    let isSelf = comparison.left == .selfObject
    if comparison.operation == .matches, type == .string, isSelf, limits.regularExpression == nil,
      let pattern = constant.string
    {
      limits.regularExpression = pattern
      return true
    }
    let isLength = type == .string && comparison.left == .key("length")
    guard isLength || type != .string && isSelf,
      let value = try? ArchivedValue.value(constant, type: isLength ? .integer64 : type)
    else { return false }
    switch comparison.operation {
    case .greaterOrEqual where limits.minimum == nil: limits.minimum = value
    case .lessOrEqual where limits.maximum == nil: limits.maximum = value
    default: return false
    }
    return true
  }
}
