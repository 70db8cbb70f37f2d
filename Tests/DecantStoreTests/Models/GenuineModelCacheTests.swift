import DecantModel
import DecantStore
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@Suite("Model caches of genuine stores", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct GenuineModelCacheTests {
  private static let stores = SharedFixtures.manifest.filter { $0.kind == "SQLite" && $0.hashes > 0 }

  /// The store's model in the form that the manifest names.
  private func stated(_ store: SharedFixtures.Store) throws -> ManagedObjectModel? {
    guard let path = store.model else { return nil }
    let file = store.folderURL.appendingPathComponent(path)
    let isFolder = ["contents", "elements"].contains(file.lastPathComponent)
    return try ModelBundle.read(at: isFolder ? file.deletingLastPathComponent() : file).versions.first?.model
  }

  @Test func everyHashThatTheManifestCallsReproducibleIs() throws {
    var (stores, hashes, digests, checksums) = (0, 0, 0, 0)
    for store in Self.stores {
      let folder = try TemporaryFolder()
      let source = try SourceStore(
        SharedFixtures.copy(store, into: folder).path, scratch: folder.path("scratch"), checksPages: false)
      let model = try #require(try stated(store), "\(store)")
      let own = model.entityVersionHashes
      let stated = try #require(source.metadata.versionHashes, "\(store)")
      let equal = stated.filter { own[$0.key] == $0.value }.count
      #expect(equal == store.verified, "\(store)")
      stores += 1
      hashes += equal
      guard stated == own else { continue }
      if let digest = source.metadata.entries[StoreMetadata.Key.digest]?.string {
        #expect(digest == own.digest, "\(store)")
        digests += 1
      }
      if let checksum = source.metadata.entries[StoreMetadata.Key.checksum]?.string {
        #expect(checksum == own.checksum, "\(store)")
        checksums += 1
      }
    }
    print("stores: \(stores), \(hashes) hashes, \(digests) digests, \(checksums) checksums, all equal")
    #expect(stores == 61 && hashes == 658 && digests == 21 && checksums == 6)
    // XML stores have the other reproducible hashes, which `GenuineHashTests` computes.
    let reproducible = SharedFixtures.manifest.filter { $0.kind == "SQLite" }.reduce(0) { $0 + $1.verified }
    #expect(hashes == reproducible)
  }

  /// Stores whose application had other defaults, transformers or identifiers than the published model with the same
  /// hashes.
  private static let others = [
    "carekit/SampleStore2.0.sqlite", "moody/Moody.moody", "wire/store2-83-0.wiredatabase",
  ]

  @Test func everyCacheReadsToTheModelOfItsStoreAndEqualsTheSource() throws {
    var (caches, hashes) = (0, 0)
    var comparison = ModelComparison()
    var others: [String] = []
    for store in Self.stores {
      let folder = try TemporaryFolder()
      let source = try SourceStore(
        SharedFixtures.copy(store, into: folder).path, scratch: folder.path("scratch"), checksPages: false)
      guard let cached = try source.cachedModel() else { continue }
      caches += 1
      hashes += cached.model.entities.count
      guard store.modelFolder != nil, let model = try stated(store),
        model.entityVersionHashes == cached.model.entityVersionHashes
      else { continue }
      var own = ModelComparison()
      own.compare(cached.model, model) { $0.managedObjectClassName = nil }
      if own.differences.isEmpty {
        comparison.add(own)
      } else {
        others.append(store.description)
      }
    }
    print("model cache and source: \(caches) caches, \(hashes) hashes; \(comparison.summary)")
    #expect(caches == 48 && hashes == 573)
    #expect(comparison.counts == [42, 522, 3982, 1660])
    #expect(others == Self.others)
  }
}
