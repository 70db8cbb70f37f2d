internal import DecantModel

/// Entity numbers: roots in name order, each followed by its subentities, depth first
/// (docs/formats/core-data-sqlite.md 1.2).
enum EntityNumbering {
  static func numbers(of model: ManagedObjectModel) -> [String: Int] {
    let names = model.rootEntities.flatMap { model.family(of: $0.name) }.map(\.name)
    return Dictionary(uniqueKeysWithValues: zip(names, 1...))
  }
}
