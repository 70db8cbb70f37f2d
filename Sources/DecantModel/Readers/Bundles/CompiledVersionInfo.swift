public import Foundation
internal import KeyedArchive

/// `VersionInfo.plist` of a `.momd` (docs/formats/model-files.md 6); each of its keys may be missing.
public struct CompiledVersionInfo: Sendable {
  /// The largest accepted size in bytes; the largest genuine file seen has 7 kB.
  package static let largest = 4 << 20

  /// Name of a `.mom` without extension; the file may be missing.
  public let currentVersionName: String?
  /// The hashes of every version's entities, by version name.
  public let versionHashes: [String: EntityVersionHashes]
  /// Base64 of SHA-256 over the hashes, by version name (Xcode 15 and later).
  public let versionChecksums: [String: String]

  /// Reads the file's bytes, in either form of property list.
  ///
  /// - Throws: `ModelError.unreadable` if the bytes aren't a property list, or if it has values that aren't
  ///   hashes.
  public static func read(_ data: Data) throws(ModelError) -> CompiledVersionInfo {
    let list: PropertyList
    do {
      list = try PropertyList(parsing: data)
    } catch {
      throw .unreadable(reason: error.description)
    }
    guard list.dictionary != nil else { throw .unreadable(reason: "it isn't a dictionary") }
    var hashes: [String: EntityVersionHashes] = [:]
    for (version, entities) in list["NSManagedObjectModel_VersionHashes"]?.dictionary ?? [:] {
      guard let entities = entities.dictionary else {
        throw .unreadable(reason: "the hashes of version “\(version)” aren't a dictionary")
      }
      var own: EntityVersionHashes = [:]
      for (entity, value) in entities {
        guard let hash = value.data.flatMap(VersionHash.init) else {
          throw .unreadable(reason: "the hash of entity “\(entity)” in version “\(version)” isn't 32 bytes")
        }
        own[entity] = hash
      }
      hashes[version] = own
    }
    return CompiledVersionInfo(
      currentVersionName: list["NSManagedObjectModel_CurrentVersionName"]?.string, versionHashes: hashes,
      versionChecksums: (list["NSManagedObjectModel_VersionChecksums"]?.dictionary ?? [:]).compactMapValues(
        \.string))
  }
}
