public import DecantModel
public import Foundation

/// An entity of a model, for policies.
open class EntityDescription: NSObject {
  public let entity: Entity
  private let home: ModelReference
  public internal(set) var subentities: [EntityDescription] = []
  /// Own and inherited properties.
  public internal(set) var propertiesByName: [String: PropertyDescription] = [:]
  public let versionHash: Data

  /// The root of its family.
  package let root: String

  /// - Parameters:
  ///   - model: The entity's model; `nil` for an entity of no model.
  ///   - home: The reference to the model's description.
  package init(
    _ entity: Entity, versionHash: VersionHash?, in model: ManagedObjectModel?,
    home: ModelReference = ModelReference()
  ) {
    self.entity = entity
    self.home = home
    root = model?.root(of: entity.name)?.name ?? entity.name
    self.versionHash = Data(versionHash?.bytes ?? [])
  }

  public var name: String? { entity.name }
  public var managedObjectModel: ModelDescription? { home.model }
  public var superentity: EntityDescription? { home.entity(entity.superentityName) }
  public var managedObjectClassName: String { entity.managedObjectClassName ?? "NSManagedObject" }
  public var isAbstract: Bool { entity.isAbstract }
  public var renamingIdentifier: String? { entity.renamingIdentifier }
  public var userInfo: [AnyHashable: Any]? { entity.userInfo }
  public var uniquenessConstraints: [[Any]] { entity.uniquenessConstraints }

  /// Own and inherited properties in name order.
  public var properties: [PropertyDescription] {
    propertiesByName.sorted { $0.key < $1.key }.map(\.value)
  }

  public var attributesByName: [String: AttributeDescription] {
    propertiesByName.compactMapValues { $0 as? AttributeDescription }
  }

  public var relationshipsByName: [String: RelationshipDescription] {
    propertiesByName.compactMapValues { $0 as? RelationshipDescription }
  }

  public var subentitiesByName: [String: EntityDescription] {
    Dictionary(subentities.map { ($0.entity.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The relationships that lead to an entity.
  public func relationships(forDestination entity: EntityDescription) -> [RelationshipDescription] {
    relationshipsByName.values.filter { $0.destinationEntity === entity }.sorted { $0.name < $1.name }
  }

  /// Entities with equal names and version hashes are equal, also those of two models.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EntityDescription else { return false }
    return self === other || (entity.name == other.entity.name && versionHash == other.versionHash)
  }

  open override var hash: Int { versionHash.hashValue }

  /// Whether this is the entity or one of its subentities.
  public func isKindOf(entity: EntityDescription) -> Bool {
    var current: EntityDescription? = self
    while let one = current {
      if one === entity || one.entity.name == entity.entity.name { return true }
      current = one.superentity
    }
    return false
  }
}
