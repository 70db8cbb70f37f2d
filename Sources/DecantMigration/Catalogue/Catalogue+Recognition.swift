public import DecantModel
internal import FileNames

extension Catalogue {
  /// Finds the family and version of a store by the version hashes of its metadata.
  ///
  /// A version whose hashes are just the store's counts first, then a configuration of a version, then a merge of
  /// versions of several bundles. Where there is none, the store's own model tells the family that it is most like.
  ///
  /// - Parameters:
  ///   - family: Only this family is looked at; `nil` for all.
  ///   - ownModel: The model that the store keeps of itself; asked for only where it is needed.
  public func recognise(
    _ hashes: EntityVersionHashes, family: String? = nil,
    ownModel: () -> Recognition.OwnModel = { .absent }
  ) -> Recognition {
    var candidates = families
    if let family {
      let meant = FileName.meant(by: family, among: states.map(\.name)).map { FileName($0) }
      switch states.first(where: { FileName($0.name) == meant }) {
      case .ready(let state)?: candidates = [state]
      case .broken(let state)?: return .broken(state)
      case nil: return .noSuchFamily(name: family, existing: names)
      }
    }
    let matches = candidates.compactMap { family in family.version(with: hashes).map { (family, $0) } }
    if matches.count == 1 { return .known(family: matches[0].0, version: matches[0].1) }
    guard matches.isEmpty else { return .ambiguous(families: matches.map(\.0.name)) }
    if let fit = fit(of: hashes, in: candidates) { return fit }
    let nearest = nearest(to: hashes, in: candidates)
    let broken = family == nil ? brokenFamilies : []
    guard broken.isEmpty else {
      // Which of the families is nearest can't be told before all of them can be read.
      return .unknown(nearest: nearest, brokenFamilies: broken, ownModel: .absent)
    }
    return OwnModelMatch(hashes: hashes, families: candidates, isFamilyNamed: family != nil, nearest: nearest)
      .recognition(ownModel())
  }

  /// A configuration or a merge of a family.
  private func fit(of hashes: EntityVersionHashes, in candidates: [Family]) -> Recognition? {
    var found: [Recognition] = []
    var names: [String] = []
    for family in candidates {
      switch StoreFit(hashes, in: family) {
      case .none: continue
      case .found(let seen, let version): found.append(.known(family: seen, version: version))
      case .refused(let reason, let advice):
        found.append(.unusable(family: family.name, reason: reason, advice: advice))
      }
      names.append(family.name)
    }
    return found.count > 1 ? .ambiguous(families: names) : found.first
  }

  /// The version with the fewest differing entities, provided that it shares an entity's name with the store.
  private func nearest(to hashes: EntityVersionHashes, in families: [Family]) -> Recognition.Nearest? {
    var best: Recognition.Nearest?
    for family in families {
      for version in family.versions where hashes.keys.contains(where: { version.hashes[$0] != nil }) {
        let candidate = Recognition.Nearest(family: family, version: version, hashes: hashes)
        if best.map({ candidate.differences < $0.differences }) ?? true { best = candidate }
      }
    }
    return best
  }
}
