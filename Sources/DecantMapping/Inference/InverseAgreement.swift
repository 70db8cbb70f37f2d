internal import DecantModel

/// Checks that both ends of each new relationship continue the two ends of one old relationship.
///
/// A relationship and its inverse keep one set of pairs. Where the ends come from different old relationships, the
/// pairs of one of them would be lost, and nothing says which.
struct InverseAgreement {
  private let entities: EntityMatching
  private let pairs: [EntityPair]
  /// The pairs whose destination is an entity or inherits from it.
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

  /// Each pair of ends that disagrees, once, by the destination model's order.
  var refusals: [InferenceError] {
    var refusals: [InferenceError] = []
    var told: Set<Set<String>> = []
    for pair in pairs {
      for mapping in pair.mapping.relationshipMappings {
        guard let formerName = mapping.sourceName,
          let former = entities.source.relationship(formerName, of: pair.source.name),
          let relationship = entities.destination.relationship(
            mapping.destinationName, of: pair.destination.name),
          let inverse = entities.destination.inverse(of: relationship)
        else { continue }
        for other in families[inverse.entity.name] ?? [] {
          guard let name = Self.sourceName(of: inverse.relationship.name, in: other),
            !isOne(former, of: pair.source.name, name, of: other.source.name)
          else { continue }
          let inverseName = "\(inverse.entity.name).\(inverse.relationship.name)"
          let owner = entities.destination.declaringEntity(of: relationship.name, in: pair.destination.name)
          guard told.insert(["\(owner?.name ?? "").\(relationship.name)", inverseName]).inserted else {
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

  private static func sourceName(of name: String, in pair: EntityPair) -> String? {
    pair.mapping.relationshipMappings.first { $0.destinationName == name }?.sourceName
  }

  /// Whether two old ends are each other's inverse, or one relationship whose pairs are read from both sides.
  private func isOne(_ end: Relationship, of entity: String, _ other: String, of otherEntity: String) -> Bool {
    let source = entities.source
    func isRelated(_ one: String, _ two: String) -> Bool {
      source.isKind(one, of: two) || source.isKind(two, of: one)
    }
    if end.name == other, source.root(of: entity)?.name == source.root(of: otherEntity)?.name,
      source.inverse(of: end).map({ $0.relationship.name == other }) ?? true
    {
      return true
    }
    guard let inverse = source.inverse(of: end) else { return false }
    return inverse.relationship.name == other && isRelated(otherEntity, inverse.entity.name)
  }
}
