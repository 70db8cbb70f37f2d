internal import Foundation
internal import KeyedArchive

extension ModelElementsReader {
  mutating func take(_ node: ArchiveNode?, named name: String, into entity: inout Entity) throws {
    guard let node, let className = node.className else {
      throw ArchiveError.unknownClass("nil", expected: "a property")
    }
    switch className {
    case "XDPMAttribute": entity.attributes.append(try attribute(node, named: name, of: entity.name))
    case "XDPMRelationship": entity.relationships.append(try relationship(node, named: name, of: entity.name))
    default: throw ArchiveError.unknownClass(className, expected: "an attribute or relationship")
    }
  }

  private mutating func attribute(_ node: ArchiveNode, named name: String, of entity: String) throws
    -> Attribute
  {
    let facts = try ElementsFacts(of: node, &allowance)
    let place = "attribute “\(entity).\(name)”"
    let code = try facts.integer32("XD_PAttK_attributeType") ?? 0
    guard let type = Int32(exactly: code).flatMap(AttributeType.init) else {
      throw ModelError.badValue(
        element: place, attribute: "XD_PAttK_attributeType", value: "\(code)",
        expected: "the code of an attribute type")
    }
    var attribute = Attribute(name: name, type: type)
    attribute.isOptional = try facts.flag("XD_PPSK_isOptional")
    attribute.isTransient = try facts.flag("XD_PPSK_isTransient")
    attribute.isIndexed = try facts.flag("XD_PPSK_isIndexed")
    attribute.renamingIdentifier = ReadNames.renamingIdentifier(
      try facts.string("XD_PPSK_elementID"), of: name)
    attribute.versionHashModifier = try facts.nonEmpty("XD_PPSK_versionHashModifier")
    attribute.allowsExternalBinaryDataStorage = try facts.flag("XD_PAttK_allowsExternalBinaryDataStorage")
    attribute.valueTransformerName = try facts.nonEmpty("XD_PAttK_valueTransformerName")
    attribute.defaultValue = try value(facts, "XD_PAttK_defaultValueAsString", type: type, place)
    // A string's limits are lengths.
    let limitType: AttributeType = type == .string ? .integer64 : type
    attribute.limits = Attribute.Limits(
      minimum: try value(facts, "XD_PAttK_minValueString", type: limitType, place),
      maximum: try value(facts, "XD_PAttK_maxValueString", type: limitType, place),
      regularExpression: try facts.nonEmpty("XD_PAttK_regularExpressionString"))
    attribute.userInfo = try userInfo(facts, "XD_PPSK_userInfo", place)
    return attribute
  }

  /// Reads a value from its text.
  ///
  /// The text of a date is written for display in some locale, so it is never parsed.
  private mutating func value(
    _ facts: ElementsFacts, _ key: String, type: AttributeType, _ place: String
  ) throws -> AttributeValue? {
    guard let node = try facts.node(key) else { return nil }
    if type == .date {
      if let seconds = node.date { return .date(seconds) }
      warnings.append("\(place): the date in “\(key)” is ignored, because its format isn't known")
      return nil
    }
    guard let text = try facts.string(key) else { return nil }
    return AttributeText.value(text: text, interval: nil, type: type)
  }

  private mutating func relationship(
    _ node: ArchiveNode, named name: String, of entity: String
  ) throws -> Relationship {
    let facts = try ElementsFacts(of: node, &allowance)
    let isToMany = try facts.flag("XD_PRK_isToMany")
    var relationship = Relationship(
      name: name, destinationEntityName: try facts.name("XD_PRK_destination", of: "XDPMEntity") ?? "")
    relationship.inverseName = try facts.name("XD_PRK_inverseRelationship", of: "XDPMRelationship")
    relationship.isOptional = try facts.flag("XD_PPSK_isOptional")
    relationship.isTransient = try facts.flag("XD_PPSK_isTransient")
    relationship.isIndexed = try facts.flag("XD_PPSK_isIndexed")
    relationship.isOrdered = try facts.flag("XD_PRK_ordered")
    relationship.minimumCount = try facts.integer32("XD_PRK_minCount") ?? 0
    relationship.maximumCount = try facts.integer32("XD_PRK_maxCount") ?? (isToMany ? 0 : 1)
    let rule = try facts.integer32("XD_PRK_deleteRule") ?? DeleteRule.nullify.rawValue
    guard let deleteRule = DeleteRule(rawValue: rule) else {
      throw ModelError.badValue(
        element: "relationship “\(entity).\(name)”", attribute: "XD_PRK_deleteRule", value: "\(rule)",
        expected: "a number from 0 to 3")
    }
    relationship.deleteRule = deleteRule
    relationship.renamingIdentifier = ReadNames.renamingIdentifier(
      try facts.string("XD_PPSK_elementID"), of: name)
    relationship.versionHashModifier = try facts.nonEmpty("XD_PPSK_versionHashModifier")
    relationship.userInfo = try userInfo(facts, "XD_PPSK_userInfo", "relationship “\(entity).\(name)”")
    return relationship
  }
}
