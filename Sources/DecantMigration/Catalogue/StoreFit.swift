internal import DecantModel

/// What a family makes of a store that is of none of its versions as they are: the store of one configuration, or of
/// several models merged.
enum StoreFit {
  case none
  /// The family as that store needs it, and the store's version in it.
  case found(Family, FamilyVersion)
  /// It fits, but which way can't be told, or it can't be used.
  case refused(reason: String, advice: String)

  /// A configuration counts before a merge, because one model then explains the store.
  init(_ hashes: EntityVersionHashes, in family: Family) {
    self = Self.configuration(hashes, family)
    if case .none = self { self = Self.merge(hashes, family) }
  }

  private static func configuration(_ hashes: EntityVersionHashes, _ family: Family) -> StoreFit {
    var names = family.configurations(with: hashes)
    if names.count > 1, let stated = family.configuration.configuration, names.contains(stated) {
      names = [stated]
    }
    guard let name = names.first else { return .none }
    let seen = family.seen(through: name)
    // Configurations with the same members everywhere lead to the same end.
    let others = names.dropFirst().filter { other in
      family.seen(through: other).versions.map(\.hashes) != seen.versions.map(\.hashes)
    }
    guard others.isEmpty else {
      return .refused(
        reason: "It fits several configurations of family “\(family.name)”, which differ in other versions: "
          + ([name] + others).map { "“\($0)”" }.joined(separator: ", ") + ".",
        advice: "Say which one with “configuration” in family.json5.")
    }
    guard let version = seen.version(with: hashes) else {
      let problems = Set(seen.part?.without.values.map { $0 } ?? []).sorted().joined(separator: "; ")
      return .refused(
        reason: "It fits the configuration “\(name)” of family “\(family.name)”, but \(problems).",
        advice: "Correct the configuration's members in the model.")
    }
    return .found(seen, version)
  }

  // MARK: Merges

  /// Bounds the search; genuine applications merge a handful of models.
  private static let budget = 20_000

  /// Finds the versions whose union the store is, as `mergedModel(from:forStoreMetadata:)` does.
  ///
  /// Each bundle gives one version or none, every entity of these versions is the store's, and together they are all
  /// of the store's. The fewest versions that do so are taken.
  private static func merge(_ hashes: EntityVersionHashes, _ family: Family) -> StoreFit {
    let parts = family.versions.filter { version in
      !version.hashes.isEmpty && version.hashes.allSatisfy { hashes[$0.key] == $0.value }
    }
    let bundles = Set(parts.flatMap { $0.variants.map(\.bundle) }).sorted(by: NameOrder.codePoints)
    guard bundles.count > 1 else { return .none }
    let choices = bundles.map { bundle in
      let own = parts.compactMap { $0.of(bundle: bundle) }
      // A version that another one contains adds nothing to it.
      return own.filter { one in
        !own.contains { $0.index != one.index && Set(one.hashes.keys).isSubset(of: $0.hashes.keys) }
      }
    }
    var found: [[FamilyVersion]] = []
    var work = 0
    func extend(_ taken: [FamilyVersion], _ missing: Set<String>, at place: Int) {
      work += 1
      guard work < budget, taken.count <= (found.first?.count ?? .max) else { return }
      if missing.isEmpty {
        if let best = found.first, taken.count < best.count { found = [] }
        found.append(taken)
        return
      }
      guard place < choices.count else { return }
      for version in choices[place] where !missing.isDisjoint(with: version.hashes.keys) {
        extend(taken + [version], missing.subtracting(version.hashes.keys), at: place + 1)
      }
      extend(taken, missing, at: place + 1)
    }
    extend([], Set(hashes.keys), at: 0)
    guard let versions = found.first, versions.count > 1, work < budget else { return .none }
    guard found.count == 1 else {
      return .refused(
        reason: "It fits several merges of models of family “\(family.name)”: "
          + found.prefix(4).map { "“\(Family.mergeName($0))”" }.joined(separator: ", ") + ".",
        advice: "Put models that belong together into a family's folder of their own.")
    }
    var merged = family
    do throws(ModelError) {
      let version = try merged.merge(versions)
      return .found(merged, version)
    } catch {
      return .refused(
        reason: "It fits the models “\(Family.mergeName(versions))” merged, but \(error).",
        advice: "Correct the models.")
    }
  }
}
