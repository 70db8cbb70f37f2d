internal import DecantModel

/// Guesses renames that a model doesn't state; they are only shown.
///
/// A type is weak evidence, because most models have many properties of one type. So the names must also be similar, or
/// a renaming identifier of the family must connect them.
enum ProbableRename {
  /// New attribute names by the names of lost attributes: each is the other's only likely partner.
  static func attributes(_ pair: EntityPair, _ entities: EntityMatching) -> [String: String] {
    partners(pair, lost: pair.lostAttributes, new: pair.newAttributes.filter { !$0.isDerived }) { lost, new in
      guard let former = entities.source.attribute(lost, of: pair.source.name),
        AttributeRule.isInferable(from: former.type, to: new.type)
      else { return .never }
      return former.type == new.type ? .byName : .byIdentifier
    }
  }

  /// New relationship names by the names of lost relationships: each is the other's only likely partner.
  static func relationships(_ pair: EntityPair, _ entities: EntityMatching) -> [String: String] {
    partners(pair, lost: pair.lostRelationships, new: pair.newRelationships) { lost, new in
      guard let former = entities.source.relationship(lost, of: pair.source.name),
        former.isToMany == new.isToMany,
        entities.destination(of: former.destinationEntityName)?.name == new.destinationEntityName
      else { return .never }
      return .byName
    }
  }

  /// The required evidence for a rename.
  private enum Evidence {
    /// Similar names are enough, and so is a renaming identifier.
    case byName
    /// A renaming identifier is required.
    ///
    /// In some version of the family, the old property must have the new name as its renaming identifier.
    case byIdentifier
    case never
  }

  private static func partners<Property: Renamable>(
    _ pair: EntityPair, lost: [String: InferredMapping.Drop.Cause], new: [Property],
    _ evidence: (String, Property) -> Evidence
  ) -> [String: String] {
    let gone = lost.filter { $0.value == .gone }.keys
    guard gone.count * new.count <= maximumComparisons else { return [:] }
    let names = new.map { NameLikeness($0.name) }
    var candidates: [String: [String]] = [:]
    for name in gone {
      let words = NameLikeness(name)
      for (other, otherWords) in zip(new, names) {
        let needed = evidence(name, other)
        let isStated = needed != .never && pair.otherNames[name]?.contains(other.name) == true
        if isStated || (needed == .byName && words.isRelated(to: otherWords)) {
          candidates[name, default: []].append(other.name)
        }
      }
    }
    return mutual(candidates)
  }

  /// The old and new names that are each other's only candidate.
  private static func mutual(_ candidates: [String: [String]]) -> [String: String] {
    let claims = Dictionary(grouping: candidates.values.joined()) { $0 }.mapValues(\.count)
    return candidates.compactMapValues { $0.count == 1 && claims[$0[0]] == 1 ? $0[0] : nil }
  }

  /// Above this number of comparisons no rename is guessed, because a model from a store may have any size.
  private static let maximumComparisons = 4_096

  /// New entity names by the names of lost entities: each is the other's only likely partner.
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
    return mutual(partners)
  }

  private static func signature(of entity: Entity, in model: ManagedObjectModel) -> Set<String> {
    Set(model.attributes(of: entity.name).map { "\($0.name) \($0.type.name)" })
      .union(model.relationships(of: entity.name).map { "\($0.name) \($0.isToMany)" })
  }
}
