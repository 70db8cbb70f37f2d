package import DecantModel
internal import FileNames

/// How a store fits a family if no version has exactly its hashes: as a store of one configuration, or of several
/// merged models.
package enum StoreFit {
  case none
  /// The family adapted to the store, and the store's version in it.
  case found(Family, FamilyVersion)
  /// The store fits, but the right version isn't known, or the store can't be used.
  case refused(reason: String, advice: String)

  /// A configuration comes before a merge, because then one model explains the store.
  package init(_ hashes: EntityVersionHashes, in family: Family) {
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
    // Configurations with the same members in all versions give the same result.
    let others = names.dropFirst().filter { other in
      family.seen(through: other).versions.map(\.hashes) != seen.versions.map(\.hashes)
    }
    guard others.isEmpty else {
      return .refused(
        reason: "It fits several configurations of family “\(family.name)”, which differ in other versions: "
          + ([name] + others).map { "“\($0)”" }.joined(separator: ", ") + ".",
        advice: "Name one with “configuration” in family.json5.")
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

  /// The maximum number of search steps; genuine applications merge only a few models.
  private static let budget = 20_000

  /// Finds the versions that together have exactly the store's entities, as `mergedModel(from:forStoreMetadata:)` does.
  ///
  /// At most one version of each bundle is taken. The set with the fewest versions is taken; several such sets are a
  /// refusal.
  private static func merge(_ hashes: EntityVersionHashes, _ family: Family) -> StoreFit {
    let parts = family.versions.filter { version in
      !version.hashes.isEmpty && version.hashes.allSatisfy { hashes[$0.key] == $0.value }
    }
    let bundles = parts.reduce(into: Set<FileName>()) { $0.formUnion($1.bundles) }.sorted()
    guard bundles.count > 1 else { return .none }
    let choices = bundles.map { bundle in
      let own = parts.compactMap { $0.of(bundle: bundle.text) }
      // A version adds nothing if another version of the bundle has all its entities.
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
        advice: "Put models that belong together into a separate family folder.")
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
