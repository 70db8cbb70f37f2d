package import DecantModel
internal import Foundation
package import KeyedArchive

/// The metadata of a store in `Z_METADATA` (docs/formats/core-data-sqlite.md 6).
package struct StoreMetadata: Sendable, Hashable {
  /// The framework's keys that Decant reads or writes (docs/formats/core-data-sqlite.md 6.1).
  package enum Key {
    package static let hashes = "NSStoreModelVersionHashes"
    package static let hashesVersion = "NSStoreModelVersionHashesVersion"
    package static let identifiers = "NSStoreModelVersionIdentifiers"
    package static let framework = "NSPersistenceFrameworkVersion"
    package static let digest = "NSStoreModelVersionHashesDigest"
    package static let checksum = "NSStoreModelVersionChecksumKey"
    package static let storeType = "NSStoreType"
    package static let autoVacuum = "_NSAutoVacuumLevel"
  }

  /// The store's UUID from `Z_UUID`.
  package var uuid: String
  /// The whole property list.
  package var entries: [String: PropertyList]

  package init(uuid: String, entries: [String: PropertyList]) {
    self.uuid = uuid
    self.entries = entries
  }

  /// The version hash of every entity.
  ///
  /// It is `nil` if the store has no version hashes, which is normal for Mac OS X 10.4, or if a hash is malformed.
  package var versionHashes: EntityVersionHashes? {
    guard let list = entries[Key.hashes]?.dictionary, !list.isEmpty else { return nil }
    var hashes: EntityVersionHashes = [:]
    for (name, value) in list {
      guard let data = value.data, let hash = VersionHash(data) else { return nil }
      hashes[name] = hash
    }
    return hashes
  }

  /// The version of the framework that last wrote the store; `nil` if it isn't stated.
  package var framework: FrameworkVersion? {
    entries[Key.framework]?.integer.flatMap { Int(exactly: $0) }.map(FrameworkVersion.init)
  }

  /// The model's identifiers; empty if the store has none.
  package var versionIdentifiers: [String] {
    (entries[Key.identifiers]?.array ?? []).compactMap(\.string)
  }

  /// The metadata without the entries of CloudKit's mirroring (docs/formats/core-data-sqlite.md 14).
  ///
  /// A store with the remaining metadata starts mirroring from the beginning.
  package var withoutCloudKit: StoreMetadata {
    StoreMetadata(
      uuid: uuid, entries: entries.filter { !$0.key.hasPrefix("PFCloudKit") && !$0.key.hasPrefix("NSCloudKit") }
    )
  }

  /// The metadata of a store with this model and framework.
  ///
  /// The application's keys and the UUID stay.
  package func updated(for model: ManagedObjectModel, framework: FrameworkVersion) -> StoreMetadata {
    let hashes = model.entityVersionHashes
    var result = self
    result.entries[Key.hashes] = .dictionary(hashes.mapValues { .data($0.data) })
    result.entries[Key.hashesVersion] = .integer(3)
    result.entries[Key.identifiers] = .array(model.versionIdentifiers.map(PropertyList.string))
    result.entries[Key.framework] = .integer(Int64(framework.number))
    result.entries[Key.storeType] = .string("SQLite")
    result.entries[Key.autoVacuum] = result.entries[Key.autoVacuum] ?? .string("2")
    result.entries[Key.digest] = framework.writesDigest ? .string(hashes.digest) : nil
    result.entries[Key.checksum] = framework.writesChecksum ? .string(hashes.checksum) : nil
    return result
  }
}
