import DecantModel

/// The expected targets of a relationship that was two relationships without inverse, computed object by object.
struct UnionExpectation {
  typealias Key = LogicalStore.Key

  /// The targets by owner, with the destination's entity names.
  private(set) var targets: [Key: [Key]] = [:]

  private struct Pair: Hashable {
    let one: Key
    let two: Key
  }

  /// Computes the targets; `nil` for a relationship that wasn't two in the source.
  init?(
    _ relationship: Relationship, of entity: Entity, source: LogicalStore, model: ManagedObjectModel,
    destinations: [String: String]
  ) {
    guard let inverse = model.inverse(of: relationship),
      let own = Self.former(relationship, entity.name, source.model, destinations),
      let other = Self.former(inverse.relationship, inverse.entity.name, source.model, destinations),
      own != other
    else { return nil }
    func pairs(_ name: String, _ entity: String) -> [Pair] {
      var pairs: [Pair] = []
      for (key, object) in source.objects {
        guard let now = destinations[key.entity], model.isKind(now, of: entity) else { continue }
        let list = (object.toMany[name] ?? []) + [object.toOne[name]].compactMap { $0 }
        for target in list {
          guard let entity = destinations[target.entity] else { continue }
          pairs.append(Pair(one: Key(entity: now, key: key.key), two: Key(entity: entity, key: target.key)))
        }
      }
      return pairs
    }
    let mine = pairs(own.name, entity.name)
    let theirs = pairs(other.name, inverse.entity.name).map { Pair(one: $0.two, two: $0.one) }
    let inverseToMany = inverse.relationship.isToMany
    let found: Set<Pair>
    if relationship.isToMany && inverseToMany {
      found = Set(mine + theirs)
    } else {
      let isFirst =
        relationship.isToMany == inverseToMany
        ? (entity.name, relationship.name) < (inverse.entity.name, inverse.relationship.name)
        : !relationship.isToMany
      let turned = { (pairs: [Pair]) in pairs.map { Pair(one: $0.two, two: $0.one) } }
      let all = Self.chosen(
        first: isFirst ? mine : turned(theirs), second: isFirst ? theirs : turned(mine),
        isOneToOne: !relationship.isToMany && !inverseToMany)
      found = Set(isFirst ? all : turned(all))
    }
    for pair in found.sorted(by: { ($0.one, $0.two.key) < ($1.one, $1.two.key) }) {
      targets[pair.one, default: []].append(pair.two)
    }
  }

  /// Chooses the pairs if the first end is to-one.
  ///
  /// The first end takes precedence; the second end fills the gaps.
  private static func chosen(first: [Pair], second: [Pair], isOneToOne: Bool) -> [Pair] {
    var partner: [Key: Key] = [:]
    var taken: Set<Key> = []
    for pair in first.sorted(by: { $0.one.key > $1.one.key })
    where !isOneToOne || taken.insert(pair.two).inserted { partner[pair.one] = pair.two }
    for pair in second.sorted(by: { $0.two.key > $1.two.key })
    where partner[pair.one] == nil && (!isOneToOne || !taken.contains(pair.two)) {
      partner[pair.one] = pair.two
    }
    return partner.map { Pair(one: $0.key, two: $0.value) }
  }

  private struct Former: Equatable {
    let entity: String
    let name: String
  }

  /// The source's relationship without inverse that became this relationship.
  private static func former(
    _ relationship: Relationship, _ entity: String, _ model: ManagedObjectModel,
    _ destinations: [String: String]
  ) -> Former? {
    for (old, new) in destinations where new == entity {
      let names = [relationship.renamingIdentifier, relationship.name].compactMap { $0 }
      guard let name = names.first(where: { model.relationship($0, of: old) != nil }),
        let former = model.relationship(name, of: old), model.inverse(of: former) == nil
      else { return nil }
      return Former(entity: old, name: name)
    }
    return nil
  }
}
