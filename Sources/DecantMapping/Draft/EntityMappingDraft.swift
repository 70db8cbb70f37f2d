public import DecantModel
public import PredicateFormat

/// An entity mapping as written, before rules fill it in.
public struct EntityMappingDraft: Sendable, Hashable {
  /// The written value of an attribute.
  public enum AttributeValue: Sendable, Hashable {
    /// No value is written; a rule gives it.
    case rule
    case expression(FormatExpression)
    /// The attribute keeps its default.
    case unset
  }

  /// The written value of a relationship.
  public enum RelationshipValue: Sendable, Hashable {
    /// The path to the source objects and the entity mapping that made their destination objects; a rule fills in the
    /// missing parts.
    case rule(path: FormatExpression?, mapping: MappingName)
    case expression(FormatExpression)
    /// The relationship starts empty.
    case unset
  }

  /// The entity mapping that a relationship names.
  public enum MappingName: Sendable, Hashable {
    case rule
    case named(String)
    /// Objects of all entity mappings.
    case any
  }

  /// `nil` if a rule gives the name.
  public var name: String?
  /// `undefined` if a rule gives the type.
  public var type: EntityMappingType = .undefined
  public var sourceEntityName: String?
  public var destinationEntityName: String?
  public var filter: FormatPredicate?
  public var uniqueBy: FormatExpression?
  public var policy: EntityMapping.Policy?
  /// The time limit of a policy program for one batch, in seconds.
  public var programTimeLimit: Double?
  public var chunks: EntityMapping.Chunks = .automatic
  public var userInfo: [String: String] = [:]
  public var sourceHash: VersionHash?
  public var destinationHash: VersionHash?
  public var sourceExpression: FormatExpression?
  public var attributes: [String: AttributeValue] = [:]
  public var relationships: [String: RelationshipValue] = [:]
  /// Whether rules map properties without a row, as in the text form.
  ///
  /// If false, as in the editor's form, a property without a row keeps its default.
  public var mapsUnnamed = false
  /// Whether the keys, entities, type, policy and lists of properties of a text's entity mapping were readable.
  ///
  /// If not, findings about the entity mapping aren't certain.
  var isWhole = true
  /// The properties with an unreadable part in a text.
  var unreadRows: Set<String> = []
  /// Whether a text's filter, “uniqueBy” or source expression is unreadable, so that the selected objects aren't known.
  var isChoiceUnread = false
  /// Whether relationships follow renaming identifiers, as in the text form.
  var followsRenames: Bool { mapsUnnamed }
}
