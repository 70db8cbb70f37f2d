/// Renames that an administrator states because the models don't (`renames` of `family.json5`).
///
/// In the file, `renames` is one object, or a list of objects if some apply only to certain destinations:
/// ```json5
/// renames: { entities: { Nota: "Apunte" }, properties: { "Nota.fecha": "momento" } }
/// renames: [ { to: ["Notas 3"], properties: { "Nota.fecha": "momento" } }, … ]
/// ```
/// Keys are old names, values are new names. The entity of a property may have its old or its new name, or the name of
/// an ancestor that declares the property. A rename takes precedence over renaming identifiers and equal names. It is
/// ignored if both versions have both names, if the source lacks the old name, or if the destination lacks the new one.
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

  /// New entity names by old entity names.
  public var entities: [String: String]
  /// New property names by entity and old name.
  public var properties: [Property: String]

  public init(entities: [String: String] = [:], properties: [Property: String] = [:]) {
    self.entities = entities
    self.properties = properties
  }

  /// No renames.
  public static let none = Renames()

  /// The renames of both; `other` takes precedence.
  public func merging(_ other: Renames) -> Renames {
    Renames(
      entities: entities.merging(other.entities) { $1 }, properties: properties.merging(other.properties) { $1 }
    )
  }

  /// Old property names by new property names, for the properties of entities with any of these names.
  func oldNames(of entities: Set<String>) -> [String: Set<String>] {
    var old: [String: Set<String>] = [:]
    for (property, new) in properties where entities.contains(property.entity) {
      old[new, default: []].insert(property.name)
    }
    return old
  }

  /// Old entity names by new entity names.
  var oldEntityNames: [String: Set<String>] {
    var old: [String: Set<String>] = [:]
    for (name, new) in entities { old[new, default: []].insert(name) }
    return old
  }
}
