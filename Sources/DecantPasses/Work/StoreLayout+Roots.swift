package import DecantStore

extension StoreLayout {
  /// The number of a family in the working file's tables.
  package func rootNumber(of entity: String) -> Int? {
    model.root(of: entity).flatMap { entityNumbers[$0.name] }
  }
}
