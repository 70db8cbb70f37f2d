public import DecantModel
public import PredicateFormat

/// The kinds of entity mapping, with Core Data's numbers (docs/formats/mapping-models.md 2).
public enum EntityMappingType: Int, Sendable, Hashable, Codable, CaseIterable {
  case undefined = 0
  case custom = 1
  case add = 2
  case remove = 3
  case copy = 4
  case transform = 5
}

/// How the objects of one source entity become objects of one destination entity.
public struct EntityMapping: Sendable, Hashable {
  /// What makes destination objects in place of the property mappings.
  public enum Policy: Sendable, Hashable {
    /// A class, with or without its module.
    case className(String)
    /// A program and its arguments.
    case program([String])

    /// The class's name, or the program's whole command.
    public var text: String {
      switch self {
      case .className(let name): name
      case .program(let words):
        words.map { $0.isEmpty || $0.contains(where: \.isWhitespace) ? "\"\($0)\"" : $0 }.joined(separator: " ")
      }
    }

    /// The policy of a class; `nil` for Core Data's base class, which does what the property mappings say.
    static func named(_ name: String) -> Policy? {
      name == "NSEntityMigrationPolicy" ? nil : .className(name)
    }
  }

  /// How the rows are cut into units of work.
  public enum Chunks: Sendable, Hashable {
    /// The engine's choice.
    case automatic
    /// That many source rows each.
    case size(Int)
    /// The rows of which each predicate holds; every row satisfies exactly one.
    case predicates([FormatPredicate])
  }

  /// `PersonToPerson`; the destination's name alone where there is no source, the source's where there is no
  /// destination.
  public var name: String
  public var type: EntityMappingType
  /// `nil` for an entity that is new.
  public var sourceEntityName: String?
  /// `nil` for an entity that goes away.
  public var destinationEntityName: String?
  /// The source objects that are taken; all where there is none.
  public var filter: FormatPredicate?
  /// One destination object is made for each value of this, none for nil; one for each source object where there is
  /// none.
  public var uniqueBy: FormatExpression?
  public var policy: Policy?
  /// The seconds that a policy program may take for one batch; `nil` for the engine's choice.
  public var programTimeLimit: Double?
  public var chunks: Chunks
  public var userInfo: [String: String]
  /// The version hashes that the mapping was made for, where the file has them.
  public var sourceHash: VersionHash?
  public var destinationHash: VersionHash?
  /// What fetches the source objects, where it is not the standard fetch of `sourceEntityName` with `filter`.
  public var sourceExpression: FormatExpression?
  /// In name order; a property without one is as one without value.
  ///
  /// An inferred mapping has one for each stored attribute of the destination entity, inherited ones included.
  public var attributeMappings: [AttributeMapping]
  /// In name order; a property without one is as one without value.
  ///
  /// An inferred mapping has one for each stored relationship of the destination entity, inherited ones included.
  public var relationshipMappings: [RelationshipMapping]

  /// The policy, where there are objects for which it could be called.
  public var calledPolicy: Policy? {
    sourceEntityName == nil || destinationEntityName == nil ? nil : policy
  }

  public init(
    name: String, type: EntityMappingType, sourceEntityName: String?, destinationEntityName: String?,
    filter: FormatPredicate? = nil, uniqueBy: FormatExpression? = nil, policy: Policy? = nil,
    programTimeLimit: Double? = nil, chunks: Chunks = .automatic, userInfo: [String: String] = [:],
    sourceHash: VersionHash? = nil,
    destinationHash: VersionHash? = nil, sourceExpression: FormatExpression? = nil,
    attributeMappings: [AttributeMapping] = [], relationshipMappings: [RelationshipMapping] = []
  ) {
    self.name = name
    self.type = type
    self.sourceEntityName = sourceEntityName
    self.destinationEntityName = destinationEntityName
    self.filter = filter
    self.uniqueBy = uniqueBy
    self.policy = policy
    self.programTimeLimit = programTimeLimit
    self.chunks = chunks
    self.userInfo = userInfo
    self.sourceHash = sourceHash
    self.destinationHash = destinationHash
    self.sourceExpression = sourceExpression
    self.attributeMappings = attributeMappings
    self.relationshipMappings = relationshipMappings
  }
}
