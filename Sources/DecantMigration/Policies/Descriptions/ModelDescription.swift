public import DecantModel
public import Foundation

/// A managed object model, as policies see it.
open class ModelDescription: NSObject {
  public let model: ManagedObjectModel
  /// In the model's order.
  public let entities: [EntityDescription]

  public init(_ model: ManagedObjectModel) {
    self.model = model
    let hashes = model.entityVersionHashes
    entities = model.entities.map { EntityDescription($0, versionHash: hashes[$0.name]) }
    super.init()
    connect()
  }

  public var entitiesByName: [String: EntityDescription] {
    Dictionary(entities.map { ($0.entity.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  public var entityVersionHashesByName: [String: Data] { entitiesByName.mapValues(\.versionHash) }

  public var versionIdentifiers: Set<AnyHashable> { Set(model.versionIdentifiers) }

  public var configurations: [String] { model.configurations.map(\.name) }

  private func connect() {
    let byName = entitiesByName
    for entity in entities {
      entity.managedObjectModel = self
      if let name = entity.entity.superentityName, let above = byName[name] {
        entity.superentity = above
        above.subentities.append(entity)
      }
    }
    var declared: [String: [String: PropertyDescription]] = [:]
    for entity in entities {
      var properties: [String: PropertyDescription] = [:]
      for attribute in entity.entity.attributes { properties[attribute.name] = AttributeDescription(attribute) }
      for relationship in entity.entity.relationships {
        let description = RelationshipDescription(relationship)
        description.destinationEntity = byName[relationship.destinationEntityName]
        properties[relationship.name] = description
      }
      for property in properties.values { property.entity = entity }
      declared[entity.entity.name] = properties
    }
    for entity in entities {
      for ancestor in model.chain(of: entity.entity.name) {
        entity.propertiesByName.merge(declared[ancestor.name] ?? [:]) { own, _ in own }
      }
    }
    for description in declared.values.flatMap(\.values).compactMap({ $0 as? RelationshipDescription }) {
      guard let inverse = model.inverse(of: description.relationship) else { continue }
      description.inverseRelationship =
        declared[inverse.entity.name]?[inverse.relationship.name] as? RelationshipDescription
    }
  }
}
