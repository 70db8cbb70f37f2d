package import DecantStore

extension StoreLayout {
  /// The number of an entity's root entity, which stands for the entity's table in the working file.
  ///
  /// - Returns: `nil` if the model doesn't have the entity.
  package func rootNumber(of entity: String) -> Int? {
    model.root(of: entity).flatMap { entityNumbers[$0.name] }
  }
}
