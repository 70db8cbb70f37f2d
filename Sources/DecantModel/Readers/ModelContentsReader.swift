public import Foundation

/// Reads the `contents` file of an `.xcdatamodel`, Xcode 4 and later (docs/formats/model-files.md 2).
public struct ModelContentsReader {
  private static let type = "com.apple.IDECoreDataModeler.DataModel"

  /// The largest number of elements of one composite attribute, nested ones included.
  ///
  /// Without this limit, a few small composites that contain each other several times could have billions of elements.
  private static let maximumElements = 10_000

  private let root: XMLTree
  var warnings: [String] = []
  /// The composites by name; their elements may be composites, too.
  private var composites: [String: XMLTree] = [:]

  /// Reads a model from the bytes of a `contents` file.
  ///
  /// - Throws: `ModelError`; for a fault within a model, with the faulty line or part.
  public static func read(_ data: Data) throws(ModelError) -> ModelReading {
    var reader = Self(root: try XMLTree.parse(data))
    return try reader.read()
  }

  private init(root: XMLTree) {
    self.root = root
  }

  private mutating func read() throws(ModelError) -> ModelReading {
    guard root.name == "model" else { throw .notAModel(what: "the root element is “\(root.name)”") }
    if let type = root.attributes["type"], type != Self.type {
      throw .notAModel(what: "the file says that it is of type “\(type)”")
    }
    for composite in root.all("composite") { composites[try composite.required("name")] = composite }
    var entities: [Entity] = []
    var configurations: [ModelConfiguration] = []
    var requests: [FetchRequestTemplate] = []
    for element in root.children {
      switch element.name {
      case "entity": entities.append(try entity(element))
      case "configuration":
        var names: [String] = []
        for member in element.all("memberEntity") { names.append(try member.required("name")) }
        configurations.append(ModelConfiguration(name: try element.required("name"), entityNames: names))
      case "fetchRequest": requests.append(try fetchRequest(element))
      case "composite", "elements": break
      default: pass(element, in: "model")
      }
    }
    warnings += ContentsVocabulary.warnings(about: root)
    let identifier = root.attributes["userDefinedModelVersionIdentifier"] ?? ""
    let model = try ManagedObjectModel(
      entities: entities, configurations: configurations, fetchRequests: requests,
      versionIdentifiers: [identifier])
    return ModelReading(model: model, warnings: warnings)
  }

  private mutating func entity(_ element: XMLTree) throws(ModelError) -> Entity {
    var entity = Entity(name: try element.required("name"))
    entity.managedObjectClassName = ReadNames.managedObjectClass(element.attributes["representedClassName"])
    entity.superentityName = element.nonEmpty("parentEntity")
    entity.isAbstract = element.flag("isAbstract")
    entity.renamingIdentifier = element.renamingIdentifier
    entity.versionHashModifier = element.nonEmpty("versionHashModifier")
    for child in element.children {
      switch child.name {
      case "attribute": entity.attributes.append(try attribute(child, of: entity.name))
      case "relationship": entity.relationships.append(try relationship(child, of: entity.name))
      case "fetchedProperty": entity.fetchedProperties.append(try fetchedProperty(child))
      case "fetchIndex": entity.fetchIndexes.append(try fetchIndex(child))
      case "compoundIndexes":
        for index in child.all("compoundIndex") {
          entity.compoundIndexes.append(try values(of: index, in: "index"))
        }
      case "uniquenessConstraints":
        for constraint in child.all("uniquenessConstraint") {
          entity.uniquenessConstraints.append(try values(of: constraint, in: "constraint"))
        }
      case "userInfo": entity.userInfo = child.entries
      default: pass(child, in: "entity “\(entity.name)”")
      }
    }
    return entity
  }

  private mutating func attribute(_ element: XMLTree, of entity: String) throws(ModelError) -> Attribute {
    let name = try element.required("name")
    var attribute = Attribute(name: name, type: .undefined)
    if let typeName = element.attributes["attributeType"] {
      guard let type = AttributeType(named: typeName) else {
        throw .badValue(
          element: "attribute “\(entity).\(name)”", attribute: "attributeType", value: typeName,
          expected: "one of \(AttributeType.allCases.map(\.name).joined(separator: ", "))")
      }
      attribute.type = type
    }
    attribute.isOptional = element.flag("optional")
    attribute.isTransient = element.flag("transient")
    attribute.isIndexed = element.flag("indexed")
    attribute.renamingIdentifier = element.renamingIdentifier
    attribute.versionHashModifier = element.nonEmpty("versionHashModifier")
    attribute.allowsExternalBinaryDataStorage = element.flag("allowsExternalBinaryDataStorage")
    attribute.preservesValueAfterDeletion =
      element.flag("preserveAfterDeletion") || element.flag("preservesValueInHistoryOnDeletion")
    attribute.valueTransformerName = element.nonEmpty("valueTransformerName")
    attribute.customClassName = element.nonEmpty("customClassName")
    if element.flag("derived") || element.nonEmpty("derivationExpression") != nil {
      attribute.derivationExpression = element.attributes["derivationExpression"] ?? ""
    }
    attribute.defaultValue = AttributeText.defaultValue(element, type: attribute.type)
    attribute.limits = AttributeText.limits(element, type: attribute.type)
    attribute.userInfo = element.first("userInfo")?.entries ?? [:]
    if attribute.type == .composite {
      let composite = try element.required("composite")
      var left = Self.maximumElements
      attribute.elements = try elements(of: composite, attribute: name, entity: entity, open: [], left: &left)
    }
    return attribute
  }

  private mutating func elements(
    of composite: String, attribute: String, entity: String, open: Set<String>, left: inout Int
  ) throws(ModelError) -> [Attribute] {
    guard let tree = composites[composite] else {
      throw .unknownComposite(entity: entity, attribute: attribute, composite: composite)
    }
    guard open.count < Attribute.maximumCompositeDepth else {
      throw .compositeTooDeep(entity: entity, attribute: attribute, limit: Attribute.maximumCompositeDepth)
    }
    guard !open.contains(composite) else {
      throw .compositeCycle(entity: entity, attribute: attribute, composite: composite)
    }
    var elements: [Attribute] = []
    for child in tree.all("attribute") {
      left -= 1
      guard left >= 0 else {
        throw .compositeTooLarge(entity: entity, attribute: attribute, limit: Self.maximumElements)
      }
      if child.attributes["attributeType"] == AttributeType.composite.name {
        var nested = child
        let inner = try child.required("composite")
        nested = XMLTree(
          name: child.name, attributes: child.attributes.merging(["attributeType": "Undefined"]) { $1 },
          line: child.line)
        var element = try self.attribute(nested, of: "\(entity).\(attribute)")
        element.type = .composite
        element.elements = try self.elements(
          of: inner, attribute: attribute, entity: entity, open: open.union([composite]),
          left: &left)
        elements.append(element)
      } else {
        elements.append(try self.attribute(child, of: "\(entity).\(attribute)"))
      }
    }
    return elements
  }

  private mutating func relationship(_ element: XMLTree, of entity: String) throws(ModelError) -> Relationship {
    let name = try element.required("name")
    let isToMany = element.flag("toMany")
    let place = "relationship “\(entity).\(name)”"
    var relationship = Relationship(
      name: name, destinationEntityName: element.attributes["destinationEntity"] ?? "")
    relationship.inverseName = element.nonEmpty("inverseName")
    relationship.isOptional = element.flag("optional")
    relationship.isTransient = element.flag("transient")
    relationship.isIndexed = element.flag("indexed")
    relationship.isOrdered = element.flag("ordered")
    relationship.renamingIdentifier = element.renamingIdentifier
    relationship.versionHashModifier = element.nonEmpty("versionHashModifier")
    relationship.minimumCount = try element.count("minCount", default: 0, place: place)
    relationship.maximumCount = try element.count("maxCount", default: isToMany ? 0 : 1, place: place)
    if isToMany, relationship.maximumCount == 1 {
      warnings.append("\(place) is to-many with a maximum of 1, which Core Data treats as to-one")
    }
    switch element.attributes["deletionRule"] ?? "Nullify" {
    case "No Action": relationship.deleteRule = .noAction
    case "Nullify": relationship.deleteRule = .nullify
    case "Cascade": relationship.deleteRule = .cascade
    case "Deny": relationship.deleteRule = .deny
    case let rule: warnings.append("\(place) has the unknown deletion rule “\(rule)”; read as Nullify")
    }
    relationship.userInfo = element.first("userInfo")?.entries ?? [:]
    return relationship
  }

  private mutating func fetchedProperty(_ element: XMLTree) throws(ModelError) -> FetchedProperty {
    var property = FetchedProperty(name: try element.required("name"), isOptional: element.flag("optional"))
    if let request = element.first("fetchRequest") { property.request = try fetchRequest(request) }
    property.userInfo = element.first("userInfo")?.entries ?? [:]
    return property
  }

  private func fetchRequest(_ element: XMLTree) throws(ModelError) -> FetchRequestTemplate {
    let name = try element.required("name")
    let place = "fetch request “\(name)”"
    var request = FetchRequestTemplate(name: name, entityName: element.attributes["entity"] ?? "")
    request.predicateFormat = element.nonEmpty("predicateString")
    request.fetchLimit = try element.count("fetchLimit", default: 0, place: place)
    request.fetchBatchSize = try element.count("fetchBatchSize", default: 0, place: place)
    request.resultType = try element.count("resultType", default: 0, place: place)
    let flags = [
      "includeSubentities", "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults",
      "returnDistinctResults",
    ]
    for flag in flags where element.attributes[flag] != nil { request.flags[flag] = element.flag(flag) }
    return request
  }

  private mutating func fetchIndex(_ element: XMLTree) throws(ModelError) -> FetchIndex {
    var index = FetchIndex(name: try element.required("name"), elements: [])
    index.partialIndexPredicate = element.nonEmpty("partialIndexPredicate")
    for part in element.all("fetchIndexElement") {
      let property = part.attributes["property"] ?? part.attributes["expression"] ?? ""
      let kind: FetchIndex.Element.Kind =
        switch part.attributes["type"] ?? "Binary" {
        case "RTree", "R-Tree": .rTree
        default: .binary
        }
      index.elements.append(
        FetchIndex.Element(
          property: property, kind: kind, isAscending: part.attributes["order"] != "descending"))
    }
    return index
  }

  private func values(of element: XMLTree, in name: String) throws(ModelError) -> [String] {
    var values: [String] = []
    for child in element.all(name) { values.append(try child.required("value")) }
    return values
  }

  private mutating func pass(_ element: XMLTree, in place: String) {
    warnings.append("line \(element.line): unknown element “\(element.name)” in \(place) ignored")
  }
}

extension XMLTree {
  fileprivate func flag(_ name: String) -> Bool {
    attributes[name] == "YES" || attributes[name] == "true"
  }

  fileprivate func nonEmpty(_ name: String) -> String? {
    attributes[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  fileprivate var renamingIdentifier: String? {
    ReadNames.renamingIdentifier(
      nonEmpty("elementID") ?? nonEmpty("renamingIdentifier"), of: attributes["name"] ?? "")
  }

  fileprivate var entries: [String: String] {
    var entries: [String: String] = [:]
    for entry in all("entry") {
      if let key = entry.attributes["key"] { entries[key] = entry.attributes["value"] ?? "" }
    }
    return entries
  }

  package func required(_ attribute: String) throws(ModelError) -> String {
    guard let value = nonEmpty(attribute) else {
      throw .missingAttribute(element: name, attribute: attribute, line: line)
    }
    return value
  }

  fileprivate func count(_ attribute: String, default value: Int, place: String) throws(ModelError) -> Int {
    guard let text = nonEmpty(attribute) else { return value }
    guard let number = Int(text), let count = Int32(exactly: number) else {
      throw .badValue(element: place, attribute: attribute, value: text, expected: "a whole number of 32 bits")
    }
    return Int(count)
  }
}
