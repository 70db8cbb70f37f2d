internal import DecantModel

/// The known facts about the order of a family's versions.
///
/// The signs, the strongest first: mapping models lead forward; names have numbers; the bundle's current version is the
/// last; a renaming identifier names something older. Contradicting signs of one kind are ignored. An identifier may
/// name a property of a later version (docs/formats/core-data-sqlite.md 9.6), so an identifier alone isn't certain.
package struct VersionOrder {
  package enum Relation {
    case before
    case after
    case unknown

    var reversed: Relation {
      switch self {
      case .before: .after
      case .after: .before
      case .unknown: .unknown
      }
    }
  }

  private let versions: [FamilyVersion]
  private let names: [[VersionName]]
  private let current: Int?
  /// For each version, the versions that mapping models lead to.
  private var reachable: [Int: Set<Int>] = [:]

  package init(of family: Family, versions: [FamilyVersion]) {
    self.versions = versions
    names = versions.map { $0.wholeNames.map(VersionName.init) }
    current = family.currentVersionName.flatMap { family.version(named: $0)?.index }
    let edges = Dictionary(grouping: family.mappingModels, by: \.source).mapValues {
      Set($0.map(\.destination))
    }
    for start in edges.keys {
      var found: Set<Int> = []
      var open = [start]
      while let next = open.popLast() {
        for destination in edges[next] ?? [] where found.insert(destination).inserted {
          open.append(destination)
        }
      }
      reachable[start] = found
    }
  }

  /// The order by all signs, renaming identifiers included.
  package func relation(of left: Int, to right: Int) -> Relation {
    let known = knownRelation(of: left, to: right)
    guard known == .unknown, left != right else { return known }
    return relation(of: left, to: right, by: isOlderByIdentifiers)
  }

  /// The order without renaming identifiers; this order is certain enough to refuse a store.
  package func knownRelation(of left: Int, to right: Int) -> Relation {
    guard left != right else { return .unknown }
    for isBefore in [leads, isOlderByName] {
      let relation = relation(of: left, to: right, by: isBefore)
      if relation != .unknown { return relation }
    }
    if right == current { return .before }
    return left == current ? .after : .unknown
  }

  private func relation(of left: Int, to right: Int, by isBefore: (Int, Int) -> Bool) -> Relation {
    switch (isBefore(left, right), isBefore(right, left)) {
    case (true, false): .before
    case (false, true): .after
    default: .unknown
    }
  }

  /// The order of two versions on the path between two others.
  ///
  /// The order is reversed if the path from `source` to `destination` seems to lead to an older version.
  func relation(of left: Int, to right: Int, from source: Int, to destination: Int) -> Relation {
    let relation = relation(of: left, to: right)
    return self.relation(of: destination, to: source) == .before ? relation.reversed : relation
  }

  /// The mapping models of a shortest path over mapping models alone; empty if no such path exists.
  package func mappingModels(from source: Int, to destination: Int, in family: Family) -> [FamilyMappingModel] {
    var before: [Int: FamilyMappingModel] = [:]
    var open = [source]
    while !open.isEmpty, before[destination] == nil {
      var next: [Int] = []
      for model in family.mappingModels
      where open.contains(model.source) && model.destination != source && before[model.destination] == nil {
        before[model.destination] = model
        next.append(model.destination)
      }
      open = next
    }
    var way: [FamilyMappingModel] = []
    var place = destination
    while let model = before[place] {
      way.insert(model, at: 0)
      place = model.source
    }
    return way
  }

  private func leads(_ left: Int, _ right: Int) -> Bool { reachable[left]?.contains(right) ?? false }

  private func isOlderByName(_ left: Int, _ right: Int) -> Bool {
    names[left].contains { former in names[right].contains { former.isBefore($0) } }
  }

  private func isOlderByIdentifiers(_ left: Int, _ right: Int) -> Bool {
    let (older, newer) = (versions[left].model, versions[right].model)
    return newer.entities.contains { entity in
      if let old = entity.renamingIdentifier, older.entity(named: old) != nil,
        older.entity(named: entity.name) == nil,
        newer.entity(named: old) == nil
      {
        return true
      }
      let former =
        older.entity(named: entity.renamingIdentifier ?? entity.name) ?? older.entity(named: entity.name)
      guard let former else { return false }
      return entity.attributes.contains { attribute in
        guard let old = attribute.renamingIdentifier else { return false }
        return older.attribute(old, of: former.name) != nil
          && older.attribute(attribute.name, of: former.name) == nil
          && newer.attribute(old, of: entity.name) == nil
      }
    }
  }
}
