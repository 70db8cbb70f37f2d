internal import DecantModel

/// Why a model can't be laid out as a store.
public enum LayoutError: Error, Hashable, CustomStringConvertible {
  case unusableName(entity: String, property: String?)
  case unsettled([StoreLayout.Unsettled])

  public var description: String {
    switch self {
    case .unusableName(let entity, nil):
      "entity “\(entity)” has a name that can't be a table's: only letters, digits and underscores; rename it"
    case .unusableName(let entity, let property?):
      "entity “\(entity)”: property “\(property)” has a name that can't be a column's: only letters, digits and "
        + "underscores; rename it"
    case .unsettled(let names):
      "how Core Data stores this is not known for certain: "
        + names.map(\.description).joined(separator: "; ")
        + ". Put a genuine store of this model version into the family's folder “reference”, it settles the names"
    }
  }

  static func checkNames(of model: ManagedObjectModel) throws(LayoutError) {
    for entity in model.entities {
      guard isUsable(entity.name) else { throw .unusableName(entity: entity.name, property: nil) }
      for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) where !isUsable(name) {
        throw .unusableName(entity: entity.name, property: name)
      }
    }
  }

  private static func isUsable(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else {
      return false
    }
    return name.utf8.count <= 255
      && name.unicodeScalars.allSatisfy {
        $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
  }
}
