internal import Foundation
internal import KeyedArchive
internal import PredicateFormat

extension CompiledModelReader {
  /// Bits of `NSFlagsKey` (docs/formats/model-files.md 4.3).
  private static let (externalStorage, preservedAfterDeletion): (Int64, Int64) = (4, 16)

  /// Reads a property of an entity; a model cache's proxy of an inherited property is skipped.
  mutating func take(_ node: ArchiveNode?, named name: String, into entity: inout Entity) throws {
    guard let node else { throw ArchiveError.unknownClass("nil", expected: "a property") }
    if node.className != "_NSPropertyDescriptionProxy" {
      let own = try node.requiredString("NSPropertyName")
      guard own == name else {
        throw ModelError.archive(
          place: "property “\(entity.name).\(name)”", reason: "the archive also names it “\(own)”")
      }
    }
    switch node.className {
    case "_NSPropertyDescriptionProxy": break
    case "NSAttributeDescription", "NSDerivedAttributeDescription", "NSCompositeAttributeDescription":
      entity.attributes.append(try attribute(node, of: entity.name, depth: 0))
    case "NSRelationshipDescription": entity.relationships.append(try relationship(node, of: entity.name))
    case "NSFetchedPropertyDescription":
      entity.fetchedProperties.append(try fetchedProperty(node, of: entity.name))
    default:
      throw ArchiveError.unknownClass(
        node.className ?? node.kind, expected: "an attribute, relationship or fetched property")
    }
  }

  private mutating func attribute(_ node: ArchiveNode, of entity: String, depth: Int) throws -> Attribute {
    let name = try node.requiredString("NSPropertyName")
    let place = "attribute “\(entity).\(name)”"
    let code = try node.integer("NSAttributeType") ?? 0
    guard let type = Int32(exactly: code).flatMap(AttributeType.init) else {
      throw ModelError.badValue(
        element: place, attribute: "NSAttributeType", value: "\(code)",
        expected: "the code of an attribute type")
    }
    var attribute = Attribute(name: name, type: type)
    attribute.isOptional = try node.flag("NSIsOptional")
    attribute.isTransient = try node.flag("NSIsTransient")
    attribute.isIndexed = try node.flag("NSIsIndexed")
    attribute.renamingIdentifier = ReadNames.renamingIdentifier(
      try node.string("NSRenamingIdentifier"), of: name)
    attribute.versionHashModifier = try node.string("NSVersionHashModifier")
    let flags = try node.integer("NSFlagsKey") ?? 0
    attribute.allowsExternalBinaryDataStorage = flags & Self.externalStorage != 0
    attribute.preservesValueAfterDeletion = flags & Self.preservedAfterDeletion != 0
    attribute.valueTransformerName = try node.string("NSValueTransformerName").flatMap { $0.isEmpty ? nil : $0 }
    if let value = try node.member("NSDefaultValue") {
      attribute.defaultValue = try ArchivedValue.value(value, type: type)
      if attribute.defaultValue == nil {
        warnings.append("\(place): the default value, \(value.kind), is ignored")
      }
    }
    let validation = try ArchivedValidation(node, type: type, allowance: &allowance)
    attribute.limits = validation.limits
    attribute.validationPredicates = validation.predicates
    warnings += validation.warnings.map { "\(place): \($0)" }
    attribute.userInfo = try userInfo(of: node, place: place)
    if node.className == "NSDerivedAttributeDescription" {
      try takeDerivation(of: node, into: &attribute, place)
    }
    if node.className == "NSCompositeAttributeDescription" {
      guard depth < Attribute.maximumCompositeDepth else {
        throw ArchiveError.tooDeep(limit: Attribute.maximumCompositeDepth)
      }
      for element in try node.list("NSCompositeElements", &allowance) ?? [] {
        _ = try Self.object(element, of: "NSAttributeDescription", "NSCompositeAttributeDescription")
        attribute.elements.append(try self.attribute(element, of: "\(entity).\(name)", depth: depth + 1))
      }
    }
    return attribute
  }

  /// Reads the expression of a derived attribute.
  ///
  /// The version hash depends on the expression, so a model with an unreadable expression can't be read.
  private mutating func takeDerivation(
    of node: ArchiveNode, into attribute: inout Attribute, _ place: String
  ) throws {
    if let expression = try node.member("NSDerivationExpression") {
      attribute.derivationExpression = try FormatExpression(archive: expression, allowance: &allowance)
        .description
    } else {
      attribute.derivationExpression = ""
    }
    if try node.member("NSFilteringPredicate") != nil {
      warnings.append(
        "\(place): the derivation's filter is ignored; its effect on version hashes isn't known")
    }
  }

  private mutating func relationship(_ node: ArchiveNode, of entity: String) throws -> Relationship {
    let name = try node.requiredString("NSPropertyName")
    let destination =
      try node.string("_NSDestinationEntityName")
      ?? node.object("NSDestinationEntity", of: "NSEntityDescription")?.requiredString("NSEntityName")
    var relationship = Relationship(name: name, destinationEntityName: destination ?? "")
    relationship.inverseName =
      try node.string("_NSInverseRelationshipName")
      ?? node.object("NSInverseRelationship", of: "NSRelationshipDescription")?.requiredString("NSPropertyName")
    relationship.isOptional = try node.flag("NSIsOptional")
    relationship.isTransient = try node.flag("NSIsTransient")
    relationship.isIndexed = try node.flag("NSIsIndexed")
    relationship.isOrdered = try node.flag("NSIsOrdered")
    relationship.minimumCount = try node.integer32("NSMinCount") ?? 0
    relationship.maximumCount = try node.integer32("NSMaxCount") ?? 0
    let rule = try node.integer32("NSDeleteRule") ?? DeleteRule.nullify.rawValue
    guard let deleteRule = DeleteRule(rawValue: rule) else {
      throw ModelError.badValue(
        element: "relationship “\(entity).\(name)”", attribute: "NSDeleteRule", value: "\(rule)",
        expected: "a number from 0 to 3")
    }
    relationship.deleteRule = deleteRule
    relationship.renamingIdentifier = ReadNames.renamingIdentifier(
      try node.string("NSRenamingIdentifier"), of: name)
    relationship.versionHashModifier = try node.string("NSVersionHashModifier")
    let place = "relationship “\(entity).\(name)”"
    let validation = try ArchivedValidation(node, type: nil, allowance: &allowance)
    relationship.validationPredicates = validation.predicates
    warnings += validation.warnings.map { "\(place): \($0)" }
    relationship.userInfo = try userInfo(of: node, place: place)
    return relationship
  }
}
