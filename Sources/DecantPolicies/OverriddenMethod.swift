/// Whether a policy class overrides `createRelationships`.
///
/// If it doesn't, no code of an app sees the objects of the relate stage, so they needn't be made.
///
/// Swift has no function for this question. A class's metadata have a pointer for each method that can be overridden;
/// the pointers for methods of superclasses come first (Swift's docs/ABI/TypeMetadata.rst, “Class Metadata”). The
/// pointer for `createRelationships` is found by comparing two classes that differ only in this method. Equal pointers
/// mean equal code. If the metadata aren't as described, every class counts as overriding.
package enum OverriddenMethod {
  private class Plain: EntityMigrationPolicy {}

  private class Relating: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }
  }

  /// The index of the method in the metadata, in words; `nil` if unknown.
  package static let relating: Int? = place(of: Relating.self)

  package static func hasOwnRelating(_ policy: EntityMigrationPolicy.Type) -> Bool {
    guard let relating, let own = Metadata(policy), let base = Metadata(EntityMigrationPolicy.self),
      own.count > relating
    else { return true }
    return own[relating] != base[relating]
  }

  /// The index of the method's word in the metadata; `nil` if it isn't certain.
  ///
  /// The word differs between the base class and `changed`, which overrides the method. The word is equal in the base
  /// class and in a class without overrides. Exactly one word must have both properties.
  private static func place(of changed: EntityMigrationPolicy.Type) -> Int? {
    guard let base = Metadata(EntityMigrationPolicy.self), let plain = Metadata(Plain.self),
      let changed = Metadata(changed), plain.count == changed.count, plain.count >= base.count
    else { return nil }
    let places = (Metadata.head..<base.count).filter { plain[$0] == base[$0] && changed[$0] != base[$0] }
    return places.count == 1 ? places.first : nil
  }

  /// The words of a class's metadata.
  private struct Metadata {
    /// The number of words before the members: kind, superclass, sizes, description, destroyer.
    static let head = 7
    /// The index of the word with the sizes of the metadata.
    private static let sizes = 4
    /// The largest plausible size of the metadata, in bytes.
    private static let most = 64 << 10

    private let words: UnsafePointer<UInt>
    let count: Int

    init?(_ type: AnyClass) {
      #if canImport(ObjectiveC) || !_pointerBitWidth(_64)
        // The layout of the metadata differs on these systems.
        return nil
      #else
        words = UnsafePointer(unsafeBitCast(type, to: UnsafePointer<UInt>.self))
        // The total size, and the size of the part before the address to which the pointer points.
        let (whole, before) = (Int(words[Self.sizes] & 0xffff_ffff), Int(words[Self.sizes] >> 32))
        guard whole <= Self.most, before < whole, whole % 8 == 0, before % 8 == 0 else { return nil }
        count = (whole - before) / 8
      #endif
    }

    subscript(place: Int) -> UInt { words[place] }
  }
}
