internal import DecantModel
internal import Foundation

extension EntityDescription {
  /// The entity with everything that a program has set.
  ///
  /// - Throws: `ModelError` for a setting that no model can have.
  func value() throws(ModelError) -> Entity {
    if let problem = problems.min(by: { $0.key < $1.key })?.value { throw problem }
    var value = entity
    value.superentityName = superentityName
    value.userInfo = PropertyDescription.texts(of: userInfo)
    value.attributes = []
    value.relationships = []
    for property in declared {
      switch property {
      case let attribute as AttributeDescription: value.attributes.append(try attribute.value())
      case let relationship as RelationshipDescription: value.relationships.append(relationship.relationship)
      default: break
      }
    }
    guard !value.name.isEmpty else {
      throw .badValue(element: "an entity", attribute: "name", value: "", expected: "a name")
    }
    return value
  }

  /// The version hash that this entity has in a small model.
  ///
  /// The model has this entity and all entities that can be reached from it through parents and relationships.
  func hashAlone() -> VersionHash? {
    var relatives: [EntityDescription] = []
    var seen: Set<ObjectIdentifier> = []
    var next = [self]
    while let one = next.popLast() {
      guard seen.insert(ObjectIdentifier(one)).inserted else { continue }
      relatives.append(one)
      if let parent = one.superentity { next.append(parent) }
      for case let relationship as RelationshipDescription in one.declared {
        if let target = relationship.destinationEntity { next.append(target) }
        if let end = relationship.inverseRelationship?.entity { next.append(end) }
      }
    }
    var entities: [Entity] = []
    for relative in relatives {
      guard let value = try? relative.value() else { return nil }
      entities.append(value)
    }
    return try? ManagedObjectModel(entities: entities).entityVersionHashes[entity.name]
  }
}
