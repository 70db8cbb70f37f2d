extension InferenceError {
  /// A stable word for scripts.
  public var kind: String {
    switch self {
    case .sharedEntity: "shared-entity"
    case .severalSources: "several-sources"
    case .mergedHierarchies: "merged-hierarchies"
    case .typeChanged: "type-changed"
    case .compositeChanged: "composite-changed"
    case .requiredWithoutDefault: "required-without-default"
    case .defaultOutOfRange: "default-out-of-range"
    case .transientBecameRequired: "transient-became-required"
    case .toManyBecameToOne: "to-many-became-to-one"
    case .sharedRelationship: "shared-relationship"
    case .mergedRelationships: "merged-relationships"
    }
  }

  /// The properties that the error concerns, each with an entity of the new version that has it, own or inherited.
  ///
  /// One end of a relationship stands for both ends. The list is empty if the error concerns whole entities.
  public var properties: [(entity: String, name: String)] {
    switch self {
    case .sharedEntity, .severalSources, .mergedHierarchies: []
    case .typeChanged(let entity, let name, _, _, _), .compositeChanged(let entity, let name),
      .requiredWithoutDefault(let entity, let name, _), .defaultOutOfRange(let entity, let name, _, _),
      .transientBecameRequired(let entity, let name), .toManyBecameToOne(let entity, let name, _),
      .mergedRelationships(let entity, let name, _, _, _):
      [(entity, name)]
    case .sharedRelationship(let entity, _, let names): names.map { (entity, $0) }
    }
  }

  /// The entities of the new version that the error concerns as a whole.
  public var entities: [String] {
    switch self {
    case .sharedEntity(_, let destinations): destinations
    case .severalSources(let destination, _): [destination]
    case .mergedHierarchies(let root, _): [root]
    default: []
    }
  }
}
