internal import DecantModel

/// Checks that both ends of each new relationship continue the two ends of one old relationship
/// (docs/formats/inference.md 4.3).
///
/// A relationship and its inverse have one set of pairs. If the ends continued different old relationships, the pairs
/// of one of them would be lost, and no rule says which. There is one exception: two old relationships without inverse
/// become inverse to each other, as Xcode advises. Then the pairs of both are merged.
struct InverseAgreement {
  private let entities: EntityMatching
  private let pairs: [EntityPair]
  /// By entity name, the entity pairs whose destination is this entity or a subentity.
  private var families: [String: [EntityPair]] = [:]

  init(_ entities: EntityMatching, _ pairs: [String: EntityPair]) {
    self.entities = entities
    self.pairs = entities.destination.entities.compactMap { pairs[$0.name] }.filter(\.holdsRows)
    for pair in self.pairs {
      for ancestor in entities.destination.chain(of: pair.destination.name) {
        families[ancestor.name, default: []].append(pair)
      }
    }
  }

  /// One refusal for each relationship with ends that disagree, in the destination model's order.
  var refusals: [InferenceError] {
    var refusals: [InferenceError] = []
    var reported: Set<Set<String>> = []
    for pair in pairs {
      for mapping in pair.mapping.relationshipMappings {
        guard let formerName = mapping.sourceName,
          let former = entities.source.relationship(formerName, of: pair.source.name),
          let relationship = entities.destination.relationship(
            mapping.destinationName, of: pair.destination.name),
          let inverse = entities.destination.inverse(of: relationship)
        else { continue }
        for other in families[inverse.entity.name] ?? [] {
          guard let name = other.mapping.sourceRelationship(of: inverse.relationship.name),
            !isOne(former, of: pair.source.name, name, of: other.source.name),
            !isUnion(relationship, of: pair.destination.name, inverse.relationship, of: inverse.entity.name)
          else { continue }
          let inverseName = "\(inverse.entity.name).\(inverse.relationship.name)"
          let owner = entities.destination.declaringEntity(of: relationship.name, in: pair.destination.name)
          guard reported.insert(["\(owner?.name ?? "").\(relationship.name)", inverseName]).inserted else {
            continue
          }
          refusals.append(
            .mergedRelationships(
              entity: pair.destination.name, relationship: relationship.name,
              former: "\(pair.source.name).\(formerName)", inverse: inverseName,
              formerInverse: "\(other.source.name).\(name)"))
        }
      }
    }
    return refusals
  }

  /// Whether the two ends continue two different old relationships without inverse.
  ///
  /// Each end must continue the same old relationship in all entities.
  private func isUnion(
    _ relationship: Relationship, of entity: String, _ inverse: Relationship, of inverseEntity: String
  ) -> Bool {
    guard let one = onlyFormer(relationship.name, entity), let two = onlyFormer(inverse.name, inverseEntity)
    else {
      return false
    }
    return one != two
  }

  /// The old relationship without inverse, as `Entity.name`, that a new one continues in all entities.
  private func onlyFormer(_ name: String, _ entity: String) -> String? {
    var formers: Set<String> = []
    for pair in families[entities.destination.topmostEntity(declaring: name, of: entity)] ?? [] {
      guard let former = pair.mapping.sourceRelationship(of: name) else { continue }
      guard entities.source.hasOpenRelationship(former, of: pair.source.name) else { return nil }
      formers.insert(
        "\(entities.source.topmostEntity(declaring: former, of: pair.source.name)).\(former)")
    }
    return formers.count == 1 ? formers.first : nil
  }

  /// Whether two old ends are inverse to each other, or are the same relationship.
  private func isOne(_ end: Relationship, of entity: String, _ other: String, of otherEntity: String) -> Bool {
    let source = entities.source
    if end.name == other, source.root(of: entity)?.name == source.root(of: otherEntity)?.name,
      source.inverse(of: end).map({ $0.relationship.name == other }) ?? true
    {
      return true
    }
    guard let inverse = source.inverse(of: end) else { return false }
    return inverse.relationship.name == other && source.areRelated(otherEntity, inverse.entity.name)
  }
}
