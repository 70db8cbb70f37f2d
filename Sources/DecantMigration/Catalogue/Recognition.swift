public import DecantModel

/// What a store's version hashes say about its family and version.
public enum Recognition: Sendable {
  /// Exactly one family has a version with these hashes, or a configuration or merge of its versions has; the version's
  /// `origin` says which.
  case known(family: Family, version: FamilyVersion)
  /// The family doesn't have the version, but the store keeps its own model, which is made one of the family's.
  case ownModel(family: Family, version: FamilyVersion, nearest: Nearest)
  /// Several families have one; name one of them.
  case ambiguous(families: [String])
  /// The hashes fit, but in a way that can't be used.
  case unusable(family: String, reason: String, advice: String)
  /// None has. The store could still belong to one of the broken families: those of which no model can be read, or that
  /// have an entity's name in common with it.
  case unknown(nearest: Nearest?, brokenFamilies: [BrokenFamily], ownModel: OwnModelFinding)
  /// The family that was asked for is broken, or the only one to which the store belongs is.
  case broken(BrokenFamily)
  /// Several families fit, and of these some are broken.
  case ambiguousBroken(families: [String], broken: [BrokenFamily])
  /// The family that was asked for isn't in the catalogue.
  case noSuchFamily(name: String, existing: [String])

  /// The model that a store keeps of itself, as far as it can be had.
  public enum OwnModel: Sendable {
    case absent
    case unusable(reason: String)
    case model(ManagedObjectModel)
  }

  /// Why the model that a store keeps of itself is of no help.
  public enum OwnModelFinding: Sendable, Hashable {
    case absent
    case unusable(reason: String)
    /// No family has a version that is much like it.
    case noFamily
    /// Several families have.
    case severalFamilies([String])
  }

  /// The version that has most in common with a store.
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
