package import DecantStore

extension StoreLayout {
  /// The number of an entity's root entity; in Decant's own tables this number stands for the entity's table.
  ///
  /// - Returns: `nil` if the model doesn't have the entity.
  package func rootNumber(of entity: String) -> Int? {
    model.root(of: entity).flatMap { entityNumbers[$0.name] }
  }
}
