public import DecantModel

/// What a store's version hashes say about its family and version.
public enum Recognition: Sendable {
  /// Exactly one family has a version with these hashes, or a configuration or merge of its versions with these hashes.
  ///
  /// The version's `origin` says which of the three.
  case known(family: Family, version: FamilyVersion)
  /// The family doesn't have the version, but the store has its own model, which was added to the family's versions.
  case ownModel(family: Family, version: FamilyVersion, nearest: Nearest)
  /// The hashes fit several families; the user must name one of them.
  case ambiguous(families: [String])
  /// The hashes fit, but the store can't be used.
  case unusable(family: String, reason: String, advice: String)
  /// No family fits.
  ///
  /// The store could belong to one of the broken families. In each of them, some versions aren't known, or a version
  /// has an entity with the name of one of the store's entities.
  case unknown(nearest: Nearest?, brokenFamilies: [BrokenFamily], ownModel: OwnModelFinding)
  /// The requested family is broken, or the only family that fits is broken.
  case broken(BrokenFamily)
  /// Several families fit, and some of them are broken.
  case ambiguousBroken(families: [String], broken: [BrokenFamily])
  /// The requested family isn't in the catalogue.
  case noSuchFamily(name: String, existing: [String])

  /// A store's own model, if it has one that can be used.
  public enum OwnModel: Sendable {
    case absent
    case unusable(reason: String)
    case model(ManagedObjectModel)
  }

  /// Why a store's own model doesn't help.
  public enum OwnModelFinding: Sendable, Hashable {
    case absent
    case unusable(reason: String)
    /// No family has a similar version.
    case noFamily
    /// Several families have similar versions.
    case severalFamilies([String])
  }

  /// The version with the most in common with a store.
  public struct Nearest: Sendable, Hashable, CustomStringConvertible {
    public var family: String
    public var version: String
    /// Entities of the version that the store lacks.
    public var missing: [String]
    /// Entities of the store that the version lacks.
    public var surplus: [String]
    /// Entities that both have, with different hashes.
    public var changed: [String]

    /// How many entities differ.
    public var differences: Int { missing.count + surplus.count + changed.count }

    init(family: Family, version: FamilyVersion, hashes: EntityVersionHashes) {
      self.family = family.name
      self.version = version.name
      missing = version.hashes.keys.filter { hashes[$0] == nil }.sorted(by: NameOrder.codePoints)
      surplus = hashes.keys.filter { version.hashes[$0] == nil }.sorted(by: NameOrder.codePoints)
      changed = hashes.filter { entity, hash in version.hashes[entity].map { $0 != hash } ?? false }.keys
        .sorted(by: NameOrder.codePoints)
    }

    public var description: String {
      let parts = [("changed", changed), ("missing in the store", missing), ("only in the store", surplus)]
        .filter { !$0.1.isEmpty }
        .map { "\($0.0): " + $0.1.map { "“\($0)”" }.joined(separator: ", ") }
      return "version “\(version)” of family “\(family)” (\(parts.joined(separator: "; ")))"
    }
  }
}
