/// A mapping model: how the objects of one model version become those of another.
public struct MappingModel: Sendable, Hashable {
  /// Where a mapping model comes from.
  public enum Origin: Sendable, Hashable {
    /// Worked out from the two models (lightweight migration).
    case inferred
    case file(path: String)
  }

  public var name: String
  public var origin: Origin
  /// In the order in which they run.
  public var entityMappings: [EntityMapping]

  public init(name: String, origin: Origin, entityMappings: [EntityMapping]) {
    self.name = name
    self.origin = origin
    self.entityMappings = entityMappings
  }
}

/// The kinds of entity mapping, with Core Data's numbers (mapping-models.md 2).
public enum EntityMappingType: Int, Sendable, Hashable, Codable {
  case undefined = 0
  case custom = 1
  case add = 2
  case remove = 3
  case copy = 4
  case transform = 5
}

/// How the objects of one source entity become objects of one destination entity.
public struct EntityMapping: Sendable, Hashable {
  /// `PersonToPerson`; the destination's name alone where there is no source, the source's where there is no
  /// destination.
  public var name: String
  public var type: EntityMappingType
  /// `nil` for an entity that is new.
  public var sourceEntityName: String?
  /// `nil` for an entity that goes away.
  public var destinationEntityName: String?
  /// One for each stored attribute of the destination entity, inherited ones included, in name order.
  public var attributeMappings: [AttributeMapping]
  /// One for each stored relationship of the destination entity, inherited ones included, in name order.
  public var relationshipMappings: [RelationshipMapping]

  public init(
    name: String, type: EntityMappingType, sourceEntityName: String?, destinationEntityName: String?,
    attributeMappings: [AttributeMapping] = [], relationshipMappings: [RelationshipMapping] = []
  ) {
    self.name = name
    self.type = type
    self.sourceEntityName = sourceEntityName
    self.destinationEntityName = destinationEntityName
    self.attributeMappings = attributeMappings
    self.relationshipMappings = relationshipMappings
  }
}

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
  }

  public var destinationName: String
  public var value: Value

  public init(destinationName: String, value: Value) {
    self.destinationName = destinationName
    self.value = value
  }
}

/// Which source relationship a destination relationship continues.
public struct RelationshipMapping: Sendable, Hashable {
  public var destinationName: String
  /// `nil` for a relationship that starts empty.
  public var sourceName: String?

  public init(destinationName: String, sourceName: String?) {
    self.destinationName = destinationName
    self.sourceName = sourceName
  }
}
