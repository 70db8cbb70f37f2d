/// A managed object model: one version of a schema.
///
/// A value of this type is complete: every parent, destination, inverse and configuration member exists. Other code
/// needn't check that again.
public struct ManagedObjectModel: Sendable {
  /// The entities in name order without regard to case, as Core Data numbers them within one parent
  /// (docs/formats/core-data-sqlite.md 1.1).
  public let entities: [Entity]
  public let configurations: [ModelConfiguration]
  public let fetchRequests: [FetchRequestTemplate]
  public let versionIdentifiers: [String]

  private let byName: [String: Int]
  private let children: [String: [String]]
  let lookups = ModelLookups()

  /// Makes a model after checking that it is complete.
  ///
  /// Files list properties, configurations and fetch requests in an order without meaning. The model has them in name
  /// order (code points), so that models of equal content are equal.
  ///
  /// - Throws: `ModelError`, which names the faulty part.
  public init(
    entities: [Entity], configurations: [ModelConfiguration] = [], fetchRequests: [FetchRequestTemplate] = [],
    versionIdentifiers: [String] = []
  ) throws(ModelError) {
    let sorted = entities.map(\.inNameOrder).sorted { NameOrder.ignoringCase($0.name, $1.name) }
    var byName: [String: Int] = [:]
    var children: [String: [String]] = [:]
    for (index, entity) in sorted.enumerated() {
      guard byName.updateValue(index, forKey: entity.name) == nil else { throw .duplicateEntity(entity.name) }
      children[entity.superentityName ?? "", default: []].append(entity.name)
    }
    self.entities = sorted
    self.configurations = configurations.map {
      ModelConfiguration(name: $0.name, entityNames: $0.entityNames.sorted(by: NameOrder.codePoints))
    }.sorted { NameOrder.codePoints($0.name, $1.name) }
    self.fetchRequests = fetchRequests.sorted { NameOrder.codePoints($0.name, $1.name) }
    self.versionIdentifiers = versionIdentifiers
    self.byName = byName
    self.children = children
    try checkInheritance()
    try checkBounds()
    try checkProperties()
    for configuration in configurations {
      for name in configuration.entityNames where byName[name] == nil {
        throw .unknownEntity(name, whereNamed: "configuration “\(configuration.name)”")
      }
    }
  }

  package static let withoutEntities = ManagedObjectModel()

  private init() {
    entities = []
    configurations = []
    fetchRequests = []
    versionIdentifiers = []
    byName = [:]
    children = [:]
  }

  /// The entity of that name; `nil` if there is none.
  public func entity(named name: String) -> Entity? {
    byName[name].map { entities[$0] }
  }

  /// The entities without a parent, in name order.
  public var rootEntities: [Entity] { entities.filter { $0.superentityName == nil } }

  /// The direct subentities of an entity, in name order.
  public func subentities(of name: String) -> [Entity] {
    (children[name] ?? []).compactMap { entity(named: $0) }
  }

  /// The entity and all its subentities, depth first in name order; empty if there is no such entity.
  public func family(of name: String) -> [Entity] {
    guard let entity = entity(named: name) else { return [] }
    return [entity] + subentities(of: name).flatMap { family(of: $0.name) }
  }

  /// The entity and its ancestors, the root last; empty if there is no such entity.
  public func chain(of name: String) -> [Entity] {
    var chain: [Entity] = []
    var next: String? = name
    while let current = next, let entity = entity(named: current) {
      chain.append(entity)
      next = entity.superentityName
    }
    return chain
  }

  /// The entity's topmost ancestor, or the entity itself if it has none; `nil` if there is no such entity.
  ///
  /// A store has the rows of the entity in the table of this root entity.
  public func root(of name: String) -> Entity? { lookups(of: name).root.flatMap(entity(named:)) }

  /// The name of the root entity that `root(of:)` gives.
  public func rootName(of name: String) -> String? { lookups(of: name).root }

  /// Whether the entity `name` is `ancestor` itself, or inherits from `ancestor`.
  public func isKind(_ name: String, of ancestor: String) -> Bool {
    lookups(of: name).kinds.contains(ancestor)
  }

  /// Own and inherited attributes in name order (code points); a child's own declaration replaces the parent's.
  public func attributes(of name: String) -> [Attribute] {
    lookups(of: name).attributes
  }

  /// Own and inherited relationships in name order (code points).
  public func relationships(of name: String) -> [Relationship] {
    lookups(of: name).relationships
  }

  /// The attribute of that name, own or inherited; `nil` if there is none.
  public func attribute(_ property: String, of name: String) -> Attribute? {
    lookups(of: name).attributesByName[property]
  }

  /// The relationship of that name, own or inherited; `nil` if there is none.
  public func relationship(_ property: String, of name: String) -> Relationship? {
    lookups(of: name).relationshipsByName[property]
  }

  /// The entity that declares an attribute or relationship: the given entity, or else the nearest ancestor.
  ///
  /// It is `nil` if the entity has no such property.
  public func declaringEntity(of property: String, in name: String) -> Entity? {
    lookups(of: name).declaringNames[property].flatMap(entity(named:))
  }

  /// The other end of a relationship, with the entity that declares it; `nil` without an inverse.
  public func inverse(of relationship: Relationship) -> (entity: Entity, relationship: Relationship)? {
    guard let name = relationship.inverseName,
      let inverse = self.relationship(name, of: relationship.destinationEntityName),
      let declaring = declaringEntity(of: name, in: relationship.destinationEntityName)
    else { return nil }
    return (declaring, inverse)
  }

  private func lookups(of name: String) -> EntityLookups {
    lookups.entity(name) { EntityLookups(chain(of: name)) }
  }
}

extension ManagedObjectModel: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    left.entities == right.entities && left.configurations == right.configurations
      && left.fetchRequests == right.fetchRequests && left.versionIdentifiers == right.versionIdentifiers
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(entities)
    hasher.combine(versionIdentifiers)
  }
}
