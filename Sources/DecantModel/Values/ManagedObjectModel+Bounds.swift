/// Limits that bound the cost of a hostile model.
///
/// Hashes and layouts read every property of every entity, inherited ones included. So a small file could otherwise
/// cause days of work. Genuine models seen are far below the limits.
extension ManagedObjectModel {
  /// The largest number of an entity's ancestors, because recursion needs a limit; genuine models seen have up to 4.
  static let maximumAncestors = 200
  /// The largest number of properties of one entity, own and inherited.
  static let maximumProperties = 4_000
  /// The largest number of properties of all entities together, own and inherited.
  static let maximumPropertiesInAll = 250_000

  /// The inheritance must have been checked before.
  func checkBounds() throws(ModelError) {
    var counts: [String: Int] = [:]
    for entity in entities {
      counts[entity.name] =
        entity.attributes.reduce(0) { $0 + $1.countWithElements } + entity.relationships.count
        + entity.fetchedProperties.count
    }
    var total = 0
    for entity in entities {
      let count = chain(of: entity.name).reduce(0) { $0 + (counts[$1.name] ?? 0) }
      guard count <= Self.maximumProperties else {
        throw .tooManyProperties(entity: entity.name, limit: Self.maximumProperties)
      }
      total += count
      guard total <= Self.maximumPropertiesInAll else {
        throw .tooManyProperties(entity: nil, limit: Self.maximumPropertiesInAll)
      }
    }
  }
}

extension Attribute {
  /// The largest depth of nested composites, which are read by recursion; genuine models seen nest them once.
  static let maximumCompositeDepth = 16

  fileprivate var countWithElements: Int { elements.reduce(1) { $0 + $1.countWithElements } }
}
