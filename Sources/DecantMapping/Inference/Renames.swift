/// Renames that an administrator states because the models don't (`renames` of `family.json5`).
///
/// In the file this is one object, or a list of them where some hold for certain destinations only:
/// ```json5
/// renames: { entities: { Nota: "Apunte" }, properties: { "Nota.fecha": "momento" } }
/// renames: [ { to: ["Notas 3"], properties: { "Nota.fecha": "momento" } }, … ]
/// ```
/// Keys are old names, values new ones. The entity of a property may be given by its old or its new name, or by that
/// of an ancestor that the property is inherited from. A rename wins over renaming identifiers and equal names; it
/// is passed over where both versions have both names, or the source lacks the old one or the destination the new.
public struct Renames: Sendable, Hashable {
  /// A property of an entity.
  public struct Property: Sendable, Hashable {
    public var entity: String
    public var name: String

    public init(entity: String, name: String) {
      self.entity = entity
      self.name = name
    }
  }

  /// New entity names by old ones.
  public var entities: [String: String]
  /// New property names by entity and old name.
  public var properties: [Property: String]

  public init(entities: [String: String] = [:], properties: [Property: String] = [:]) {
    self.entities = entities
    self.properties = properties
  }

  /// No renames.
  public static let none = Renames()

  /// Both together; `other` wins where they disagree.
  public func merging(_ other: Renames) -> Renames {
    Renames(
      entities: entities.merging(other.entities) { $1 }, properties: properties.merging(other.properties) { $1 }
    )
  }

  /// Old names by new ones for the properties of a pair of entities known under any of these names.
  func oldNames(of entities: Set<String>) -> [String: Set<String>] {
    var old: [String: Set<String>] = [:]
    for (property, new) in properties where entities.contains(property.entity) {
      old[new, default: []].insert(property.name)
    }
    return old
  }

  /// Old entity names by new ones.
  var oldEntityNames: [String: Set<String>] {
    var old: [String: Set<String>] = [:]
    for (name, new) in entities { old[new, default: []].insert(name) }
    return old
  }
}
