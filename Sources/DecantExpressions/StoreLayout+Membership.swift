internal import DecantModel
internal import DecantStore

extension StoreLayout {
  /// The condition that a row of an entity's table is of that entity or a subentity; `nil` if every row is.
  func membership(of entity: String, alias: String) -> String? {
    guard model.root(of: entity)?.name != entity else { return nil }
    let numbers = entityNumbers(inFamilyOf: entity).map(String.init).joined(separator: ", ")
    return "\(alias).Z_ENT IN (\(numbers))"
  }
}
