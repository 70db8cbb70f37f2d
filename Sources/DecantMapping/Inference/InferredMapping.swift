/// What lightweight migration makes of two model versions: the mapping model and what it loses.
public struct InferredMapping: Sendable, Hashable {
  /// Something of the source whose values have no place in the destination.
  public struct Drop: Sendable, Hashable {
    /// What goes away.
    public enum Kind: String, Sendable, Hashable {
      case entity
      case attribute
      case relationship
    }

    /// Why the values have no place.
    public enum Cause: Sendable, Hashable {
      /// The destination has nothing that continues it.
      case gone
      /// The attribute or relationship is no longer stored.
      case becameTransient
      /// The attribute's values are computed from now on.
      case becameDerived
      /// The entity holds no objects of its own any more.
      case becameAbstract
      /// The relationship leads to an entity that doesn't continue the former one.
      case destinationChanged(from: String, to: String)
    }

    public var kind: Kind
    /// The source entity; of a property the one that declares it.
    public var entity: String
    /// `nil` for an entity.
    public var property: String?
    /// The source entities whose own rows lose values: those that inherit the property and have no place for it.
    ///
    /// Empty where only abstract entities are concerned.
    public var entities: [String]
    public var cause: Cause
    /// The new entity or property of the destination that this one was probably renamed to.
    public var probableRename: String?
  }

  /// An attribute that becomes a smaller integer type.
  public struct Narrowing: Sendable, Hashable {
    /// The entity mapping's name.
    public var entityMapping: String
    public var sourceEntity: String
    public var sourceAttribute: String
    public var destinationAttribute: String
    /// What the destination can hold; other values refuse the plan.
    public var range: ClosedRange<Int64>
  }

  /// A relationship that goes on, but whose destination no longer takes in all former targets.
  public struct LostTargets: Sendable, Hashable {
    public var entityMapping: String
    public var sourceEntity: String
    public var sourceRelationship: String
    public var destinationRelationship: String
    /// The source entities to whose own rows the relationship can't lead any more.
    public var targets: [String]
  }

  /// An entity mapping for each destination entity, abstract ones included, then one for each entity that goes away.
  ///
  /// Both in the model's order, the latter of type `remove`. A mapping from or to an abstract entity moves no rows.
  public var mappingModel: MappingModel
  /// By entity and property name.
  public var drops: [Drop]
  public var narrowings: [Narrowing]
  public var lostTargets: [LostTargets]
}
