internal import DecantModel

/// Finds the family of a store of an unknown version through the store's own model.
///
/// The measure is the share of names of entities and stored properties that the store's model and a version have in
/// common. Without a requested family, exactly one family must have a version with a share above one half. A requested
/// family needs only one common entity name.
struct OwnModelMatch {
  let hashes: EntityVersionHashes
  let families: [Family]
  let isFamilyNamed: Bool
  /// The nearest version by hashes alone.
  let nearest: Recognition.Nearest?

  private struct Likeness {
    let family: Family
    let version: FamilyVersion
    let share: Double
  }

  func recognition(_ own: Recognition.OwnModel) -> Recognition {
    let model: ManagedObjectModel
    switch own {
    case .absent: return unknown(.absent)
    case .unusable(let reason): return unknown(.unusable(reason: reason))
    case .model(let found): model = found
    }
    guard !model.entities.isEmpty else { return unknown(.noFamily) }
    let names = model.storedNames
    let alike = families.compactMap { family in best(in: family, names) }
    guard let first = alike.first else { return unknown(.noFamily) }
    guard alike.count == 1 else { return unknown(.severalFamilies(alike.map(\.family.name))) }
    let near = Recognition.Nearest(family: first.family, version: first.version, hashes: hashes)
    var family = first.family
    let variant = FamilyVersion.Variant(
      name: "the store's own model (nearest: \(near.version))", bundle: "", version: "", path: "", model: model)
    guard
      let version = FamilyVersion(
        index: family.versions.count, hashes: model.entityVersionHashes, variants: [variant], chosen: 0,
        origin: .ownModel(nearest: near.version))
    else { return unknown(.noFamily) }
    family.versions.append(version)
    return .ownModel(family: family, version: version, nearest: near)
  }

  private func unknown(_ finding: Recognition.OwnModelFinding) -> Recognition {
    .unknown(nearest: nearest, brokenFamilies: [], ownModel: finding)
  }

  /// The version most similar to the store's model; among equals the last one in the list.
  private func best(in family: Family, _ names: Set<String>) -> Likeness? {
    var best: Likeness?
    for version in family.versions where hashes.keys.contains(where: { version.hashes[$0] != nil }) {
      let theirs = version.model.storedNames
      let share = Double(names.intersection(theirs).count) / Double(max(1, names.union(theirs).count))
      if share >= best?.share ?? 0 { best = Likeness(family: family, version: version, share: share) }
    }
    return best.flatMap { isFamilyNamed || $0.share > 0.5 ? $0 : nil }
  }
}

extension ManagedObjectModel {
  /// `Entity` for each entity, and `Entity.property` for each stored property of its own.
  fileprivate var storedNames: Set<String> {
    var names: Set<String> = []
    for entity in entities {
      names.insert(entity.name)
      for attribute in entity.attributes where !attribute.isTransient {
        names.insert("\(entity.name).\(attribute.name)")
      }
      for relationship in entity.relationships where !relationship.isTransient {
        names.insert("\(entity.name).\(relationship.name)")
      }
    }
    return names
  }
}
