internal import DecantModel

/// Two versions matched entity by entity, with all refusals.
struct InferenceAttempt {
  let entities: EntityMatching
  /// The entity pairs by destination entity.
  let pairs: [String: EntityPair]
  /// First the refusals of whole entities, then those of properties (roots before subentities), then relationships
  /// whose ends disagree.
  let refusals: [InferenceError]

  init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, renames: Renames,
    history: RenameHistory
  ) {
    let entities = EntityMatching(from: source, to: destination, renames: renames, history: history)
    var pairs: [String: EntityPair] = [:]
    var refusals = entities.refusals
    for entity in destination.rootEntities.flatMap({ destination.family(of: $0.name) }) {
      guard let name = entities.source(of: entity.name), let from = source.entity(named: name) else { continue }
      let pair = EntityPair(from: from, to: entity, among: entities, renames: renames, history: history)
      pairs[entity.name] = pair
      refusals += pair.refusals
    }
    refusals += InverseAgreement(entities, pairs).refusals
    self.entities = entities
    self.pairs = pairs
    self.refusals = refusals
  }
}
