public import PredicateFormat

/// Where a destination attribute gets its value.
public struct AttributeMapping: Sendable, Hashable {
  /// What is written.
  public enum Value: Sendable, Hashable {
    /// The source attribute's value as it is, nil included.
    case source(String)
    /// The source attribute's value, and the destination's default where that is nil (optional became required).
    case sourceOrDefault(String)
    /// The destination attribute's default, or nil where it has none (new attributes).
    case defaultValue
    /// A derived attribute: computed when the destination is complete.
    case derived
    /// The value of an expression over `$source`; nil is written as nil.
    case expression(FormatExpression)
    /// Nothing: the attribute keeps its default.
    case unset
  }

  public var destinationName: String
  public var value: Value

  public init(destinationName: String, value: Value) {
    self.destinationName = destinationName
    self.value = value
  }
}

/// Where a destination relationship gets its objects.
public struct RelationshipMapping: Sendable, Hashable {
  /// What the relationship leads to.
  public enum Value: Sendable, Hashable {
    /// What the objects of that source relationship have become (inferred mapping models).
    case source(String)
    /// The destination objects that an expression gives.
    case expression(FormatExpression)
    /// Nothing: the relationship starts empty.
    case unset
  }

  public var destinationName: String
  public var value: Value

  public init(destinationName: String, value: Value) {
    self.destinationName = destinationName
    self.value = value
  }

  /// A relationship that continues one of the source, or starts empty.
  public init(destinationName: String, sourceName: String?) {
    self.init(destinationName: destinationName, value: sourceName.map(Value.source) ?? .unset)
  }

  /// The source relationship that an inferred mapping continues; `nil` where it starts empty, and for expressions.
  public var sourceName: String? { if case .source(let name) = value { name } else { nil } }
}
