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

/// The migration of the objects of one source entity into objects of one destination entity.
public struct EntityMapping: Sendable, Hashable {
  /// Code of the application that makes the destination objects.
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

    /// The policy of a class; `nil` for Core Data's base class, which only uses the property mappings.
    package static func named(_ name: String) -> Policy? {
      name == "NSEntityMigrationPolicy" ? nil : .className(name)
    }
  }

  /// The division of the rows into units of work.
  public enum Chunks: Sendable, Hashable {
    /// The engine's choice.
    case automatic
    /// Chunks of this number of source rows.
    case size(Int)
    /// For each predicate, the rows that satisfy it, in one chunk or more.
    ///
    /// Every row that the filter takes must satisfy exactly one predicate.
    case predicates([FormatPredicate])
  }

  /// The name for expressions and messages, such as `PersonToPerson`, or `Person` if there is only one entity.
  public var name: String
  public var type: EntityMappingType
  /// `nil` for a new entity.
  public var sourceEntityName: String?
  /// `nil` for a dropped entity.
  public var destinationEntityName: String?
  /// The filter of source objects; `nil` for all.
  public var filter: FormatPredicate?
  /// The expression that decides which source objects share a destination object.
  ///
  /// One destination object is made for each value of the expression. A source object for which the value is nil gets
  /// no object. Without such an expression, each source object gets a destination object of its own.
  public var uniqueBy: FormatExpression?
  public var policy: Policy?
  /// The time limit of a policy program for one batch, in seconds; `nil` for the engine's choice.
  public var programTimeLimit: Double?
  public var chunks: Chunks
  public var userInfo: [String: String]
  /// The version hashes for which the mapping was made, if they are known.
  public var sourceHash: VersionHash?
  public var destinationHash: VersionHash?
  /// The fetch expression, if it isn't the standard fetch of `sourceEntityName` with `filter`.
  public var sourceExpression: FormatExpression?
  /// In name order, or in the order of a compiled file.
  ///
  /// An attribute without a mapping keeps its default. An inferred mapping maps each stored attribute of the
  /// destination entity, inherited ones included.
  public var attributeMappings: [AttributeMapping]
  /// In name order, or in the order of a compiled file.
  ///
  /// A relationship without a mapping starts empty. An inferred mapping maps each stored relationship of the
  /// destination entity, inherited ones included.
  public var relationshipMappings: [RelationshipMapping]

  /// The policy, if there can be objects for which it is called.
  public var calledPolicy: Policy? {
    sourceEntityName == nil || destinationEntityName == nil ? nil : policy
  }

  /// The relationship mappings that set their relationship.
  ///
  /// An expression that gives nil also sets the relationship.
  package var settingMappings: [RelationshipMapping] { relationshipMappings.filter { $0.value != .unset } }

  package func sets(_ relationship: String) -> Bool {
    settingMappings.contains { $0.destinationName == relationship }
  }

  /// The source relationship that a relationship continues in an inferred mapping; `nil` for an expression, for a
  /// relationship that starts empty, and without a mapping.
  package func sourceRelationship(of relationship: String) -> String? {
    relationshipMappings.first { $0.destinationName == relationship }?.sourceName
  }

  /// Whether the mapping may leave out objects of its source entity.
  package var chooses: Bool { uniqueBy != nil || (filter ?? .always) != .always }

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
