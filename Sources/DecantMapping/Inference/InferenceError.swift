public import DecantModel

/// A change between two model versions that can't be inferred (docs/formats/inference.md 1.3, 2, 3, 4).
public enum InferenceError: Error, Hashable, CustomStringConvertible {
  /// Several new entities continue the same old entity.
  case sharedEntity(source: String, destinations: [String])
  /// Several stated renames lead to one new entity.
  case severalSources(destination: String, sources: [String])
  /// Entities of several hierarchies get one root.
  case mergedHierarchies(root: String, sources: [String])
  case typeChanged(entity: String, attribute: String, formerly: String, from: AttributeType, to: AttributeType)
  case compositeChanged(entity: String, attribute: String)
  /// The attribute is required without a default, and is new or was optional before.
  case requiredWithoutDefault(entity: String, attribute: String, isNew: Bool)
  /// The default doesn't fit the attribute's type.
  case defaultOutOfRange(entity: String, attribute: String, value: Int64, type: AttributeType)
  case transientBecameRequired(entity: String, attribute: String)
  case toManyBecameToOne(entity: String, relationship: String, formerly: String)
  /// Several new relationships continue the same old relationship.
  case sharedRelationship(entity: String, source: String, destinations: [String])
  /// The two ends of one new relationship continue different old relationships.
  case mergedRelationships(
    entity: String, relationship: String, former: String, inverse: String, formerInverse: String)

  public var description: String { "\(change). \(advice)." }

  /// The change that can't be inferred, with entity and property.
  public var change: String {
    switch self {
    case .sharedEntity(let source, let destinations):
      "entity “\(source)” is continued by several entities: \(list(destinations))"
    case .severalSources(let destination, let sources):
      "entity “\(destination)” would continue several entities: \(list(sources))"
    case .mergedHierarchies(let root, let sources):
      "the entities \(list(sources)) have separate tables and would come under one root, “\(root)”; several "
        + "root entities can't be merged into one table"
    case .typeChanged(let entity, let attribute, let formerly, let from, let to):
      "entity “\(entity)”: attribute \(name(attribute, formerly)) changes its type from \(from.name) to \(to.name)"
    case .compositeChanged(let entity, let attribute):
      "entity “\(entity)”: composite attribute “\(attribute)” changes its elements"
    case .requiredWithoutDefault(let entity, let attribute, true):
      "entity “\(entity)”: attribute “\(attribute)” is new and required, and has no default"
    case .requiredWithoutDefault(let entity, let attribute, false):
      "entity “\(entity)”: attribute “\(attribute)” becomes required and has no default"
    case .defaultOutOfRange(let entity, let attribute, let value, let type):
      "entity “\(entity)”: the default \(value) of attribute “\(attribute)” doesn't fit into \(type.name)"
    case .transientBecameRequired(let entity, let attribute):
      "entity “\(entity)”: attribute “\(attribute)” was transient and becomes stored and required, and has no default"
    case .toManyBecameToOne(let entity, let relationship, let formerly):
      "entity “\(entity)”: relationship \(name(relationship, formerly)) changes from to-many to to-one"
    case .sharedRelationship(let entity, let source, let destinations):
      "entity “\(entity)”: relationship “\(source)” is continued by several relationships: \(list(destinations))"
    case .mergedRelationships(let entity, let relationship, let former, let inverse, let formerInverse):
      "entity “\(entity)”: relationship “\(relationship)” continues “\(former)”, but its inverse “\(inverse)” continues "
        + "“\(formerInverse)”, which is another relationship, so the pairs of one of the two would be lost"
    }
  }

  /// What to do about it.
  public var advice: String {
    switch self {
    case .sharedEntity(let source, _):
      "Name the right entity in “renames” of family.json5, such as entities: { “\(source)”: … }, or write a mapping "
        + "model"
    case .severalSources: "Correct “renames” in family.json5, or write a mapping model"
    case .requiredWithoutDefault, .transientBecameRequired:
      "Give the attribute a default or make it optional in a new version, or write a mapping model for these versions"
    case .defaultOutOfRange:
      "Correct the default in the model, or use a larger type in a new version"
    case .sharedRelationship:
      "Name the right relationship in “renames” of family.json5, or write a mapping model"
    case .mergedRelationships:
      "Give both ends the renaming identifiers of the two ends of one old relationship, or rename or remove one end in a "
        + "new version, or write a mapping model for these versions"
    case .mergedHierarchies, .typeChanged, .compositeChanged, .toManyBecameToOne:
      "Write a mapping model for these versions"
    }
  }

  private func name(_ new: String, _ old: String) -> String {
    new == old ? "“\(new)”" : "“\(new)” (before: “\(old)”)"
  }

  private func list(_ names: [String]) -> String {
    listed(names)
  }
}
