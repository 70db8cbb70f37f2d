extension ManagedObjectModel {
  /// The topmost entity that declares a property: a child that declares it again shares the parent's column.
  package func topmostEntity(declaring property: String, of entity: String) -> String {
    let topmost = chain(of: entity).last { entity in
      entity.attributes.contains { $0.name == property }
        || entity.relationships.contains { $0.name == property }
    }
    return topmost?.name ?? entity
  }

  /// Whether two entities are the same, or one of them inherits from the other.
  package func areRelated(_ one: String, _ other: String) -> Bool {
    isKind(one, of: other) || isKind(other, of: one)
  }

  /// Whether an entity has a relationship of that name, without an inverse.
  package func hasOpenRelationship(_ name: String, of entity: String) -> Bool {
    relationship(name, of: entity).map { inverse(of: $0) == nil } ?? false
  }

  /// Whether a relationship of an entity is its own inverse.
  package func isOwnInverse(_ name: String, of entity: String) -> Bool {
    guard let inverse = relationship(name, of: entity).flatMap(inverse), inverse.relationship.name == name
    else { return false }
    return topmostEntity(declaring: name, of: entity)
      == topmostEntity(declaring: name, of: inverse.entity.name)
  }
}
