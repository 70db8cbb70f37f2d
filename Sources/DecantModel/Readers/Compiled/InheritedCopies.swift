/// Removes a model cache's copies of inherited properties (docs/formats/model-files.md 4.1).
///
/// Older frameworks write inherited properties as proxies, which the reader skips. Newer ones write full copies
/// as properties of the subentity. A copy that equals the superentity's property counts as inherited. Even if
/// the subentity declares it again, hashes and stores are the same.
struct InheritedCopies {
  private let parents: [String: String]
  private let attributes: [String: [String: Attribute]]
  private let relationships: [String: [String: Relationship]]
  private let fetchedProperties: [String: [String: FetchedProperty]]

  /// Removes the copies; the inheritance is checked later.
  static func removed(from entities: [Entity]) -> [Entity] {
    guard entities.contains(where: { $0.superentityName != nil }) else { return entities }
    let copies = Self(entities)
    return entities.map { entity in
      guard entity.superentityName != nil else { return entity }
      var own = entity
      own.attributes.removeAll { attribute in
        copies.isInherited(entity.name, copies.attributes) {
          $0[attribute.name].map { $0.unmarked == attribute.unmarked }
        }
      }
      own.relationships.removeAll { relationship in
        copies.isInherited(entity.name, copies.relationships) {
          $0[relationship.name].map { $0 == relationship }
        }
      }
      own.fetchedProperties.removeAll { property in
        copies.isInherited(entity.name, copies.fetchedProperties) { $0[property.name].map { $0 == property } }
      }
      return own
    }
  }

  private init(_ entities: [Entity]) {
    func index<Property>(_ properties: (Entity) -> [(String, Property)]) -> [String: [String: Property]] {
      Dictionary(
        entities.map { ($0.name, Dictionary(properties($0), uniquingKeysWith: { first, _ in first })) },
        uniquingKeysWith: { first, _ in first })
    }
    parents = Dictionary(
      entities.compactMap { entity in entity.superentityName.map { (entity.name, $0) } },
      uniquingKeysWith: { first, _ in first })
    attributes = index { $0.attributes.map { ($0.name, $0) } }
    relationships = index { $0.relationships.map { ($0.name, $0) } }
    fetchedProperties = index { $0.fetchedProperties.map { ($0.name, $0) } }
  }

  /// Compares with the nearest ancestor that has the property; `answer` gives nil for an ancestor without it.
  private func isInherited<Property>(
    _ name: String, _ properties: [String: [String: Property]], _ answer: ([String: Property]) -> Bool?
  ) -> Bool {
    var ancestor = parents[name]
    for _ in 0..<ManagedObjectModel.maximumAncestors {
      guard let current = ancestor else { return false }
      if let found = properties[current].flatMap(answer) { return found }
      ancestor = parents[current]
    }
    return false
  }
}

extension Attribute {
  /// The attribute without its index mark, which copies don't always repeat.
  fileprivate var unmarked: Attribute {
    var attribute = self
    attribute.isIndexed = false
    return attribute
  }
}
