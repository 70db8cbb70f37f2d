internal import DecantModel

/// Lists what has no place in the destination: source entities, and properties of source entities that a destination
/// entity continues.
///
/// Each property is listed once, at its declaration. A relationship whose inverse is kept isn't listed.
struct DropList {
  private(set) var drops: [InferredMapping.Drop] = []
  private let entities: EntityMatching
  private let pairs: [EntityPair]

  init(_ entities: EntityMatching, _ pairs: [String: EntityPair]) {
    self.entities = entities
    self.pairs = entities.source.rootEntities.flatMap { entities.source.family(of: $0.name) }.compactMap {
      entities.destination(of: $0.name).flatMap { pairs[$0.name] }
    }
    addEntities()
    addProperties(.attribute)
    addProperties(.relationship)
    drops.sort {
      $0.entity == $1.entity
        ? NameOrder.codePoints($0.property ?? "", $1.property ?? "")
        : NameOrder.ignoringCase($0.entity, $1.entity)
    }
  }

  private mutating func addEntities() {
    let removed = entities.removed
    let renames = ProbableRename.entities(
      gone: removed, new: entities.destination.entities.filter { entities.source(of: $0.name) == nil }, entities
    )
    for entity in removed {
      drops.append(
        InferredMapping.Drop(
          kind: .entity, entity: entity.name, property: nil, entities: entity.isAbstract ? [] : [entity.name],
          cause: .gone, probableRename: renames[entity.name]))
    }
    for pair in pairs where !pair.source.isAbstract && pair.destination.isAbstract {
      drops.append(
        InferredMapping.Drop(
          kind: .entity, entity: pair.source.name, property: nil, entities: [pair.source.name],
          cause: .becameAbstract, probableRename: nil))
    }
  }

  private mutating func addProperties(_ kind: InferredMapping.Drop.Kind) {
    var found: [Renames.Property: InferredMapping.Drop] = [:]
    for pair in pairs {
      let renames =
        kind == .attribute
        ? ProbableRename.attributes(pair, entities) : ProbableRename.relationships(pair, entities)
      for (name, cause) in kind == .attribute ? pair.lostAttributes : pair.lostRelationships {
        if kind == .relationship, livesOnInInverse(name, pair) { continue }
        let declaring = entities.source.topmostEntity(declaring: name, of: pair.source.name)
        let key = Renames.Property(entity: declaring, name: name)
        var drop =
          found[key]
          ?? InferredMapping.Drop(
            kind: kind, entity: declaring, property: name, entities: [], cause: cause, probableRename: nil)
        if pair.holdsRows { drop.entities.append(pair.source.name) }
        drop.probableRename = drop.probableRename ?? renames[name]
        found[key] = drop
      }
    }
    // A property that every entity with rows keeps has only moved, so it isn't dropped.
    drops += found.values.filter { drop in
      !drop.entities.isEmpty || entities.source.family(of: drop.entity).allSatisfy(\.isAbstract)
    }
  }

  /// Whether the inverse is kept, so that the relationship can still be read from the other side.
  ///
  /// The inverse then has exactly the pairs of this relationship, because `InverseAgreement` refuses an inverse that
  /// continues another relationship.
  private func livesOnInInverse(_ name: String, _ pair: EntityPair) -> Bool {
    guard let relationship = entities.source.relationship(name, of: pair.source.name),
      let inverse = relationship.inverseName,
      let other = pairs.first(where: { $0.source.name == relationship.destinationEntityName })
    else { return false }
    return other.lostRelationships[inverse] == nil
      && other.mapping.relationshipMappings.contains { $0.sourceName == inverse }
  }
}
