internal import DecantModel
package import DecantStore

/// A column of an entity table that holds keys of other objects.
package struct StoredReference {
  package let property: StoreLayout.Property
  package let column: String
  /// The entity of the referenced objects.
  package let target: String
  /// The columns to clear if the reference is removed; `column` is one of them.
  package let cleared: [String]

  package static func all(in table: StoreLayout.Table, of layout: StoreLayout) -> [StoredReference] {
    table.columns.compactMap { column in
      switch column.role {
      case .toOne(let property):
        guard let relationship = layout.model.relationship(property.name, of: property.entity),
          let storage = RelationshipStorage(of: property.name, entity: property.entity, in: layout)
        else { return nil }
        return StoredReference(
          property: property, column: column.name, target: relationship.destinationEntityName,
          cleared: storage.cleared)
      case .owner(let property):
        return StoredReference(
          property: property, column: column.name, target: property.entity, cleared: [column.name])
      default: return nil
      }
    }
  }
}
