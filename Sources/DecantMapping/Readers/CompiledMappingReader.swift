internal import DecantModel
internal import Foundation
internal import KeyedArchive
internal import PredicateFormat

/// Reads a compiled mapping model (`.cdm`, docs/formats/mapping-models.md 2).
struct CompiledMappingReader {
  let path: String
  private var allowance = ArchiveAllowance()
  var warnings: [String] = []

  init(path: String) { self.path = path }

  mutating func read(_ data: Data, name: String) throws(MappingModelError) -> MappingModel {
    var model = MappingModel(name: name, origin: .file(path: path), entityMappings: [])
    do throws(ArchiveError) {
      let root = try Archive(parsing: data).root()
      guard let mappings = try root.list("NSEntityMappings", &allowance) else {
        throw ArchiveError.missing(className: root.className ?? "object", key: "NSEntityMappings")
      }
      guard mappings.count <= MappingLimits.entityMappings else {
        throw ArchiveError.tooManyMembers(limit: MappingLimits.entityMappings)
      }
      for mapping in mappings { model.entityMappings.append(try entityMapping(mapping)) }
    } catch {
      throw .malformed(path: path, reason: error.description)
    }
    for index in model.entityMappings.indices { try takeFilter(&model.entityMappings[index]) }
    return model
  }

  private mutating func entityMapping(_ node: ArchiveNode) throws(ArchiveError) -> EntityMapping {
    try require("NSEntityMapping", node, "an entity mapping")
    let number = try node.integer("NSMappingType") ?? 0
    guard let type = EntityMappingType(rawValue: Int(truncatingIfNeeded: number)),
      Int64(type.rawValue) == number
    else {
      throw .wrongKind(
        className: "NSEntityMapping", key: "NSMappingType", found: "\(number)", expected: "a number from 0 to 5"
      )
    }
    var mapping = EntityMapping(
      name: try node.requiredString("NSMappingName"), type: type,
      sourceEntityName: try node.string("NSSourceEntityName"),
      destinationEntityName: try node.string("NSDestinationEntityName"))
    mapping.policy = try node.string("NSEntityMigrationPolicyClassName").flatMap(EntityMapping.Policy.named)
    mapping.sourceHash = try hash("NSSourceEntityVersionHash", of: node)
    mapping.destinationHash = try hash("NSDestinationEntityVersionHash", of: node)
    mapping.sourceExpression = try expression("NSSourceExpression", of: node)
    for (key, value) in try node.entries("NSUserInfo", &allowance) ?? [] {
      mapping.userInfo[key] = value?.string
    }
    for row in try node.list("NSAttributeMappings", &allowance) ?? [] {
      let (name, value) = try property(row)
      mapping.attributeMappings.append(
        AttributeMapping(destinationName: name, value: value.map(AttributeMapping.Value.expression) ?? .unset))
    }
    for row in try node.list("NSRelationshipMappings", &allowance) ?? [] {
      let (name, value) = try property(row)
      mapping.relationshipMappings.append(
        RelationshipMapping(
          destinationName: name, value: value.map(RelationshipMapping.Value.expression) ?? .unset))
    }
    return mapping
  }

  private mutating func property(_ node: ArchiveNode) throws(ArchiveError) -> (String, FormatExpression?) {
    try require("NSPropertyMapping", node, "a property mapping")
    let name = try node.requiredString("NSDestinationPropertyName")
    if try node.member("NSPropertyTransforms") != nil {
      warnings.append("the transforms of property mapping “\(name)” are ignored")
    }
    return (name, try expression("NSValueExpression", of: node))
  }

  private mutating func expression(
    _ key: String, of node: ArchiveNode
  ) throws(ArchiveError) -> FormatExpression? {
    guard let member = try node.member(key) else { return nil }
    return try FormatExpression(archive: member, allowance: &allowance)
  }

  private func hash(_ key: String, of node: ArchiveNode) throws(ArchiveError) -> VersionHash? {
    guard let member = try node.member(key) else { return nil }
    guard let hash = member.data.flatMap(VersionHash.init) else {
      throw .wrongKind(
        className: "NSEntityMapping", key: key, found: member.kind, expected: "a hash of 32 bytes")
    }
    return hash
  }

  private func require(_ name: String, _ node: ArchiveNode, _ expected: String) throws(ArchiveError) {
    guard node.className == name else { throw .unknownClass(node.className ?? node.kind, expected: expected) }
  }

  private func takeFilter(_ mapping: inout EntityMapping) throws(MappingModelError) {
    guard let fetch = mapping.sourceExpression.flatMap(SourceFetch.init),
      fetch.entity == mapping.sourceEntityName
    else { return }
    mapping.filter = try ExpressionText.filter(
      fetch.predicate, path: path, place: "entity mapping “\(mapping.name)”, filter")
    mapping.sourceExpression = nil
  }
}
