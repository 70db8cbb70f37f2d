public import PredicateFormat

/// The source of a destination attribute's value.
public struct AttributeMapping: Sendable, Hashable {
  /// The value that is written.
  public enum Value: Sendable, Hashable {
    /// The unchanged value of the source attribute, nil included.
    case source(String)
    /// The source attribute's value, or the destination's default for nil (optional became required).
    case sourceOrDefault(String)
    /// The destination attribute's default, or nil without one (new attributes).
    case defaultValue
    /// A derived attribute: computed when the destination is complete.
    case derived
    /// The value of an expression over `$source`; nil is written as nil.
    case expression(FormatExpression)
    /// No value: the attribute keeps its default.
    case unset
  }

  public var destinationName: String
  public var value: Value

  public init(destinationName: String, value: Value) {
    self.destinationName = destinationName
    self.value = value
  }
}

/// The source of a destination relationship's objects.
public struct RelationshipMapping: Sendable, Hashable {
  /// The targets of the relationship.
  public enum Value: Sendable, Hashable {
    /// The destination objects of the source relationship's targets (inferred mapping models).
    case source(String)
    /// The destination objects that an expression gives.
    case expression(FormatExpression)
    /// No objects: the relationship starts empty.
    case unset
  }

  public var destinationName: String
  public var value: Value

  public init(destinationName: String, value: Value) {
    self.destinationName = destinationName
    self.value = value
  }

  /// A relationship that continues a relationship of the source, or starts empty.
  public init(destinationName: String, sourceName: String?) {
    self.init(destinationName: destinationName, value: sourceName.map(Value.source) ?? .unset)
  }

  /// The source relationship that an inferred mapping continues; `nil` for an empty start and for expressions.
  public var sourceName: String? { if case .source(let name) = value { name } else { nil } }
}
