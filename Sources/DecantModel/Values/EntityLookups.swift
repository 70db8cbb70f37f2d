internal import Synchronization

/// The properties of an entity, inherited ones included, for frequent look-ups.
struct EntityLookups: Sendable {
  /// The name of the entity's topmost ancestor, or of the entity itself; `nil` if the entity doesn't exist.
  let root: String?
  /// The names of the entity and its ancestors.
  let kinds: Set<String>
  /// The attributes in name order (code points).
  let attributes: [Attribute]
  let relationships: [Relationship]
  let attributesByName: [String: Attribute]
  let relationshipsByName: [String: Relationship]
  /// By property, the name of the entity that declares the property: the entity itself, or else the nearest ancestor.
  let declaringNames: [String: String]

  /// - Parameter chain: The entity and its ancestors, the root last.
  init(_ chain: [Entity]) {
    root = chain.last?.name
    kinds = Set(chain.map(\.name))
    var attributes: [String: Attribute] = [:]
    var relationships: [String: Relationship] = [:]
    var declaring: [String: String] = [:]
    for entity in chain.reversed() {
      for attribute in entity.attributes {
        attributes[attribute.name] = attribute
        declaring[attribute.name] = entity.name
      }
      for relationship in entity.relationships {
        relationships[relationship.name] = relationship
        declaring[relationship.name] = entity.name
      }
    }
    attributesByName = attributes
    relationshipsByName = relationships
    declaringNames = declaring
    // The names are sorted alone, because properties are large values.
    self.attributes = attributes.keys.sorted(by: NameOrder.codePoints).compactMap { attributes[$0] }
    self.relationships = relationships.keys.sorted(by: NameOrder.codePoints).compactMap { relationships[$0] }
  }
}

/// The cached look-ups of a model; all copies of the model share them.
final class ModelLookups: Sendable {
  private struct State {
    var entities: [String: EntityLookups] = [:]
    var hashes: EntityVersionHashes?
  }

  private let state = Mutex(State())

  func entity(_ name: String, make: () -> EntityLookups) -> EntityLookups {
    if let known = state.withLock({ $0.entities[name] }) { return known }
    let made = make()
    state.withLock { $0.entities[name] = made }
    return made
  }

  func hashes(make: () -> EntityVersionHashes) -> EntityVersionHashes {
    if let known = state.withLock({ $0.hashes }) { return known }
    let made = make()
    state.withLock { $0.hashes = made }
    return made
  }
}
