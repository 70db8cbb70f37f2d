package import DecantModel

/// `NSPersistenceFrameworkVersion`: the build of Core Data that last wrote a store, and its behaviour.
///
/// Each change of the behaviour happened between two versions whose stores were seen (docs/formats/core-data-sqlite.md
/// 12).
package struct FrameworkVersion: Sendable, Hashable, Comparable {
  package let number: Int

  package init(_ number: Int) {
    self.number = number
  }

  /// The version for which schemas are written by default (iOS 17).
  package static let current = FrameworkVersion(1344)

  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// Indexes are created after all tables instead of after each table, join tables have an index, and `Z_MODELCACHE`
  /// exists (docs/formats/core-data-sqlite.md 1.4, 4.7).
  ///
  /// This is true for 637 and later, and false for 519 and earlier.
  var writesModernTables: Bool { number > 519 }
  /// Stores have the table `Z_MODELCACHE` (docs/formats/core-data-sqlite.md 6.4).
  package var writesModelCache: Bool { writesModernTables }
  /// Indexes are named after entity and index (docs/formats/core-data-sqlite.md 5.1).
  var namesIndexesByEntity: Bool { number >= 836 }
  /// Uniqueness is an index, not a clause of the table (docs/formats/core-data-sqlite.md 5.4; the exact version of the
  /// change is unknown).
  var writesUniquenessAsIndex: Bool { number >= 847 }
  /// The metadata contain `NSStoreModelVersionHashesDigest` (docs/formats/version-hash.md 3).
  package var writesDigest: Bool { number >= 977 }
  /// The metadata contain `NSStoreModelVersionChecksumKey` (docs/formats/version-hash.md 3).
  package var writesChecksum: Bool { number >= 1327 }

  /// The oldest version that supports everything in the model (docs/formats/core-data-sqlite.md 12).
  package static func oldest(expressing model: ManagedObjectModel) -> FrameworkVersion {
    var oldest = 0
    for entity in model.entities {
      if !entity.uniquenessConstraints.isEmpty { oldest = max(oldest, 637) }
      if !entity.fetchIndexes.isEmpty { oldest = max(oldest, 836) }
      for attribute in entity.attributes where !attribute.isTransient {
        if attribute.type == .uuid || attribute.type == .uri || attribute.preservesValueAfterDeletion {
          oldest = max(oldest, 847)
        }
        if attribute.isDerived { oldest = max(oldest, 977) }
        if attribute.type == .composite || attribute.element != nil { oldest = max(oldest, 1333) }
      }
    }
    return FrameworkVersion(oldest)
  }
}
