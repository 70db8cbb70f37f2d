/// Models made from models, as in a coordinator: one configuration of a model, and a merge of several models.
extension ManagedObjectModel {
  /// The model of a configuration's members; `nil` if no configuration has that name.
  ///
  /// The entities of the result have the same version hashes as in the whole model. The result keeps the whole model's
  /// version identifiers.
  ///
  /// - Throws: `ModelError` if the parent of a member, or the destination of a member's relationship, isn't a member.
  public func configured(_ name: String) throws(ModelError) -> ManagedObjectModel? {
    guard let configuration = configurations.first(where: { $0.name == name }) else { return nil }
    let members = Set(configuration.entityNames)
    return try ManagedObjectModel(
      entities: entities.filter { members.contains($0.name) }, configurations: [configuration],
      fetchRequests: fetchRequests.filter { members.contains($0.entityName) },
      versionIdentifiers: versionIdentifiers)
  }

  /// One model with the entities of several models, as `modelByMerging` makes it.
  ///
  /// If several models define an entity with the same version hash, the first definition is taken.
  ///
  /// - Throws: `ModelError.conflictingEntity` if two models define an entity with different version hashes.
  public static func merging(_ models: [ManagedObjectModel]) throws(ModelError) -> ManagedObjectModel {
    var hashes: EntityVersionHashes = [:]
    var entities: [Entity] = []
    var members: [String: Set<String>] = [:]
    var requests: [String: FetchRequestTemplate] = [:]
    for model in models {
      let own = model.entityVersionHashes
      for entity in model.entities {
        if let known = hashes[entity.name] {
          guard known == own[entity.name] else { throw .conflictingEntity(entity.name) }
        } else {
          hashes[entity.name] = own[entity.name]
          entities.append(entity)
        }
      }
      for configuration in model.configurations {
        members[configuration.name, default: []].formUnion(configuration.entityNames)
      }
      for request in model.fetchRequests where requests[request.name] == nil {
        requests[request.name] = request
      }
    }
    let identifiers = Set(models.flatMap(\.versionIdentifiers)).sorted(by: NameOrder.codePoints)
    return try ManagedObjectModel(
      entities: entities,
      configurations: members.map { ModelConfiguration(name: $0.key, entityNames: Array($0.value)) },
      fetchRequests: Array(requests.values), versionIdentifiers: identifiers)
  }

  /// The model without its store's list of indexes, so that its indexes follow from its other declarations again; `nil`
  /// if it has no such list.
  public var withoutListedIndexes: ManagedObjectModel? {
    guard entities.contains(where: { $0.listedIndexes != nil }) else { return nil }
    let entities = entities.map { entity in
      var entity = entity
      entity.listedIndexes = nil
      return entity
    }
    return try? ManagedObjectModel(
      entities: entities, configurations: configurations, fetchRequests: fetchRequests,
      versionIdentifiers: versionIdentifiers)
  }
}
