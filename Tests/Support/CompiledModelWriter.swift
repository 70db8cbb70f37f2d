public import DecantModel
public import Foundation
internal import KeyedArchive

/// Writes models as the model compiler does, with the parts that tests need (docs/formats/model-files.md 4).
public struct CompiledModelWriter {
  /// The forms of an archive.
  public enum Form: Sendable {
    /// A `.mom`: own properties only.
    case compiled
    /// A store's cache of older frameworks, with proxies for inherited properties.
    case cacheWithProxies
    /// A store's cache of newer frameworks, with copies of inherited properties.
    case cacheWithCopies
  }

  private var writer = ArchiveWriter()
  private let model: ManagedObjectModel
  private let form: Form
  private var places: [String: PropertyList] = [:]

  /// The bytes of the model's archive.
  public static func data(_ model: ManagedObjectModel, as form: Form = .compiled) -> Data {
    var own = Self(model: model, form: form)
    let root = own.write()
    return own.writer.data(root: root)
  }

  private init(model: ManagedObjectModel, form: Form) {
    self.model = model
    self.form = form
  }

  private mutating func write() -> PropertyList {
    for entity in model.entities { places[entity.name] = writer.reserve() }
    for entity in model.entities { write(entity) }
    let names = model.entities.map(\.name)
    let values = names.compactMap { places[$0] }
    let entities: PropertyList
    if form == .compiled {
      entities = writer.dictionary(Array(zip(names, values)), as: "NSMutableDictionary")
    } else {
      let keys = names.map { writer.text($0) }
      let mapping = writer.add(
        "NSKnownKeysMappingStrategy1", ["keys": writer.array(keys), "version": .integer(1)])
      entities = writer.add(
        "NSKnownKeysDictionary1", ["searchMapping": mapping, "values": writer.array(values)])
    }
    let configurations = model.configurations.map { configuration in
      (configuration.name, writer.array(configuration.entityNames.compactMap { places[$0] }))
    }
    let identifiers = model.versionIdentifiers.map { writer.text($0) }
    return writer.add(
      "NSManagedObjectModel",
      [
        "NSEntities": entities, "NSConfigurations": writer.dictionary(configurations),
        "NSVersionIdentifiers": writer.array(identifiers, as: "NSSet"),
        "NSFetchRequestTemplates": ArchiveWriter.null,
      ])
  }

  private mutating func write(_ entity: Entity) {
    guard let place = places[entity.name] else { return }
    var properties: [(String, PropertyList)] = []
    for attribute in entity.attributes.declared {
      properties.append((attribute.name, add(attribute, of: place)))
    }
    for relationship in entity.relationships {
      properties.append((relationship.name, add(relationship, of: place)))
    }
    for ancestor in model.chain(of: entity.name).dropFirst() where form != .compiled {
      for attribute in ancestor.attributes.declared {
        let copy = add(attribute, of: place)
        let proxy = writer.add("_NSPropertyDescriptionProxy", ["NSUnderlyingProperty": copy])
        properties.append((attribute.name, form == .cacheWithCopies ? copy : proxy))
      }
    }
    var keys: [String: PropertyList] = [
      "NSEntityName": writer.text(entity.name),
      "NSClassNameForEntity": text(entity.managedObjectClassName),
      "NSSuperentity": entity.superentityName.flatMap { places[$0] } ?? ArchiveWriter.null,
      "NSRenamingIdentifier": writer.text(entity.renamingIdentifier ?? entity.name),
      "NSVersionHashModifier": text(entity.versionHashModifier),
      "NSProperties": writer.dictionary(properties, as: "NSMutableDictionary"),
      "NSUserInfo": add(entity.userInfo),
    ]
    if entity.isAbstract { keys["NSIsAbstract"] = .boolean(true) }
    if !entity.uniquenessConstraints.isEmpty { keys["NSUniqueTuples"] = add(entity.uniquenessConstraints) }
    writer.set(place, "NSEntityDescription", keys)
  }

  private mutating func add(_ attribute: Attribute, of entity: PropertyList) -> PropertyList {
    var keys: [String: PropertyList] = [
      "NSPropertyName": writer.text(attribute.name), "NSEntity": entity,
      "NSRenamingIdentifier": writer.text(attribute.renamingIdentifier ?? attribute.name),
      "NSAttributeType": .integer(Int64(attribute.type.rawValue)),
      "NSDefaultValue": add(attribute.defaultValue),
      "NSValueTransformerName": text(attribute.valueTransformerName), "NSUserInfo": add(attribute.userInfo),
      "NSFlagsKey": .integer(
        (attribute.allowsExternalBinaryDataStorage ? 4 : 0) + (attribute.preservesValueAfterDeletion ? 16 : 0)),
    ]
    if attribute.isOptional { keys["NSIsOptional"] = .boolean(true) }
    if attribute.isTransient { keys["NSIsTransient"] = .boolean(true) }
    if attribute.isIndexed { keys["NSIsIndexed"] = .boolean(true) }
    if let modifier = attribute.versionHashModifier { keys["NSVersionHashModifier"] = writer.text(modifier) }
    guard attribute.type == .composite else { return writer.add("NSAttributeDescription", keys) }
    let elements = attribute.elements.map { add($0, of: entity) }
    keys["NSCompositeElements"] = writer.array(elements)
    return writer.add("NSCompositeAttributeDescription", keys)
  }

  private mutating func add(_ relationship: Relationship, of entity: PropertyList) -> PropertyList {
    var keys: [String: PropertyList] = [
      "NSPropertyName": writer.text(relationship.name), "NSEntity": entity,
      "_NSDestinationEntityName": writer.text(relationship.destinationEntityName),
      "NSDestinationEntity": places[relationship.destinationEntityName] ?? ArchiveWriter.null,
      "_NSInverseRelationshipName": text(relationship.inverseName),
      "NSRenamingIdentifier": writer.text(relationship.renamingIdentifier ?? relationship.name),
      "NSMinCount": .integer(Int64(relationship.minimumCount)),
      "NSMaxCount": .integer(Int64(relationship.maximumCount)),
      "NSDeleteRule": .integer(Int64(relationship.deleteRule.rawValue)),
    ]
    if relationship.isOptional { keys["NSIsOptional"] = .boolean(true) }
    if relationship.isOrdered { keys["NSIsOrdered"] = .boolean(true) }
    return writer.add("NSRelationshipDescription", keys)
  }

  private mutating func text(_ text: String?) -> PropertyList {
    text.map { writer.text($0) } ?? ArchiveWriter.null
  }

  private mutating func add(_ info: [String: String]) -> PropertyList {
    writer.dictionary(info.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
  }

  private mutating func add(_ lists: [[String]]) -> PropertyList {
    let inner = lists.map { list in
      let texts = list.map { writer.text($0) }
      return writer.array(texts)
    }
    return writer.array(inner)
  }

  private mutating func add(_ value: AttributeValue?) -> PropertyList {
    switch value {
    case nil: ArchiveWriter.null
    case .string(let text), .uri(let text): writer.text(text)
    case .integer(let number): writer.add(.integer(number))
    case .boolean(let flag): writer.add(.boolean(flag))
    case .double(let number): writer.add(.real(number))
    case .decimal(let number): writer.add(.real((number as NSDecimalNumber).doubleValue))
    case .date(let seconds): writer.add("NSDate", ["NS.time": .real(seconds)])
    case .binary(let data): writer.add(.data(data))
    case .uuid(let uuid):
      writer.add("NSUUID", ["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })])
    }
  }
}
