public import CoreDataExpressions
internal import DecantModel
public import DecantPolicies

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
