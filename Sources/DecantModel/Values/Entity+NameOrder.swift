extension Entity {
  /// The entity with its properties in name order, and the elements of composite attributes as attributes.
  var inNameOrder: Entity {
    var entity = self
    entity.attributes = attributes.flatMap(\.withElements).sorted { NameOrder.codePoints($0.name, $1.name) }
    entity.relationships.sort { NameOrder.codePoints($0.name, $1.name) }
    entity.fetchedProperties.sort { NameOrder.codePoints($0.name, $1.name) }
    return entity
  }
}
