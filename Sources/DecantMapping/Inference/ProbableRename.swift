internal import DecantModel

/// Guesses at renames that a model doesn't state; they are shown, never acted on.
enum ProbableRename {
  /// The new attribute, where one of the type is gone and one is new.
  static func attribute(_ name: String, _ pair: EntityPair, _ entities: EntityMatching) -> String? {
    guard let type = entities.source.attribute(name, of: pair.source.name)?.type else { return nil }
    let gone = pair.lostAttributes.filter { lost in
      lost.value == .gone && entities.source.attribute(lost.key, of: pair.source.name)?.type == type
    }
    let new = pair.newAttributes.filter { $0.type == type && !$0.isDerived }
    return gone.count == 1 && gone[name] != nil && new.count == 1 ? new[0].name : nil
  }

  /// The new relationship, where one to that entity is gone and one is new.
  static func relationship(_ name: String, _ pair: EntityPair, _ entities: EntityMatching) -> String? {
    func target(_ name: String) -> String? {
      entities.source.relationship(name, of: pair.source.name).flatMap {
        entities.destination(of: $0.destinationEntityName)?.name
      }
    }
    guard let former = entities.source.relationship(name, of: pair.source.name), let target = target(name)
    else {
      return nil
    }
    let gone = pair.lostRelationships.filter { lost in
      guard lost.value == .gone, let other = entities.source.relationship(lost.key, of: pair.source.name) else {
        return false
      }
      return other.isToMany == former.isToMany
        && entities.destination(of: other.destinationEntityName)?.name == target
    }
    let new = pair.newRelationships.filter {
      $0.destinationEntityName == target && $0.isToMany == former.isToMany
    }
    return gone.count == 1 && gone[name] != nil && new.count == 1 ? new[0].name : nil
  }

  /// New entity names by those of entities that are gone: each the other's only likely partner, with more than half
  /// of all properties alike by name and type.
  static func entities(gone: [Entity], new: [Entity], _ entities: EntityMatching) -> [String: String] {
    let candidates = new.filter { $0.renamingIdentifier ?? $0.name == $0.name }
    var partners: [String: [String]] = [:]
    for entity in gone {
      let former = signature(of: entity, in: entities.source)
      for candidate in candidates {
        let now = signature(of: candidate, in: entities.destination)
        let larger = max(former.count, now.count)
        if former.intersection(now).count * 2 > larger {
          partners[entity.name, default: []].append(candidate.name)
        }
      }
    }
    let claims = Dictionary(grouping: partners.values.joined()) { $0 }.mapValues(\.count)
    return partners.compactMapValues { $0.count == 1 && claims[$0[0]] == 1 ? $0[0] : nil }
  }

  private static func signature(of entity: Entity, in model: ManagedObjectModel) -> Set<String> {
    Set(model.attributes(of: entity.name).map { "\($0.name) \($0.type.name)" })
      .union(model.relationships(of: entity.name).map { "\($0.name) \($0.isToMany)" })
  }
}
