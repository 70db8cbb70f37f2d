internal import DecantMapping
internal import DecantModel

/// What differs between two versions of a model, entity by entity.
struct ModelDifference {
  /// How something differs.
  enum Kind: String {
    case added
    case removed
    case renamed
    case changed
  }

  /// One trait before and after; `nil` where there is none.
  struct Detail: Equatable {
    let what: String
    let from: String?
    let to: String?
  }

  /// An attribute or relationship that differs.
  struct Property {
    let kind: Kind
    /// `attribute` or `relationship`.
    let sort: String
    let name: String
    let formerName: String?
    let details: [Detail]
  }

  /// An entity that differs.
  struct EntityChange {
    let kind: Kind
    let name: String
    let formerName: String?
    let details: [Detail]
    let properties: [Property]
    let changesHash: Bool
  }

  private(set) var entities: [EntityChange] = []

  /// Compares two versions; renamed things are matched as the inferred mapping does, or by their renaming
  /// identifiers where none can be inferred.
  init(from source: ManagedObjectModel, to destination: ManagedObjectModel, mapping: MappingModel?) {
    let matching = DifferenceMatching(from: source, to: destination, mapping: mapping)
    let hashes = (source.entityVersionHashes, destination.entityVersionHashes)
    for entity in destination.entities {
      guard let former = matching.source(of: entity) else {
        entities.append(
          EntityChange(
            kind: .added, name: entity.name, formerName: nil, details: [], properties: [], changesHash: true))
        continue
      }
      let properties = matching.properties(from: former, to: entity)
      let details = ModelTraits.differences(ModelTraits.of(former, matching), ModelTraits.of(entity, nil))
      guard former.name != entity.name || !properties.isEmpty || !details.isEmpty else { continue }
      entities.append(
        EntityChange(
          kind: former.name == entity.name ? .changed : .renamed, name: entity.name,
          formerName: former.name == entity.name ? nil : former.name, details: details, properties: properties,
          changesHash: hashes.0[former.name] != hashes.1[entity.name]))
    }
    for entity in source.entities where !matching.isContinued(entity) {
      entities.append(
        EntityChange(
          kind: .removed, name: entity.name, formerName: nil, details: [], properties: [], changesHash: true))
    }
    entities.sort { NameOrder.ignoringCase($0.name, $1.name) }
  }
}
