public import DecantModel
public import Foundation

/// A managed object model, for policies.
open class ModelDescription: NSObject {
  public let model: ManagedObjectModel
  /// The entities in the model's order.
  public let entities: [EntityDescription]
  public let entitiesByName: [String: EntityDescription]
  /// The file from which the model was read, if it was.
  package var file: URL?

  public init(_ model: ManagedObjectModel) {
    self.model = model
    let hashes = model.entityVersionHashes
    let home = ModelReference()
    entities = model.entities.map { EntityDescription($0, versionHash: hashes[$0.name], in: model, home: home) }
    entitiesByName = Dictionary(
      entities.map { ($0.entity.name, $0) }, uniquingKeysWith: { first, _ in first })
    super.init()
    home.model = self
    connect(home)
  }

  public var entityVersionHashesByName: [String: Data] { entitiesByName.mapValues(\.versionHash) }

  public var versionIdentifiers: Set<AnyHashable> { Set(model.versionIdentifiers) }

  public var configurations: [String] { model.configurations.map(\.name) }

  /// Models with equal version hashes are equal, as those of two readings of a file.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ModelDescription else { return false }
    return self === other || model.entityVersionHashes == other.model.entityVersionHashes
  }

  open override var hash: Int { model.entityVersionHashes.hashValue }

  private func connect(_ home: ModelReference) {
    for entity in entities {
      if let name = entity.entity.superentityName { entitiesByName[name]?.subentities.append(entity) }
    }
    var declared: [String: [String: PropertyDescription]] = [:]
    for entity in entities {
      var properties: [String: PropertyDescription] = [:]
      for attribute in entity.entity.attributes.declared {
        properties[attribute.name] = AttributeDescription(attribute, of: entity.entity.name, home: home)
      }
      for relationship in entity.entity.relationships {
        properties[relationship.name] = RelationshipDescription(
          relationship, of: entity.entity.name, home: home)
      }
      declared[entity.entity.name] = properties
    }
    for entity in entities {
      for ancestor in model.chain(of: entity.entity.name) {
        entity.propertiesByName.merge(declared[ancestor.name] ?? [:]) { own, _ in own }
      }
    }
  }
}
