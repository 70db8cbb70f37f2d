/// The result of inferring between two model versions: the mapping model and its losses.
public struct InferredMapping: Sendable, Hashable {
  /// A source entity or property whose values have no place in the destination.
  public struct Drop: Sendable, Hashable {
    /// What is dropped.
    public enum Kind: String, Sendable, Hashable {
      case entity
      case attribute
      case relationship
    }

    /// Why the values have no place.
    public enum Cause: Sendable, Hashable {
      /// Nothing in the destination continues the entity or property.
      case gone
      /// The attribute or relationship is no longer stored.
      case becameTransient
      /// The attribute's values are now computed.
      case becameDerived
      /// The entity can't have objects of its own any more.
      case becameAbstract
      /// The relationship leads to an entity that doesn't continue the former one.
      case destinationChanged(from: String, to: String)
    }

    public var kind: Kind
    /// The source entity; for a property, its declaring entity.
    public var entity: String
    /// `nil` for an entity.
    public var property: String?
    /// The source entities whose own rows lose values.
    ///
    /// For a property, these entities have the property, own or inherited, and no place for it. A dropped entity is
    /// alone in its list. The list is empty if only abstract entities are concerned.
    public var entities: [String]
    public var cause: Cause
    /// The new entity or property that is probably the same under a new name.
    public var probableRename: String?
  }

  /// An attribute that gets an integer type without room for all numbers that its column may have.
  public struct Narrowing: Sendable, Hashable {
    /// The entity mapping's name.
    public var entityMapping: String
    public var sourceEntity: String
    public var sourceAttribute: String
    public var destinationAttribute: String
    /// The range of the destination type.
    ///
    /// A store that has a value outside this range is refused.
    public var range: ClosedRange<Int64>
  }

  /// A relationship that is kept, but whose destination doesn't accept all former targets.
  public struct LostTargets: Sendable, Hashable {
    public var entityMapping: String
    public var sourceEntity: String
    public var sourceRelationship: String
    public var destinationRelationship: String
    /// The source entities whose own objects can't be targets any more.
    public var targets: [String]
  }

  /// The entity mappings: one for each destination entity, then one for each source entity that no entity continues.
  ///
  /// Abstract entities are included. Both groups are in their model's order. The entity mappings of the second group
  /// have the type `remove`. An entity mapping from or to an abstract entity moves no rows.
  public var mappingModel: MappingModel
  /// The drops in order of entity and property name.
  public var drops: [Drop]
  public var narrowings: [Narrowing]
  public var lostTargets: [LostTargets]
}
