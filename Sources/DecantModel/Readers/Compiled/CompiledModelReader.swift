public import Foundation
internal import KeyedArchive

/// Reads a compiled model: a `.mom`, or a store's inflated model cache (docs/formats/model-files.md 4, 4.1).
public struct CompiledModelReader {
  var allowance = ArchiveAllowance()
  var warnings: [String] = []
  /// Whether the model is a store's own, which lists all of its indexes.
  let isStoresOwn: Bool

  private init(isStoresOwn: Bool) {
    self.isStoresOwn = isStoresOwn
  }

  /// Reads a model from the bytes of a keyed archive.
  ///
  /// The archive's content is used only as text and numbers; no class is looked up by name.
  ///
  /// - Parameter isStoresOwn: Whether it is a store's own model, whose lists of indexes are complete.
  /// - Throws: `ModelError`, which names the faulty part if it is known: `unsupported` for an optimised model (`.omo`),
  ///   `notAModel` for other data, or the fault of the archive or of an incomplete model.
  public static func read(_ data: Data, isStoresOwn: Bool = false) throws(ModelError) -> ModelReading {
    if data.starts(with: Array("momv2$".utf8)) {
      throw .unsupported(format: "optimised model (.omo)", advice: "give the .mom of the same name")
    }
    guard data.starts(with: Array("bplist".utf8)) else {
      throw .notAModel(what: "it isn't a keyed archive in binary form, as Xcode's model compiler writes")
    }
    var reader = Self(isStoresOwn: isStoresOwn)
    return try ArchivePlace.at("") { try reader.read(data) }
  }

  private mutating func read(_ data: Data) throws -> ModelReading {
    let root = try Archive(parsing: data).root()
    guard root.className == "NSManagedObjectModel" else {
      throw ModelError.notAModel(what: "the archive is of \(root.kind)")
    }
    guard let members = try root.entries("NSEntities", &allowance) else {
      throw ArchiveError.missing(className: "NSManagedObjectModel", key: "NSEntities")
    }
    var entities: [Entity] = []
    var properties = 0
    for (name, node) in members {
      let entity = try ArchivePlace.at("entity “\(name)”") { try self.entity(node, named: name) }
      properties += entity.attributes.count + entity.relationships.count
      guard properties <= ManagedObjectModel.maximumPropertiesInAll else {
        throw ModelError.tooManyProperties(entity: nil, limit: ManagedObjectModel.maximumPropertiesInAll)
      }
      entities.append(entity)
    }
    var configurations: [ModelConfiguration] = []
    for (name, node) in try root.entries("NSConfigurations", &allowance) ?? [] {
      configurations.append(
        try ArchivePlace.at("configuration “\(name)”") { try configuration(node, named: name) })
    }
    var requests: [FetchRequestTemplate] = []
    for (name, node) in try root.entries("NSFetchRequestTemplates", &allowance) ?? [] {
      requests.append(try ArchivePlace.at("fetch request “\(name)”") { try fetchRequest(node, named: name) })
    }
    let identifiers = try root.strings("NSVersionIdentifiers", &allowance) ?? []
    let model = try ManagedObjectModel(
      entities: InheritedCopies.removed(from: entities), configurations: configurations,
      fetchRequests: requests,
      versionIdentifiers: identifiers.sorted(by: NameOrder.codePoints))
    return ModelReading(model: model, warnings: warnings)
  }

  private mutating func entity(_ node: ArchiveNode?, named name: String) throws -> Entity {
    let node = try Self.object(node, of: "NSEntityDescription")
    guard try node.requiredString("NSEntityName") == name else {
      throw ModelError.archive(
        place: "entity “\(name)”",
        reason: "the archive also names it “\(try node.requiredString("NSEntityName"))”")
    }
    var entity = Entity(name: name)
    entity.managedObjectClassName = ReadNames.managedObjectClass(try node.string("NSClassNameForEntity"))
    entity.superentityName = try node.object("NSSuperentity", of: "NSEntityDescription")?
      .requiredString("NSEntityName")
    entity.isAbstract = try node.flag("NSIsAbstract")
    entity.renamingIdentifier = ReadNames.renamingIdentifier(try node.string("NSRenamingIdentifier"), of: name)
    entity.versionHashModifier = try node.string("NSVersionHashModifier")
    entity.userInfo = try userInfo(of: node, place: "entity “\(name)”")
    entity.uniquenessConstraints = try node.stringLists("NSUniqueTuples", &allowance) ?? []
    for (property, child) in try node.entries("NSProperties", &allowance) ?? [] {
      try ArchivePlace.at("property “\(name).\(property)”") { try take(child, named: property, into: &entity) }
    }
    try takeIndexes(of: node, into: &entity)
    return entity
  }

  private mutating func configuration(_ node: ArchiveNode?, named name: String) throws -> ModelConfiguration {
    guard let node else { throw ArchiveError.unknownClass("nil", expected: "a list of entities") }
    var names: [String] = []
    for member in try node.elements(&allowance) {
      names.append(try Self.object(member, of: "NSEntityDescription").requiredString("NSEntityName"))
    }
    return ModelConfiguration(name: name, entityNames: names)
  }

  /// The texts of a user info dictionary.
  ///
  /// Core Data also allows other objects, which have no meaning here.
  mutating func userInfo(of node: ArchiveNode, place: String) throws -> [String: String] {
    var info: [String: String] = [:]
    for (key, value) in try node.entries("NSUserInfo", &allowance) ?? [] {
      if let text = value?.string {
        info[key] = text
      } else if !UserInfoKey.isApples(key) {
        warnings.append("\(place): the user info “\(key)” is \(value?.kind ?? "nil") and is ignored")
      }
    }
    return info
  }

  static func object(_ node: ArchiveNode?, of classes: String...) throws(ArchiveError) -> ArchiveNode {
    guard let node, let name = node.className, classes.contains(name) else {
      throw .unknownClass(
        node?.className ?? node?.kind ?? "nil", expected: "an \(classes.joined(separator: " or "))")
    }
    return node
  }
}
