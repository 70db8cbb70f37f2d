public import DecantModel

extension InferredMapping {
  /// Infers a mapping model by Core Data's rules for lightweight migration (docs/formats/inference.md 1, 2, 3, 4).
  ///
  /// `InferenceError` lists the changes that can't be inferred.
  ///
  /// - Parameters:
  ///   - renames: Renames that aren't in the models.
  ///   - history: The renaming identifiers of the family's versions.
  /// - Throws: The first change that can't be inferred, in the order of `InferenceAttempt.refusals`.
  public static func make(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, renames: Renames = .none,
    history: RenameHistory = RenameHistory()
  ) throws(InferenceError) -> InferredMapping {
    let attempt = InferenceAttempt(from: source, to: destination, renames: renames, history: history)
    if let refusal = attempt.refusals.first { throw refusal }
    return InferredMapping(attempt.entities, attempt.pairs)
  }

  /// Infers everything possible, and reports every refusal.
  ///
  /// With refusals the mapping is incomplete. It is for display, and must not be run.
  public static func survey(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, renames: Renames = .none,
    history: RenameHistory = RenameHistory()
  ) -> (mapping: InferredMapping, refusals: [InferenceError]) {
    let attempt = InferenceAttempt(from: source, to: destination, renames: renames, history: history)
    return (InferredMapping(attempt.entities, attempt.pairs), attempt.refusals)
  }

  private init(_ entities: EntityMatching, _ pairs: [String: EntityPair]) {
    var mappings: [EntityMapping] = []
    narrowings = []
    lostTargets = []
    var names: Set<String> = []
    for entity in entities.destination.entities {
      var mapping = pairs[entity.name]?.mapping ?? .adding(entity, of: entities.destination)
      mapping.name = unused(mapping.name, &names)
      mappings.append(mapping)
      for var narrowing in pairs[entity.name]?.narrowings ?? [] {
        narrowing.entityMapping = mapping.name
        narrowings.append(narrowing)
      }
      for var lost in pairs[entity.name]?.lostTargets ?? [] {
        lost.entityMapping = mapping.name
        lostTargets.append(lost)
      }
    }
    for entity in entities.removed {
      mappings.append(
        EntityMapping(
          name: unused(entity.name, &names), type: .remove, sourceEntityName: entity.name,
          destinationEntityName: nil))
    }
    mappingModel = MappingModel(name: "inferred", origin: .inferred, entityMappings: mappings)
    drops = DropList(entities, pairs).drops
  }
}

extension EntityMapping {
  fileprivate static func adding(_ entity: Entity, of model: ManagedObjectModel) -> EntityMapping {
    EntityMapping(
      name: entity.name, type: .add, sourceEntityName: nil, destinationEntityName: entity.name,
      attributeMappings: model.attributes(of: entity.name).filter { !$0.isTransient }.map {
        AttributeMapping(destinationName: $0.name, value: $0.isDerived ? .derived : .defaultValue)
      },
      relationshipMappings: model.relationships(of: entity.name).filter { !$0.isTransient }.map {
        RelationshipMapping(destinationName: $0.name, sourceName: nil)
      })
  }
}

/// The name, or the name with a number if it is already used.
///
/// Different pairs of entity names can give the same name: `A` to `BToC`, and `AToB` to `C`.
private func unused(_ name: String, _ names: inout Set<String>) -> String {
  var candidate = name
  var number = 2
  while !names.insert(candidate).inserted {
    candidate = "\(name) \(number)"
    number += 1
  }
  return candidate
}
