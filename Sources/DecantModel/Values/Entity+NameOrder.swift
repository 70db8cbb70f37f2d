extension Entity {
  /// The entity with its properties in name order.
  var inNameOrder: Entity {
    var entity = self
    entity.attributes = attributes.map(\.inNameOrder).sorted { NameOrder.codePoints($0.name, $1.name) }
    entity.relationships.sort { NameOrder.codePoints($0.name, $1.name) }
    entity.fetchedProperties.sort { NameOrder.codePoints($0.name, $1.name) }
    return entity
  }
}

extension Attribute {
  fileprivate var inNameOrder: Attribute {
    guard !elements.isEmpty else { return self }
    var attribute = self
    attribute.elements = elements.map(\.inNameOrder).sorted { NameOrder.codePoints($0.name, $1.name) }
    return attribute
  }
}
