internal import DecantModel

extension ManagedObjectModel {
  /// The names of an entity's attributes and relationships, including inherited ones.
  func propertyNames(of entity: String) -> [String] {
    attributes(of: entity).map(\.name) + relationships(of: entity).map(\.name)
  }
}
