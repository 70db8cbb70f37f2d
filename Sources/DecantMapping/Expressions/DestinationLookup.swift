public import PredicateFormat

/// The call in a relationship row that asks the manager for destination objects (docs/formats/mapping-models.md 3.3,
/// 4.2).
public struct DestinationLookup: Sendable, Hashable {
  /// The requested destination objects.
  public enum Kind: Sendable, Hashable {
    /// Objects that the entity mapping of this name made.
    case entityMapping(String)
    /// Objects of all entity mappings; the name is that of the source relationship.
    case sourceRelationship(String)
  }

  static let byMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  static let byRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"

  public var kind: Kind
  /// The expression for the source objects.
  public var sources: FormatExpression

  public init(_ kind: Kind, of sources: FormatExpression) {
    self.kind = kind
    self.sources = sources
  }

  /// Extracts the parts of an expression that is such a call; `nil` for any other.
  public init?(_ expression: FormatExpression) {
    guard case .message(.variable("manager"), let selector, let arguments) = expression, arguments.count == 2,
      case .constant(.string(let name)) = arguments[0]
    else { return nil }
    switch selector {
    case Self.byMapping: self.init(.entityMapping(name), of: arguments[1])
    case Self.byRelationship: self.init(.sourceRelationship(name), of: arguments[1])
    default: return nil
    }
  }

  public var expression: FormatExpression {
    let (selector, name) =
      switch kind {
      case .entityMapping(let name): (Self.byMapping, name)
      case .sourceRelationship(let name): (Self.byRelationship, name)
      }
    return .message(.variable("manager"), selector: selector, [.constant(.string(name)), sources])
  }
}
