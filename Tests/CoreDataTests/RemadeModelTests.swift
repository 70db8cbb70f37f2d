import CoreData
import DecantMapping
import DecantModel
import DecantPolicies
import DecantTestSupport
import Foundation
import Testing

@Suite("Models and mapping models made again in code") struct RemadeModelTests {
  /// The current versions of all readable models below a folder, without duplicates.
  private static func models(in folder: URL) -> [ManagedObjectModel] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var seen: Set<ManagedObjectModel> = []
    while let url = files?.nextObject() as? URL {
      guard ["xcdatamodel", "mom"].contains(url.pathExtension),
        let model = try? ModelBundle.read(at: url).currentVersion().model
      else { continue }
      seen.insert(model)
    }
    return Array(seen)
  }

  /// A model with the same content, which is set by the setters of descriptions.
  private static func remade(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
    var entities: [String: NSEntityDescription] = [:]
    for (name, old) in model.entitiesByName {
      let entity = NSEntityDescription()
      entity.name = name
      entity.managedObjectClassName = old.managedObjectClassName
      entity.isAbstract = old.isAbstract
      entity.renamingIdentifier = old.renamingIdentifier
      entity.versionHashModifier = old.versionHashModifier
      entity.userInfo = old.userInfo
      entities[name] = entity
    }
    for (name, old) in model.entitiesByName {
      let own = old.properties.filter { $0.entity === old }
      entities[name]?.properties = own.compactMap { property in
        switch property {
        case let attribute as NSAttributeDescription: Self.remade(attribute)
        case let relationship as NSRelationshipDescription: Self.remade(relationship, entities)
        default: nil
        }
      }
      entities[name]?.subentities = old.subentities.compactMap { $0.name.flatMap { entities[$0] } }
    }
    for (name, old) in model.entitiesByName {
      for (key, relationship) in old.relationshipsByName where relationship.entity === old {
        guard let inverse = relationship.inverseRelationship, let owner = inverse.entity?.name else { continue }
        entities[name]?.relationshipsByName[key]?.inverseRelationship =
          entities[owner]?.relationshipsByName[inverse.name]
      }
      entities[name]?.uniquenessConstraints = old.uniquenessConstraints
      entities[name]?.indexes = old.indexes
    }
    let new = NSManagedObjectModel()
    new.entities = Array(entities.values)
    for name in model.configurations {
      let members = model.entities(forConfigurationName: name)?.compactMap { $0.name.flatMap { entities[$0] } }
      new.setEntities(members ?? [], forConfigurationName: name)
    }
    new.versionIdentifiers = model.versionIdentifiers
    return new
  }

  private static func remade(_ old: NSAttributeDescription) -> NSAttributeDescription {
    let new: NSAttributeDescription
    switch old {
    case let derived as NSDerivedAttributeDescription:
      let own = NSDerivedAttributeDescription()
      own.derivationExpression = derived.derivationExpression
      new = own
    case let composite as NSCompositeAttributeDescription:
      let own = NSCompositeAttributeDescription()
      own.elements = composite.elements.map(remade)
      new = own
    default: new = NSAttributeDescription()
    }
    new.attributeType = old.attributeType
    new.defaultValue = old.defaultValue
    new.valueTransformerName = old.valueTransformerName
    new.allowsExternalBinaryDataStorage = old.allowsExternalBinaryDataStorage
    new.preservesValueInHistoryOnDeletion = old.preservesValueInHistoryOnDeletion
    set(new, like: old)
    return new
  }

  private static func remade(
    _ old: NSRelationshipDescription, _ entities: [String: NSEntityDescription]
  ) -> NSRelationshipDescription {
    let new = NSRelationshipDescription()
    new.destinationEntity = old.destinationEntity?.name.flatMap { entities[$0] }
    new.minCount = old.minCount
    new.maxCount = old.maxCount
    new.isOrdered = old.isOrdered
    new.deleteRule = old.deleteRule
    set(new, like: old)
    return new
  }

  private static func set(_ new: NSPropertyDescription, like old: NSPropertyDescription) {
    new.name = old.name
    new.isOptional = old.isOptional
    new.isTransient = old.isTransient
    new.isIndexed = old.isIndexed
    new.renamingIdentifier = old.renamingIdentifier
    new.versionHashModifier = old.versionHashModifier
    new.userInfo = old.userInfo
  }

  /// The entities of a model without limits, validation predicates, older indexes and fetched properties.
  ///
  /// The setters of descriptions give these another form, or don't have them.
  private static func comparable(_ model: ManagedObjectModel) throws -> [Entity] {
    try ManagedObjectModel(
      entities: model.entities.map { entity in
        var entity = entity
        entity.attributes = entity.attributes.declared.map(comparable)
        entity.listedIndexes = nil
        entity.compoundIndexes = []
        entity.fetchedProperties = []
        return entity
      }
    ).entities
  }

  private static func comparable(_ attribute: Attribute) -> Attribute {
    var attribute = attribute
    attribute.limits = .init()
    attribute.validationPredicates = []
    attribute.elements = attribute.elements.map(comparable)
    return attribute
  }

  private static func check(_ values: [ManagedObjectModel]) throws {
    for value in values {
      let names = value.entities.map(\.name)
      let model = NSManagedObjectModel(value)
      let copy = try #require(model.copy() as? NSManagedObjectModel)
      #expect(copy == model, "\(names)")
      #expect(copy.model.entities == value.entities, "\(names)")
      #expect(copy.model.configurations == value.configurations)
      #expect(copy.model.versionIdentifiers == value.versionIdentifiers)
      let new = remade(model)
      let made = try new.settled()
      #expect(new == model, "\(names)")
      #expect(try comparable(made) == comparable(value), "\(names)")
      #expect(made.configurations == value.configurations)
    }
  }

  @Test("models of every kind of attribute, and those of the examples")
  func examples() throws {
    try Self.check([EveryKindModel.make()])
    let found = Self.models(in: Repository.root.appendingPathComponent("config/examples"))
    #expect(found.count > 8)
    try Self.check(found)
  }

  @Test("genuine models", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
  func genuine() throws {
    let found = Self.models(in: SharedFixtures.root)
    #expect(found.count > 20)
    try Self.check(found)
  }

  // MARK: Mapping models

  private static func remade(_ old: NSMappingModel) -> NSMappingModel {
    let new = NSMappingModel()
    new.entityMappings = old.entityMappings.map { old in
      let new = NSEntityMapping()
      new.name = old.name
      new.mappingType = old.mappingType
      new.sourceEntityName = old.sourceEntityName
      new.destinationEntityName = old.destinationEntityName
      new.sourceEntityVersionHash = old.sourceEntityVersionHash
      new.destinationEntityVersionHash = old.destinationEntityVersionHash
      new.entityMigrationPolicyClassName = old.entityMigrationPolicyClassName
      new.userInfo = old.userInfo
      new.sourceExpression = old.sourceExpression
      new.attributeMappings = old.attributeMappings?.map(remade)
      new.relationshipMappings = old.relationshipMappings?.map(remade)
      return new
    }
    return new
  }

  private static func remade(_ old: NSPropertyMapping) -> NSPropertyMapping {
    let new = NSPropertyMapping()
    new.name = old.name
    new.valueExpression = old.valueExpression
    return new
  }

  @Test("genuine mapping models", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
  func mappings() throws {
    let files = FileManager.default.enumerator(at: SharedFixtures.root, includingPropertiesForKeys: nil)
    var count = 0
    while let url = files?.nextObject() as? URL {
      guard ["cdm", "xcmappingmodel"].contains(url.pathExtension),
        let value = try? MappingModelReading.read(at: url).compiled()
      else { continue }
      count += 1
      let mapping = NSMappingModel(value)
      #expect((mapping.copy() as? NSMappingModel)?.model == value)
      let made = Self.remade(mapping).model
      #expect(made.entityMappings == value.entityMappings, "\(url.path)")
    }
    #expect(count > 5)
  }
}
