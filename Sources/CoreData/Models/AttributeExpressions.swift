public import CoreDataExpressions
internal import DecantModel
public import DecantPolicies

extension DerivedAttributeDescription {
  /// The expression that gives the value.
  ///
  /// The setter keeps the expression's text, and doesn't check it.
  public var derivationExpression: NSExpression? {
    get { derivationText.map { NSExpression(format: $0, argumentArray: []) } }
    set { derivationText = newValue.map { "\($0)" } }
  }
}

extension AttributeDescription {
  /// The class name of the attribute's values; nil if the attribute's type has no class.
  ///
  /// For a transformable attribute, it is `NSData` if the attribute has a transformer, and nil otherwise.
  ///
  /// Setting this property has no effect.
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
