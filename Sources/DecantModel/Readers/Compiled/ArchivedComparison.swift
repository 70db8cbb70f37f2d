internal import KeyedArchive

/// The parts of an archived comparison predicate.
struct ArchivedComparison {
  let left: ArchiveNode
  let right: ArchiveNode
  /// `NSPredicateOperatorType`.
  let type: Int64
  /// 0 none, 1 ALL, 2 ANY.
  let modifier: Int64
  /// Bits: 1 case, 2 diacritics, 4 normalised, 8 locale.
  let options: Int64

  init(_ node: ArchiveNode) throws(ArchiveError) {
    guard node.className == "NSComparisonPredicate" else {
      throw .unknownClass(node.className ?? node.kind, expected: "a comparison")
    }
    guard let left = try node.member("NSLeftExpression") else {
      throw .missing(className: "NSComparisonPredicate", key: "NSLeftExpression")
    }
    guard let right = try node.member("NSRightExpression") else {
      throw .missing(className: "NSComparisonPredicate", key: "NSRightExpression")
    }
    guard let operation = try node.member("NSPredicateOperator"),
      let type = try operation.integer("NSOperatorType")
    else { throw .missing(className: "NSComparisonPredicate", key: "NSPredicateOperator") }
    self.left = left
    self.right = right
    self.type = type
    modifier = try operation.integer("NSModifier") ?? 0
    options = try operation.integer(operation.has("NSOptions") ? "NSOptions" : "NSFlags") ?? 0
  }
}
