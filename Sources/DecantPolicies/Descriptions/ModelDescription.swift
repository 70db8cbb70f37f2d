public import DecantModel
public import Foundation

/// A managed object model, for policies and programs (Core Data's NSManagedObjectModel).
///
/// A program can make a model of entities, and change a model that was read. A migration uses the model as it is when
/// the migration begins.
open class ModelDescription: NSObject, NSCopying {
  /// The model as a value; it lacks the latest changes if `isSettled` is false.
  private final var held: ManagedObjectModel
  private final var isSettled = true
  /// The reason why the entities don't form a model; `nil` if they do.
  private final var problem: ModelError?
  private final let home = ModelReference()
  final var members: [EntityDescription] = []
  public internal(set) final var entitiesByName: [String: EntityDescription] = [:]
  private final var parts: [(name: String, entities: [EntityDescription])] = []
  /// The file from which the model was read; `nil` if there is none, and after a program has changed the model.
  package final var file: URL?

  public init(_ model: ManagedObjectModel) {
    held = model
    versionIdentifiers = Set(model.versionIdentifiers)
    super.init()
    home.model = self
    read()
  }

  /// Makes a model without entities.
  public override convenience init() { self.init(.withoutEntities) }

  public func copy(with zone: NSZone?) -> Any {
    let copy = ModelDescription(.withoutEntities)
    copy.held = held
    copy.entities = members.map { $0.duplicate() }
    copy.versionIdentifiers = versionIdentifiers
    for part in parts {
      copy.setEntities(
        part.entities.compactMap { copy.entitiesByName[$0.entity.name] }, forConfigurationName: part.name)
    }
    return copy
  }

  private func read() {
    let hashes = held.entityVersionHashes
    members = held.entities.map { EntityDescription($0, versionHash: hashes[$0.name], in: held, home: home) }
    nameEntities()
    for entity in members {
      if let parent = entity.entity.superentityName { entitiesByName[parent]?.adopt(entity) }
      entity.declared = entity.entity.attributes.declared.map { Self.description(of: $0) }
      entity.declared += entity.entity.relationships.map { RelationshipDescription($0) }
      for property in entity.declared { property.owner = entity.place }
    }
    for entity in members where entity.parent == nil { entity.refreshProperties() }
    for entity in members { bind(entity) }
    parts = held.configurations.map { part in (part.name, part.entityNames.compactMap { entitiesByName[$0] }) }
  }

  private static func description(of attribute: Attribute) -> AttributeDescription {
    if attribute.isDerived { return DerivedAttributeDescription(attribute) }
    return attribute.type == .composite
      ? CompositeAttributeDescription(attribute) : AttributeDescription(attribute)
  }

  // MARK: Entities

  /// The entities, in the model's order or in the order in which they were set.
  ///
  /// Subentities of an entity that is set belong to the model, too. An entity of another model stays there, and this
  /// model gets a copy.
  public final var entities: [EntityDescription] {
    get { members }
    set {
      for entity in members where !newValue.contains(where: { $0 === entity }) {
        entity.home = ModelReference()
      }
      var known: Set<ObjectIdentifier> = []
      let wanted = newValue.flatMap { isForeign($0) ? $0.family : [$0] }
        .filter { known.insert(ObjectIdentifier($0)).inserted }
      members = wanted.map { isForeign($0) ? $0.duplicate() : $0 }
      takeRelatives()
      changed()
    }
  }

  private func isForeign(_ entity: EntityDescription) -> Bool {
    entity.home.model.map { $0 !== self } ?? false
  }

  /// Adds the subentities of the model's entities, and finds parents and destinations by their names.
  final func takeRelatives() {
    var known = Set(members.map(ObjectIdentifier.init))
    var index = 0
    while index < members.count {
      for child in members[index].children {
        let own = isForeign(child) ? members[index].replace(child) : child
        if known.insert(ObjectIdentifier(own)).inserted { members.append(own) }
      }
      index += 1
    }
    for entity in members { entity.home = home }
    nameEntities()
    for entity in members {
      if let parent = entity.superentity, known.contains(ObjectIdentifier(parent)) { continue }
      if let name = entity.superentityName { entitiesByName[name]?.take(entity) }
    }
    for entity in members where entity.parent == nil { entity.refreshProperties() }
    for entity in members { bind(entity) }
  }

  private func bind(_ entity: EntityDescription) {
    for case let relationship as RelationshipDescription in entity.declared {
      relationship.bind(entitiesByName)
    }
  }

  final func nameEntities() {
    entitiesByName = Dictionary(
      members.map { ($0.entity.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Configurations

  public final var configurations: [String] { parts.map(\.name) }

  /// The entities of a configuration; all entities if the name is nil.
  ///
  /// - Returns: nil if the model has no such configuration.
  public final func entities(forConfigurationName name: String?) -> [EntityDescription]? {
    guard let name else { return members }
    return parts.first { $0.name == name }?.entities
  }

  public final func setEntities(_ entities: [EntityDescription], forConfigurationName name: String) {
    parts.removeAll { $0.name == name }
    parts.append((name, entities))
    changed()
  }

  /// The identifiers of the model in the metadata of stores; only strings are written.
  public final var versionIdentifiers: Set<AnyHashable> { didSet { changed() } }

  // MARK: The whole model

  /// The model as a value; if the entities don't form a model, the last value that could be computed.
  public final var model: ManagedObjectModel {
    settle()
    return held
  }

  /// The model as a value.
  ///
  /// - Throws: `ModelError` that says why the entities don't form a model.
  package final func settled() throws(ModelError) -> ManagedObjectModel {
    settle()
    if let problem { throw problem }
    return held
  }

  /// The version hashes of the entities.
  public final var entityVersionHashesByName: [String: Data] { entitiesByName.mapValues(\.versionHash) }

  final func changed() {
    isSettled = false
    file = nil
  }

  final func settle() {
    guard !isSettled else { return }
    isSettled = true
    // A destination may have been set to an entity of another model.
    for entity in members { bind(entity) }
    do throws(ModelError) {
      held = try made()
      problem = nil
    } catch {
      problem = error
    }
    let hashes = problem == nil ? held.entityVersionHashes : [:]
    for entity in members { entity.heldHash = hashes[entity.entity.name] }
  }

  private func made() throws(ModelError) -> ManagedObjectModel {
    var entities: [Entity] = []
    for member in members { entities.append(try member.value()) }
    let texts = Set(versionIdentifiers.compactMap { $0 as? String })
    let isSame = texts == Set(held.versionIdentifiers)
    return try ManagedObjectModel(
      entities: entities,
      configurations: parts.map {
        ModelConfiguration(name: $0.name, entityNames: $0.entities.map(\.entity.name))
      },
      fetchRequests: held.fetchRequests.filter { entitiesByName[$0.entityName] != nil },
      versionIdentifiers: isSame ? held.versionIdentifiers : texts.sorted(by: NameOrder.codePoints))
  }

  /// Models with equal version hashes are equal, for example two models that were read from the same file.
  ///
  /// A description whose entities don't form a model is equal only to itself.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ModelDescription else { return false }
    if self === other { return true }
    let hashes = (model.entityVersionHashes, other.model.entityVersionHashes)
    return problem == nil && other.problem == nil && hashes.0 == hashes.1
  }

  open override var hash: Int { model.entityVersionHashes.hashValue }
}
