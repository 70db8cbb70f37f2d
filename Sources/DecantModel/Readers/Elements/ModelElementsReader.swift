public import Foundation
internal import KeyedArchive

/// Reads an archive of the model editor (docs/formats/model-files.md 3).
///
/// Such archives are the file `elements` of an `.xcdatamodel` before Xcode 4, and the copies of models in a mapping
/// model. This form has no fetch indexes and no values kept after deletion.
public struct ModelElementsReader {
  var allowance = ArchiveAllowance()
  var warnings: [String] = []

  /// Reads a model from the bytes of such an archive.
  ///
  /// - Throws: `ModelError`: `notAModel` for another archive, or the fault of the archive or of an
  ///   incomplete model.
  public static func read(_ data: Data) throws(ModelError) -> ModelReading {
    var reader = Self()
    return try ArchivePlace.at("") { try reader.read(data) }
  }

  private mutating func read(_ data: Data) throws -> ModelReading {
    let root = try Archive(parsing: data).root()
    guard root.className == "XDPMModel" else {
      throw ModelError.notAModel(what: "the archive is of \(root.kind), not of a model editor's model")
    }
    guard let package = try root.member("_xd_rootPackage"),
      let members = try package.entries("XDBucketForClassesstorage", &allowance)
    else { throw ArchiveError.missing(className: "XDPMModel", key: "_xd_rootPackage") }
    var entities: [Entity] = []
    for (name, node) in members {
      entities.append(try ArchivePlace.at("entity “\(name)”") { try entity(node, named: name) })
    }
    var configurations: [ModelConfiguration] = []
    for (name, node) in try root.entries("_configurationsByName", &allowance) ?? [] {
      do {
        configurations.append(try configuration(node, named: name))
      } catch {
        warnings.append("configuration “\(name)” is ignored: \(error)")
      }
    }
    let model = try ManagedObjectModel(
      entities: entities, configurations: configurations,
      versionIdentifiers: [try root.string("_modelVersionIdentifier") ?? ""])
    return ModelReading(model: model, warnings: warnings)
  }

  private mutating func configuration(_ node: ArchiveNode?, named name: String) throws -> ModelConfiguration {
    guard let members = try node?.elements(&allowance) else {
      throw ArchiveError.unknownClass(node?.className ?? "nil", expected: "a list of entities")
    }
    return ModelConfiguration(
      name: name, entityNames: try members.map { try $0.string ?? $0.requiredString("_name") })
  }

  private mutating func entity(_ node: ArchiveNode?, named name: String) throws -> Entity {
    guard let node, node.className == "XDPMEntity", try node.requiredString("_name") == name else {
      throw ArchiveError.unknownClass(node?.className ?? "nil", expected: "an entity of that name")
    }
    let facts = try ElementsFacts(of: node, &allowance)
    var entity = Entity(name: name)
    entity.managedObjectClassName = ReadNames.managedObjectClass(try facts.string("XD_PSK_entityClassName"))
    let generalization = try node.list("XDBucketForGeneralizationsstorage", &allowance)?.first
    entity.superentityName = try generalization?.object("_general", of: "XDPMEntity")?.requiredString("_name")
    entity.isAbstract = try facts.flag("XD_PSK_isAbstract")
    entity.renamingIdentifier = ReadNames.renamingIdentifier(
      try facts.string("XD_PSK_elementID"), of: name)
    entity.versionHashModifier = try facts.nonEmpty("XD_PSK_versionHashModifier")
    entity.userInfo = try userInfo(facts, "XD_PSK_userInfo", "entity “\(name)”")
    entity.uniquenessConstraints = try facts.stringLists("XDPMUniquenessConstraints", &allowance)
    entity.compoundIndexes = try facts.stringLists("XDPMCompoundIndexes", &allowance)
    let requests = try facts.list("XD_PSK_fetchRequestsArray", &allowance)
    if !requests.isEmpty {
      warnings.append("entity “\(name)”: its fetch requests (\(requests.count)) are ignored")
    }
    for (property, child) in try node.entries("XDBucketForOwnedAttributesstorage", &allowance) ?? [] {
      try ArchivePlace.at("property “\(name).\(property)”") { try take(child, named: property, into: &entity) }
    }
    return entity
  }

  mutating func userInfo(_ facts: ElementsFacts, _ key: String, _ place: String) throws -> [String: String] {
    var info: [String: String] = [:]
    for (name, value) in try facts.entries(key, &allowance) {
      info[name] = value?.string
      if info[name] == nil, !UserInfoKey.isApples(name) {
        warnings.append("\(place): the user info “\(name)” is \(value?.kind ?? "nil") and is ignored")
      }
    }
    return info
  }
}
