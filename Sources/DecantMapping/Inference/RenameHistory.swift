public import DecantModel

/// The renaming identifiers of all versions of a family, for renames that skip versions
/// (docs/formats/inference.md 1.2).
///
/// Example: version 3 says that `momento` was `fecha`, and version 2 says that `fecha` was `dia`. A rename from `dia`
/// in version 1 to `momento` in version 3 needs both identifiers.
public struct RenameHistory: Sendable, Hashable {
  private var entities: [String: Set<String>] = [:]
  private var properties: [Renames.Property: Set<String>] = [:]

  /// Collects the identifiers that differ from their elements' names.
  public init(of models: [ManagedObjectModel] = []) {
    for entity in models.flatMap(\.entities) {
      if let old = entity.renamingIdentifier, old != entity.name {
        entities[entity.name, default: []].insert(old)
      }
      let names =
        entity.attributes.map { ($0.name, $0.renamingIdentifier) }
        + entity.relationships.map { ($0.name, $0.renamingIdentifier) }
      for case (let name, let old?) in names where old != name {
        properties[Renames.Property(entity: entity.name, name: name), default: []].insert(old)
      }
    }
  }

  /// The renaming identifiers that entities of this name have.
  func olderNames(ofEntity name: String) -> Set<String> { entities[name] ?? [] }

  /// The renaming identifiers that properties of this name have, in entities with any of these names.
  func olderNames(of property: String, in entities: Set<String>) -> Set<String> {
    guard !properties.isEmpty else { return [] }
    return entities.reduce(into: []) { names, entity in
      names.formUnion(properties[Renames.Property(entity: entity, name: property)] ?? [])
    }
  }

  /// The name itself, and all older names of the entity that renaming identifiers lead to, over any number of versions.
  func allNames(ofEntity name: String) -> Set<String> {
    var known: Set<String> = [name]
    var open = [name]
    while let next = open.popLast() {
      for old in olderNames(ofEntity: next) where known.insert(old).inserted { open.append(old) }
    }
    return known
  }
}
