public import DecantModel
public import PredicateFormat

/// An entity mapping as somebody wrote it.
public struct EntityMappingDraft: Sendable, Hashable {
  /// What is written for an attribute.
  public enum AttributeValue: Sendable, Hashable {
    /// Nothing: a rule says where the value comes from.
    case rule
    case expression(FormatExpression)
    /// The attribute keeps its default.
    case unset
  }

  /// What is written for a relationship.
  public enum RelationshipValue: Sendable, Hashable {
    /// The path to the source objects and the entity mapping that has made destination objects of them; a rule says
    /// what isn't given.
    case rule(path: FormatExpression?, mapping: MappingName)
    case expression(FormatExpression)
    /// The relationship starts empty.
    case unset
  }

  /// The entity mapping that a relationship names.
  public enum MappingName: Sendable, Hashable {
    case rule
    case named(String)
    /// Objects of any mapping will do.
    case any
  }

  /// `nil` where a rule gives the name.
  public var name: String?
  /// `undefined` where a rule gives the type.
  public var type: EntityMappingType = .undefined
  public var sourceEntityName: String?
  public var destinationEntityName: String?
  public var filter: FormatPredicate?
  public var uniqueBy: FormatExpression?
  public var policy: EntityMapping.Policy?
  /// The seconds that a policy program may take for one batch.
  public var programTimeLimit: Double?
  public var chunks: EntityMapping.Chunks = .automatic
  public var userInfo: [String: String] = [:]
  public var sourceHash: VersionHash?
  public var destinationHash: VersionHash?
  public var sourceExpression: FormatExpression?
  public var attributes: [String: AttributeValue] = [:]
  public var relationships: [String: RelationshipValue] = [:]
  /// Whether properties that aren't named are mapped by rule, as in the text form; the editor's form has a row for
  /// every property, and one without row keeps its default.
  public var mapsUnnamed = false
  /// Whether all but rows and predicates of a text could be read: else hardly anything can be said of the rest.
  var isWhole = true
  /// The properties of which a text has something that can't be read.
  var unreadRows: Set<String> = []
  /// Whether a text has a filter or “uniqueBy” that can't be read, so that which objects are taken isn't known.
  var isChoiceUnread = false
  /// Whether relationships follow renaming identifiers, as in the text form.
  var followsRenames: Bool { mapsUnnamed }
}
