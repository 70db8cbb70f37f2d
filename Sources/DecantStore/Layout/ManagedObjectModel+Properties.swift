package import DecantModel

extension ManagedObjectModel {
  /// The other end of a relationship, with the entity that declares it; `nil` if there is none.
  package func inverse(of property: StoreLayout.Property) -> StoreLayout.Property? {
    relationship(property.name, of: property.entity).flatMap { inverse(of: $0) }.map {
      StoreLayout.Property(entity: $0.entity.name, name: $0.relationship.name)
    }
  }

  /// The property with the topmost entity that declares it; a subentity may declare it again.
  package func topmost(_ property: StoreLayout.Property) -> StoreLayout.Property {
    .init(entity: topmostEntity(declaring: property.name, of: property.entity), name: property.name)
  }
}
