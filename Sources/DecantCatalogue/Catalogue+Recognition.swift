public import DecantModel
internal import FileNames

extension Catalogue {
  private struct Candidate {
    let family: Family
    /// The family's faults; `nil` for a usable family.
    let broken: BrokenFamily?
  }

  /// Finds the family and version of a store by the version hashes of its metadata.
  ///
  /// A version with exactly the store's hashes comes first, then a configuration of a version, then a merge of versions
  /// of several bundles. A broken family takes part with its readable models, so that no other family gets its stores.
  ///
  /// If nothing fits, the store's own model is compared with the families. If `family` is `nil`, this is done only if
  /// all versions of all broken families are known.
  ///
  /// - Parameters:
  ///   - identifiers: The store's `NSStoreModelVersionIdentifiers`, which distinguish models with equal hashes.
  ///   - family: Only this family is searched; `nil` for all.
  ///   - ownModel: Gives the store's own model; called only if needed.
  public func recognise(
    _ hashes: EntityVersionHashes, identifiers: [String] = [], family: String? = nil,
    ownModel: () -> Recognition.OwnModel = { .absent }
  ) -> Recognition {
    let found = recognised(hashes, family: family, ownModel: ownModel)
    guard case .known(let family, let version) = found else { return found }
    return .known(family: family, version: version.identified(by: identifiers))
  }

  private func recognised(
    _ hashes: EntityVersionHashes, family: String?, ownModel: () -> Recognition.OwnModel
  ) -> Recognition {
    var candidates = states.compactMap(Self.candidate)
    if let family {
      let meant = FileName.meant(by: family, among: states.map(\.name)).map { FileName($0) }
      switch states.first(where: { FileName($0.name) == meant }) {
      case .ready(let state)?: candidates = [Candidate(family: state, broken: nil)]
      case .broken(let state)?: return .broken(state)
      case nil: return .noSuchFamily(name: family, existing: names)
      }
    }
    let isFamilyNamed = family != nil
    let matches = candidates.compactMap { candidate in
      candidate.family.version(with: hashes).map {
        (candidate, Recognition.known(family: candidate.family, version: $0))
      }
    }
    if let found = decided(matches) ?? decided(fits(of: hashes, in: candidates)) {
      return isFamilyNamed ? found : warned(found)
    }
    let nearest = nearest(to: hashes, in: candidates.map(\.family))
    let match = OwnModelMatch(
      hashes: hashes, families: candidates.map(\.family), isFamilyNamed: isFamilyNamed, nearest: nearest)
    let unread = isFamilyNamed ? [] : brokenFamilies.filter { !$0.knowsAllItsStores }
    // A model that can't be read may be the nearest one. So the store's own model isn't compared with the families.
    guard unread.isEmpty else {
      return .unknown(
        nearest: nearest,
        brokenFamilies: unread + related(to: hashes, candidates).filter(\.knowsAllItsStores), ownModel: .absent)
    }
    let found = match.recognition(ownModel())
    switch found {
    case .ownModel(let family, _, _):
      return candidates.first { FileName($0.family.name) == FileName(family.name) }?.broken.map { .broken($0) }
        ?? found
    case .unknown(let nearest, _, let finding):
      return .unknown(nearest: nearest, brokenFamilies: related(to: hashes, candidates), ownModel: finding)
    default: return found
    }
  }

  private static func candidate(_ state: FamilyState) -> Candidate? {
    switch state {
    case .ready(let family): Candidate(family: family, broken: nil)
    case .broken(let broken): broken.models.map { Candidate(family: $0, broken: broken) }
    }
  }

  private func decided(_ found: [(candidate: Candidate, recognition: Recognition)]) -> Recognition? {
    guard found.count > 1 else {
      return found.first.map { first in first.candidate.broken.map { .broken($0) } ?? first.recognition }
    }
    // Usually a mapping model's content is read only when a step needs it. Here the content is read for its faults,
    // because the result says which of the families can't be used.
    let broken = found.compactMap { found in
      found.candidate.broken ?? BrokenFamily(unreadableContentOf: found.candidate.family)
    }
    let names = found.map(\.candidate.family.name)
    return broken.isEmpty ? .ambiguous(families: names) : .ambiguousBroken(families: names, broken: broken)
  }

  private func fits(of hashes: EntityVersionHashes, in candidates: [Candidate]) -> [(Candidate, Recognition)] {
    candidates.compactMap { candidate in
      switch StoreFit(hashes, in: candidate.family) {
      case .none: nil
      case .found(let seen, let version): (candidate, .known(family: seen, version: version))
      case .refused(let reason, let advice):
        (candidate, .unusable(family: candidate.family.name, reason: reason, advice: advice))
      }
    }
  }

  private func warned(_ recognition: Recognition) -> Recognition {
    guard case .known(var family, let version) = recognition else { return recognition }
    family.warnings += brokenFamilies.filter { !$0.knowsAllItsStores }.map { broken in
      "The family “\(broken.name)” of the catalogue was ignored, because "
        + (broken.knowsItsStores ? "not all of its models can be read: " : "its models can't be read: ")
        + "\(broken.unread[0])\(broken.unread.count > 1 ? ", and \(broken.unread.count - 1) more" : ""). "
        + "It isn't known whether that family has this version, too."
    }
    return .known(family: family, version: version)
  }

  private func related(to hashes: EntityVersionHashes, _ candidates: [Candidate]) -> [BrokenFamily] {
    candidates.filter { candidate in
      candidate.family.versions.contains { version in hashes.keys.contains { version.hashes[$0] != nil } }
    }.compactMap(\.broken)
  }

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
