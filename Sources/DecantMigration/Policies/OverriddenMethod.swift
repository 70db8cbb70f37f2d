/// Whether a class of policies has a `createRelationships` of its own.
///
/// Where it hasn't, no code of an app looks at the objects of the relate stage, so that none need be made. Swift has no
/// question for it: the answer is in the class's metadata, which has a pointer for each method that can be overridden,
/// those of the superclasses first (Swift's docs/ABI/TypeMetadata.rst, “Class Metadata”). Which pointer is this
/// method's is found with two classes that differ in nothing else. An equal pointer is the same code. Wherever the
/// metadata aren't as described, every class counts as having its own, and all objects are shown.
enum OverriddenMethod {
  private class Plain: EntityMigrationPolicy {}

  private class Relating: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }
  }

  /// Where the metadata have the method, in words; `nil` where that can't be told.
  static let relating: Int? = place(of: Relating.self)

  static func hasOwnRelating(_ policy: EntityMigrationPolicy.Type) -> Bool {
    guard let relating, let own = Metadata(policy), let base = Metadata(EntityMigrationPolicy.self),
      own.count > relating
    else { return true }
    return own[relating] != base[relating]
  }

  /// The one word that differs in a class and is the base class's in one that overrides nothing.
  private static func place(of changed: EntityMigrationPolicy.Type) -> Int? {
    guard let base = Metadata(EntityMigrationPolicy.self), let plain = Metadata(Plain.self),
      let changed = Metadata(changed), plain.count == changed.count, plain.count >= base.count
    else { return nil }
    let places = (Metadata.head..<base.count).filter { plain[$0] == base[$0] && changed[$0] != base[$0] }
    return places.count == 1 ? places.first : nil
  }

  /// The words of a class's metadata.
  private struct Metadata {
    /// What stands before the members: kind, superclass, sizes, description, destroyer.
    static let head = 7
    /// The words with the flags and sizes of instances, and with the sizes of the metadata themselves.
    private static let sizes = 4
    private static let most = 64 << 10

    private let words: UnsafePointer<UInt>
    let count: Int

    init?(_ type: AnyClass) {
      #if canImport(ObjectiveC) || !_pointerBitWidth(_64)
        // Laid out otherwise there.
        return nil
      #else
        words = UnsafePointer(unsafeBitCast(type, to: UnsafePointer<UInt>.self))
        // The whole size, and how much of it stands before the place that the pointer leads to.
        let (whole, before) = (Int(words[Self.sizes] & 0xffff_ffff), Int(words[Self.sizes] >> 32))
        guard whole <= Self.most, before < whole, whole % 8 == 0, before % 8 == 0 else { return nil }
        count = (whole - before) / 8
      #endif
    }

    subscript(place: Int) -> UInt { words[place] }
  }
}
