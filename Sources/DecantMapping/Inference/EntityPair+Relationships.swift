internal import DecantModel

extension EntityPair {
  /// Maps the stored relationships of the destination, inherited ones included (docs/formats/inference.md 4).
  mutating func mapRelationships(
    _ entities: EntityMatching, _ stated: [String: Set<String>], _ older: (String) -> Set<String>
  ) {
    let former = entities.source.relationships(of: source.name)
    let byName = Dictionary(former.map { ($0.name, $0) }) { first, _ in first }
    let new = entities.destination.relationships(of: destination.name)
    let matching = NameMatching(new, to: former, stated: stated, older: older)
    for relationship in former where !relationship.isTransient { lostRelationships[relationship.name] = .gone }
    var continued: [String: [String]] = [:]
    for relationship in new {
      let from = matching.sources[relationship.name].flatMap { byName[$0] }
      if relationship.isTransient {
        if let from, lostRelationships[from.name] == .gone { lostRelationships[from.name] = .becameTransient }
        continue
      }
      if from == nil, byName[relationship.name] == nil,
        relationship.renamingIdentifier ?? relationship.name == relationship.name
      {
        newRelationships.append(relationship)
      }
      let goesOn = continues(relationship, from, entities)
      mapping.relationshipMappings.append(
        RelationshipMapping(destinationName: relationship.name, sourceName: goesOn ? from?.name : nil))
      if goesOn, let from { continued[from.name, default: []].append(relationship.name) }
    }
    for (name, destinations) in continued.sorted(by: { NameOrder.codePoints($0.key, $1.key) }) {
      if destinations.count > 1 {
        refusals.append(
          .sharedRelationship(entity: destination.name, source: name, destinations: destinations))
      }
      lostRelationships[name] = nil
    }
  }

  /// Whether a relationship continues a former one (docs/formats/inference.md 4.2).
  ///
  /// Targets that don't fit any more are noted in `lostTargets`.
  private mutating func continues(
    _ relationship: Relationship, _ from: Relationship?, _ entities: EntityMatching
  ) -> Bool {
    guard let from, !from.isTransient else { return false }
    let target = relationship.destinationEntityName
    let rows = entities.source.family(of: from.destinationEntityName).filter { !$0.isAbstract }
    let strays = rows.filter { entity in
      guard let now = entities.destination(of: entity.name), !now.isAbstract else { return true }
      return !entities.destination.isKind(now.name, of: target)
    }
    let counterpart = entities.destination(of: from.destinationEntityName)
    let isCounterpart = counterpart.map { entities.destination.isKind($0.name, of: target) } ?? false
    guard isCounterpart || (!rows.isEmpty && strays.isEmpty) else {
      lostRelationships[from.name] = .destinationChanged(from: from.destinationEntityName, to: target)
      return false
    }
    if from.isToMany, !relationship.isToMany {
      guard holdsRows else { return false }
      refusals.append(
        .toManyBecameToOne(entity: destination.name, relationship: relationship.name, formerly: from.name))
    }
    if !strays.isEmpty, holdsRows {
      lostTargets.append(
        InferredMapping.LostTargets(
          entityMapping: mapping.name, sourceEntity: source.name, sourceRelationship: from.name,
          destinationRelationship: relationship.name, targets: strays.map(\.name)))
    }
    return true
  }
}
