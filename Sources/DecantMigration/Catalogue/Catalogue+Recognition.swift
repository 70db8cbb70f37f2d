public import DecantModel

extension Catalogue {
  /// Finds the family and version of a store by the version hashes of its metadata.
  ///
  /// - Parameter family: Only this family is looked at; `nil` for all.
  public func recognise(_ hashes: EntityVersionHashes, family: String? = nil) -> Recognition {
    var candidates = families
    if let family {
      switch states.first(where: { $0.name == family }) {
      case .ready(let state)?: candidates = [state]
      case .broken(let state)?: return .broken(state)
      case nil: return .noSuchFamily(name: family, existing: states.map(\.name))
      }
    }
    let matches = candidates.compactMap { family in version(of: family, with: hashes).map { (family, $0) } }
    if matches.count == 1 { return .known(family: matches[0].0, version: matches[0].1) }
    guard matches.isEmpty else { return .ambiguous(families: matches.map(\.0.name)) }
    return .unknown(
      nearest: nearest(to: hashes, in: candidates), brokenFamilies: family == nil ? brokenFamilies : [])
  }

  /// The one place that says when hashes are those of a version: where they are all equal.
  ///
  /// The rule for a store of one configuration, or of several models merged, belongs here as well.
  private func version(of family: Family, with hashes: EntityVersionHashes) -> FamilyVersion? {
    family.version(with: hashes)
  }

  /// The version with the fewest differing entities, provided that it shares an entity's name with the store.
  private func nearest(to hashes: EntityVersionHashes, in families: [Family]) -> Recognition.Nearest? {
    var best: Recognition.Nearest?
    for family in families {
      for version in family.versions where hashes.keys.contains(where: { version.hashes[$0] != nil }) {
        let candidate = Recognition.Nearest(
          family: family.name, version: version.name,
          missing: version.hashes.keys.filter { hashes[$0] == nil }.sorted(by: NameOrder.codePoints),
          surplus: hashes.keys.filter { version.hashes[$0] == nil }.sorted(by: NameOrder.codePoints),
          changed: hashes.filter { entity, hash in version.hashes[entity].map { $0 != hash } ?? false }.keys
            .sorted(by: NameOrder.codePoints))
        if best.map({ candidate.differences < $0.differences }) ?? true { best = candidate }
      }
    }
    return best
  }
}
