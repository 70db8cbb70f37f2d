internal import Foundation
internal import KeyedArchive
internal import PredicateFormat

/// Converts the validation predicates of a compiled attribute back into limits (docs/formats/model-files.md 4.4).
///
/// A limit's warning is kept only if it isn't Core Data's own error code for that limit.
struct ArchivedValidation {
  private(set) var limits = Attribute.Limits()
  /// The other predicates, as format text.
  private(set) var predicates: [ValidationPredicate] = []
  private(set) var warnings: [String] = []
  /// `nil` for a relationship, which has no limits.
  private let type: AttributeType?

  init(
    _ property: ArchiveNode, type: AttributeType?, allowance: inout ArchiveAllowance
  ) throws(ArchiveError) {
    self.type = type
    let predicates = try property.list("NSValidationPredicates", &allowance) ?? []
    guard !predicates.isEmpty else { return }
    let partners = try property.list("NSValidationWarnings", &allowance) ?? []
    for (index, predicate) in predicates.enumerated() {
      let warning = partners.indices.contains(index) ? Self.warning(partners[index]) : nil
      try take(predicate, warning, allowance: &allowance, depth: 0)
    }
  }

  private static func warning(_ node: ArchiveNode) -> ValidationWarning? {
    if let text = node.string { return text.isEmpty ? nil : .message(text) }
    guard case .integer(let code)? = try? ArchivedValue.value(node, type: .integer64) else { return nil }
    return Int(exactly: code).map(ValidationWarning.code)
  }

  /// Reads a predicate, which may be several predicates joined by AND, such as two limits.
  private mutating func take(
    _ predicate: ArchiveNode, _ warning: ValidationWarning?, allowance: inout ArchiveAllowance, depth: Int
  ) throws(ArchiveError) {
    if depth < FormatLimits.maximumDepth, predicate.className == "NSCompoundPredicate",
      try predicate.integer("NSCompoundPredicateType") == 1
    {
      for part in try predicate.list("NSSubpredicates", &allowance) ?? [] {
        try take(part, warning, allowance: &allowance, depth: depth + 1)
      }
      return
    }
    do {
      let read = try FormatPredicate(archive: predicate, allowance: &allowance)
      if case .comparison(let comparison) = read, takeLimit(comparison, warning, of: predicate) { return }
      predicates.append(ValidationPredicate(format: read.description, warning: warning))
    } catch {
      warnings.append("a validation predicate is ignored: \(error)")
    }
  }

  /// Reads `SELF >= 1`, `length <= 20` or `SELF MATCHES "…"`.
  ///
  /// - Returns: Whether the comparison was taken as a limit. This is false for a second limit of the same kind.
  private mutating func takeLimit(
    _ comparison: Comparison, _ warning: ValidationWarning?, of predicate: ArchiveNode
  ) -> Bool {
    guard let type, comparison.modifier == .direct, comparison.options.isEmpty,
      case .constant = comparison.right,
      let constant = try? predicate.member("NSRightExpression")?.member("NSConstantValue")
    else { return false }
    let isSelf = comparison.left == .selfObject
    if comparison.operation == .matches, type == .string, isSelf, limits.regularExpression == nil,
      let pattern = constant.string
    {
      limits.regularExpression = pattern
      limits.patternWarning = warning == .code(1680) ? nil : warning
      return true
    }
    let isLength = type == .string && comparison.left == .key("length")
    guard isLength || type != .string && isSelf,
      let value = try? ArchivedValue.value(constant, type: isLength ? .integer64 : type)
    else { return false }
    switch comparison.operation {
    case .greaterOrEqual where limits.minimum == nil:
      limits.minimum = value
      limits.minimumWarning = warning == .code(isLength ? 1670 : type == .date ? 1640 : 1620) ? nil : warning
    case .lessOrEqual where limits.maximum == nil:
      limits.maximum = value
      limits.maximumWarning = warning == .code(isLength ? 1660 : type == .date ? 1630 : 1610) ? nil : warning
    default: return false
    }
    return true
  }
}
