package import DecantStore

extension StoreLayout {
  /// The entity number of a family's root, which stands for the family in the working file's tables.
  package func rootNumber(of entity: String) -> Int? {
    model.root(of: entity).flatMap { entityNumbers[$0.name] }
  }
}
