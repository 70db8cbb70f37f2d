extension ManagedObjectModel {
  func checkInheritance() throws(ModelError) {
    for entity in entities {
      var seen: Set<String> = [entity.name]
      var current = entity
      while let parent = current.superentityName {
        guard let next = self.entity(named: parent) else {
          throw .unknownSuperentity(entity: current.name, superentity: parent)
        }
        guard seen.insert(parent).inserted else { throw .inheritanceCycle(entity: entity.name) }
        guard seen.count <= Self.maximumAncestors else {
          throw .inheritanceTooDeep(entity: entity.name, limit: Self.maximumAncestors)
        }
        current = next
      }
    }
  }

  func checkProperties() throws(ModelError) {
    for entity in entities {
      var names: Set<String> = []
      let properties =
        entity.attributes.map(\.name) + entity.relationships.map(\.name) + entity.fetchedProperties.map(\.name)
      for name in properties where !names.insert(name).inserted {
        throw .duplicateProperty(entity: entity.name, property: name)
      }
      for relationship in entity.relationships { try check(relationship, of: entity) }
    }
  }

  private func check(_ relationship: Relationship, of entity: Entity) throws(ModelError) {
    let destination = relationship.destinationEntityName
    guard self.entity(named: destination) != nil else {
      throw .unknownDestination(
        entity: entity.name, relationship: relationship.name,
        destination: destination.isEmpty ? nil : destination)
    }
    guard let inverse = relationship.inverseName else { return }
    guard self.relationship(inverse, of: destination) != nil else {
      throw .unknownInverse(
        entity: entity.name, relationship: relationship.name, destination: destination, inverse: inverse)
    }
  }
}
