internal import DecantMapping
internal import DecantModel

/// Matches the entities and properties of two versions.
struct DifferenceMatching {
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  private let entityMappings: [String: EntityMapping]
  private let sources: [String: String]
  private let destinations: [String: String]

  init(from source: ManagedObjectModel, to destination: ManagedObjectModel, mapping: MappingModel) {
    self.source = source
    self.destination = destination
    var entityMappings: [String: EntityMapping] = [:]
    var sources: [String: String] = [:]
    for entityMapping in mapping.entityMappings {
      guard let name = entityMapping.destinationEntityName else { continue }
      entityMappings[name] = entityMapping
      sources[name] = entityMapping.sourceEntityName
    }
    self.entityMappings = entityMappings
    self.sources = sources
    destinations = Dictionary(sources.map { ($0.value, $0.key) }) { min($0, $1) }
  }

  func source(of entity: Entity) -> Entity? { sources[entity.name].flatMap { source.entity(named: $0) } }
  func isContinued(_ entity: Entity) -> Bool { destinations[entity.name] != nil }
  func newName(of entity: String) -> String { destinations[entity] ?? entity }

  func properties(from former: Entity, to entity: Entity) -> [ModelDifference.Property] {
    var result: [ModelDifference.Property] = []
    var continued: Set<String> = []
    for attribute in entity.attributes {
      let old = formerAttribute(of: attribute, in: entity, former)
      if let old { continued.insert(old.name) }
      result += property(
        "attribute", attribute.name, formerName: old?.name, old.map(ModelTraits.of), ModelTraits.of(attribute))
    }
    for relationship in entity.relationships {
      let old = formerRelationship(of: relationship, in: entity, former)
      if let old { continued.insert(old.name) }
      result += property(
        "relationship", relationship.name, formerName: old?.name, old.map { ModelTraits.of($0, self) },
        ModelTraits.of(relationship, nil))
    }
    // A property that moved to an ancestor is not gone.
    func isGone(_ name: String) -> Bool {
      !continued.contains(name) && destination.declaringEntity(of: name, in: entity.name) == nil
    }
    result += former.attributes.filter { isGone($0.name) }.map { removed("attribute", $0.name) }
    result += former.relationships.filter { isGone($0.name) }.map { removed("relationship", $0.name) }
    result += fetchedProperties(from: former, to: entity)
    return result.sorted { NameOrder.ignoringCase($0.name, $1.name) }
  }

  private func fetchedProperties(from former: Entity, to entity: Entity) -> [ModelDifference.Property] {
    let before = Dictionary(former.fetchedProperties.map { ($0.name, $0) }) { first, _ in first }
    let names = Set(entity.fetchedProperties.map(\.name))
    return entity.fetchedProperties.flatMap { new in
      property(
        "fetched property", new.name, formerName: before[new.name]?.name, before[new.name].map(ModelTraits.of),
        ModelTraits.of(new))
    } + before.keys.filter { !names.contains($0) }.map { removed("fetched property", $0) }
  }

  private func formerAttribute(of attribute: Attribute, in entity: Entity, _ former: Entity) -> Attribute? {
    var names = [attribute.renamingIdentifier, attribute.name].compactMap { $0 }
    let row = entityMappings[entity.name]?.attributeMappings.first { $0.destinationName == attribute.name }
    switch row?.value {
    case .source(let name), .sourceOrDefault(let name): names.insert(name, at: 0)
    case .defaultValue, .derived, .expression, .unset, nil: break
    }
    return names.lazy.compactMap { source.attribute($0, of: former.name) }.first
  }

  private func formerRelationship(
    of relationship: Relationship, in entity: Entity, _ former: Entity
  ) -> Relationship? {
    let continued = entityMappings[entity.name]?.sourceRelationship(of: relationship.name)
    let names = [continued, relationship.renamingIdentifier, relationship.name].compactMap { $0 }
    return names.lazy.compactMap { source.relationship($0, of: former.name) }.first
  }

  private func property(
    _ sort: String, _ name: String, formerName: String?, _ before: ModelTraits.List?, _ after: ModelTraits.List
  ) -> [ModelDifference.Property] {
    guard let formerName, let before else {
      let details = ModelTraits.differences([:], after).filter { $0.what != "user info" }
      return [.init(kind: .added, sort: sort, name: name, formerName: nil, details: details)]
    }
    // A renaming identifier with the old name is the rename itself, and not a second difference.
    let details = ModelTraits.differences(before, after).filter {
      formerName == name || $0.what != "renaming identifier"
    }
    guard formerName != name || !details.isEmpty else { return [] }
    return [
      .init(
        kind: formerName == name ? .changed : .renamed, sort: sort, name: name,
        formerName: formerName == name ? nil : formerName, details: details)
    ]
  }

  private func removed(_ sort: String, _ name: String) -> ModelDifference.Property {
    .init(kind: .removed, sort: sort, name: name, formerName: nil, details: [])
  }
}
