/// What a store's version hashes say about its family and version.
public enum Recognition: Sendable {
  /// Exactly one family has a version with these hashes.
  case known(family: Family, version: FamilyVersion)
  /// Several families have one; name one of them.
  case ambiguous(families: [String])
  /// None has. The store could still belong to one of the broken families.
  case unknown(nearest: Nearest?, brokenFamilies: [BrokenFamily])
  /// The family that was asked for is broken.
  case broken(BrokenFamily)
  /// The family that was asked for isn't in the catalogue.
  case noSuchFamily(name: String, existing: [String])

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

    public var description: String {
      let parts = [("changed", changed), ("missing in the store", missing), ("only in the store", surplus)]
        .filter { !$0.1.isEmpty }
        .map { "\($0.0): " + $0.1.map { "“\($0)”" }.joined(separator: ", ") }
      return "version “\(version)” of family “\(family)” (\(parts.joined(separator: "; ")))"
    }
  }
}
