public import CoreDataExpressions
internal import DecantModel
public import DecantPolicies
public import Foundation

extension DerivedAttributeDescription {
  /// The expression that gives the value; one that doesn't parse can't be set.
  public var derivationExpression: NSExpression? {
    get { derivationText.map { NSExpression(format: $0, argumentArray: []) } }
    set { derivationText = newValue.map { "\($0)" } }
  }
}

extension AttributeDescription {
  /// The class of the values; a class that is set has no effect, because hashes and stores don't know it.
  public var attributeValueClassName: String? {
    get {
      switch attributeType {
      case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
      case .decimal: "NSDecimalNumber"
      case .string: "NSString"
      case .date: "NSDate"
      case .binary: "NSData"
      case .uuid: "NSUUID"
      case .uri: "NSURL"
      case .transformable: valueTransformerName == nil ? nil : "NSData"
      case .undefined, .objectID, .composite: nil
      }
    }
    set { _ = newValue }
  }
}

extension PropertyDescription {
  /// Sets the predicates that a value must satisfy, as its `SELF`; those that were there before no longer count.
  ///
  /// - Parameter warnings: For each predicate a text, or one of Core Data's validation codes as a number.
  public func setValidationPredicates(
    _ predicates: [NSPredicate]?, withValidationWarnings warnings: [Any]?
  ) {
    (self as? AttributeDescription)?.limits = Attribute.Limits()
    rules = (predicates ?? []).enumerated().map { index, predicate in
      ValidationPredicate(
        format: (predicate as? FormattedPredicate)?.predicateFormat ?? "\(predicate)",
        warning: Self.warning(warnings.flatMap { $0.indices.contains(index) ? $0[index] : nil }))
    }
  }

  private static func warning(_ any: Any?) -> ValidationWarning? {
    switch any {
    case let code as Int: .code(code)
    case let text as String: .message(text)
    default: nil
    }
  }
}
