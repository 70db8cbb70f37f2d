internal import DecantConsole
internal import DecantModel
internal import Foundation

/// Turns entities and properties into lists of traits to compare and show.
enum ModelTraits {
  /// The values of traits, by the traits' names.
  ///
  /// A flag that isn't set has no entry.
  typealias List = [String: String]

  /// Traits that are either set or not.
  static let flags: Set = [
    "abstract", "optional", "transient", "indexed", "ordered", "external storage", "kept after deletion",
  ]

  /// Traits whose change needs no migration.
  ///
  /// For example, a store that lacks a new index is a valid store of the new version.
  static let unstored: Set = [
    "class", "compound indexes", "default", "delete rule", "indexed", "indexes", "maximum", "minimum",
    "pattern",
    "renaming identifier", "request", "transformer", "user info", "validation",
  ]

  /// Traits that are lists, with the words before a member.
  static let lists = ["indexes": "index", "compound indexes": "compound index", "unique": "uniqueness of"]
  private static let separator = "; "

  static func additions(_ detail: ModelDifference.Detail) -> [String] {
    let before = Set((detail.from ?? "").components(separatedBy: separator))
    return (detail.to ?? "").components(separatedBy: separator).filter { !$0.isEmpty && !before.contains($0) }
  }

  static func removals(_ detail: ModelDifference.Detail) -> [String] {
    additions(.init(what: detail.what, from: detail.to, to: detail.from))
  }

  static func differences(_ before: List, _ after: List) -> [ModelDifference.Detail] {
    Set(before.keys).union(after.keys).sorted().compactMap { key in
      before[key] == after[key] ? nil : .init(what: key, from: before[key], to: after[key])
    }
  }

  /// - Parameter matching: Gives the new names of entities, for an entity of the old version; `nil` for the new
  ///   version.
  static func of(_ entity: Entity, _ matching: DifferenceMatching?) -> List {
    var list: List = [:]
    list["parent"] = entity.superentityName.map { matching?.newName(of: $0) ?? $0 }
    if entity.isAbstract { list["abstract"] = "yes" }
    list["renaming identifier"] = identifier(entity.renamingIdentifier, entity.name)
    list["user info"] = text(entity.userInfo)
    list["class"] = entity.managedObjectClassName.flatMap { $0 == entity.name ? nil : $0 }
    list["hash modifier"] = entity.versionHashModifier
    list["unique"] = text(entity.uniquenessConstraints)
    list["compound indexes"] = text(entity.compoundIndexes)
    let indexes = entity.fetchIndexes.map { index in
      let elements = index.elements.map { $0.property + ($0.isAscending ? "" : " descending") }
      return "\(index.name) (\(elements.joined(separator: ", ")))"
        + (index.partialIndexPredicate.map { " where \($0)" } ?? "")
    }
    if !indexes.isEmpty { list["indexes"] = indexes.sorted().joined(separator: "; ") }
    return list
  }

  static func of(_ attribute: Attribute) -> List {
    var list: List = ["type": attribute.type.name]
    if attribute.isOptional { list["optional"] = "yes" }
    if attribute.isTransient { list["transient"] = "yes" }
    if attribute.isIndexed { list["indexed"] = "yes" }
    if attribute.allowsExternalBinaryDataStorage { list["external storage"] = "yes" }
    if attribute.preservesValueAfterDeletion { list["kept after deletion"] = "yes" }
    list["hash modifier"] = attribute.versionHashModifier
    list["renaming identifier"] = identifier(attribute.renamingIdentifier, attribute.name)
    list["user info"] = text(attribute.userInfo)
    list["validation"] = text([attribute.validationPredicates.map(\.format)].filter { !$0.isEmpty })
    list["default"] = attribute.defaultValue.map(text)
    list["minimum"] = attribute.limits.minimum.map(text)
    list["maximum"] = attribute.limits.maximum.map(text)
    list["pattern"] = attribute.limits.regularExpression
    list["transformer"] = attribute.valueTransformerName
    list["derived from"] = attribute.derivationExpression
    if !attribute.elements.isEmpty {
      list["elements"] = attribute.elements.map { "\($0.name) \($0.type.name)" }.sorted().joined(
        separator: ", ")
    }
    return list
  }

  static func of(_ relationship: Relationship, _ matching: DifferenceMatching?) -> List {
    var list: List = [
      "destination": matching?.newName(of: relationship.destinationEntityName)
        ?? relationship.destinationEntityName,
      "cardinality": relationship.isToMany ? "to-many" : "to-one",
    ]
    list["inverse"] = relationship.inverseName
    if relationship.isOptional { list["optional"] = "yes" }
    if relationship.isTransient { list["transient"] = "yes" }
    if relationship.isOrdered { list["ordered"] = "yes" }
    if relationship.isIndexed { list["indexed"] = "yes" }
    if relationship.minimumCount > 0 { list["minimum count"] = "\(relationship.minimumCount)" }
    if relationship.isToMany, relationship.maximumCount > 0 {
      list["maximum count"] = "\(relationship.maximumCount)"
    }
    if relationship.deleteRule != .nullify { list["delete rule"] = "\(relationship.deleteRule)" }
    list["hash modifier"] = relationship.versionHashModifier
    list["renaming identifier"] = identifier(relationship.renamingIdentifier, relationship.name)
    list["user info"] = text(relationship.userInfo)
    return list
  }

  static func of(_ property: FetchedProperty) -> List {
    var list: List = [:]
    if property.isOptional { list["optional"] = "yes" }
    list["request"] = property.request.map(text)
    list["user info"] = text(property.userInfo)
    return list
  }

  private static func identifier(_ identifier: String?, _ name: String) -> String? {
    identifier == name ? nil : identifier
  }

  private static func text(_ userInfo: [String: String]) -> String? {
    userInfo.isEmpty
      ? nil : userInfo.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
  }

  static func text(_ request: FetchRequestTemplate) -> String {
    var parts = [request.entityName + (request.predicateFormat.map { " where \($0)" } ?? "")]
    if request.fetchLimit > 0 { parts.append("limit \(request.fetchLimit)") }
    if request.fetchBatchSize > 0 { parts.append("batches of \(request.fetchBatchSize)") }
    if request.resultType != 0 { parts.append("result type \(request.resultType)") }
    parts += request.flags.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value ? "yes" : "no")" }
    return parts.joined(separator: ", ")
  }

  private static func text(_ groups: [[String]]) -> String? {
    groups.isEmpty ? nil : groups.map { $0.joined(separator: " + ") }.sorted().joined(separator: "; ")
  }

  static func text(_ value: AttributeValue) -> String {
    switch value {
    case .string(let text): "“\(text)”"
    case .integer(let number): "\(number)"
    case .boolean(let flag): flag ? "yes" : "no"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .date(let seconds):
      abs(seconds) < 1e11
        ? Date(timeIntervalSinceReferenceDate: seconds).ISO8601Format() : "\(seconds)"
    case .binary(let data): Quantity.bytes(data.count)
    case .uuid(let uuid): uuid.uuidString
    case .uri(let text): text
    }
  }
}
