import DecantModel
import DecantStore
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@Suite("Version hashes of genuine stores", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct GenuineHashTests {
  /// The metadata of an SQLite or XML store.
  private func entries(of store: SharedFixtures.Store) throws -> [String: PropertyList] {
    if store.kind == "SQLite" {
      let folder = try TemporaryFolder()
      let source = try SourceStore(
        SharedFixtures.copy(store, into: folder).path, scratch: folder.path("scratch"))
      return source.metadata.entries
    }
    let text = try String(contentsOf: store.storeURL, encoding: .utf8)
    let start = try #require(text.range(of: "<plist"))
    let end = try #require(text.range(of: "</plist>"))
    let list = try PropertyList(parsing: Data(text[start.lowerBound..<end.upperBound].utf8))
    return try #require(list.dictionary)
  }

  @Test("every hash that is reproducible by the manifest is computed from the XML of the model")
  func hashes() throws {
    var counts = (sqlite: 0, xml: 0, stores: 0, digests: 0, checksums: 0)
    for store in SharedFixtures.manifest where store.modelFolder != nil {
      let entries = try entries(of: store)
      let metadata = StoreMetadata(uuid: "", entries: entries)
      let theirs = try #require(metadata.versionHashes)
      let ours = try store.readModel().entityVersionHashes
      #expect(ours == theirs, "\(store)")
      let equal = theirs.filter { ours[$0.key] == $0.value }.count
      #expect(equal == store.verified, "\(store)")
      if store.kind == "SQLite" { counts.sqlite += equal } else { counts.xml += equal }
      counts.stores += 1
      if let digest = entries[StoreMetadata.Key.digest]?.string {
        #expect(digest == ours.digest, "\(store)")
        counts.digests += 1
      }
      if let checksum = entries[StoreMetadata.Key.checksum]?.string {
        #expect(checksum == ours.checksum, "\(store)")
        counts.checksums += 1
      }
      if let framework = metadata.framework {
        #expect(framework.writesDigest == (entries[StoreMetadata.Key.digest] != nil), "\(store)")
        #expect(framework.writesChecksum == (entries[StoreMetadata.Key.checksum] != nil), "\(store)")
      }
    }
    print(
      "\(counts.sqlite) hashes of SQLite stores and \(counts.xml) of XML stores reproduced, \(counts.stores) stores, "
        + "\(counts.digests) digests, \(counts.checksums) checksums")
    #expect(counts.sqlite == 643)
    #expect(counts.xml == 2)
    #expect(counts.stores == 57)
    #expect(counts.digests == 18)
    #expect(counts.checksums == 3)
    let reproducible = SharedFixtures.manifest.filter { $0.kind == "XML" }.reduce(0) { $0 + $1.verified }
    #expect(counts.xml == reproducible)
  }
}
