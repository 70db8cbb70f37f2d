import DecantModel
import DecantStore
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@Suite("Metadata of stores")
struct MetadataTests {
  private func hexadecimal(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }

  private func refusal(plist: PropertyList) throws -> StoreError? {
    try refusal("UPDATE Z_METADATA SET Z_PLIST = x'\(hexadecimal(plist.binaryData()))'")
  }

  private func refusal(_ sql: String) throws -> StoreError? {
    let sample = try SampleStore(notes: 1)
    try sample.change(sql)
    let error = sample.refusal()
    if let error { #expect(!error.mayGetBetter) }
    return error
  }

  private func reason(_ sql: String) throws -> String? {
    guard case .damagedMetadata(_, let reason)? = try refusal(sql) else { return nil }
    return reason
  }

  @Test("metadata that are empty, or have no UUID or no property list")
  func notAList() throws {
    #expect(try reason("DELETE FROM Z_METADATA") == "the table is empty")
    #expect(try reason("UPDATE Z_METADATA SET Z_UUID = NULL") == "Z_UUID isn't text")
    #expect(try reason("UPDATE Z_METADATA SET Z_UUID = x'00'") == "Z_UUID isn't text")
    for value in ["'text'", "5", "zeroblob(70000000)"] {
      #expect(try reason("UPDATE Z_METADATA SET Z_PLIST = \(value)") == "Z_PLIST isn't a blob, or is too long")
    }
    for value in ["x''", "x'00'", "'bplist00' || x''", "CAST('bplist00' AS BLOB)", "CAST('hello' AS BLOB)"] {
      #expect(try reason("UPDATE Z_METADATA SET Z_PLIST = \(value)") != nil)
    }
    #expect(try reason("ALTER TABLE Z_METADATA RENAME COLUMN Z_PLIST TO X") == "no such column: Z_PLIST")
  }

  @Test("a property list that is cut off at many lengths")
  func truncated() throws {
    let data = PropertyList.dictionary(try SampleStore.metadata().entries).binaryData()
    let sample = try SampleStore(notes: 1)
    for length in stride(from: 0, to: data.count, by: 7) {
      try sample.change("UPDATE Z_METADATA SET Z_PLIST = x'\(hexadecimal(data.prefix(length)))'")
      #expect(sample.refusal().map(\.kind) == "damagedMetadata", "\(length)")
    }
  }

  @Test("property lists with other content")
  func otherLists() throws {
    var entries = try SampleStore.metadata().entries
    #expect(try refusal(plist: .array([])).map(\.kind) == "damagedMetadata")
    #expect(try refusal(plist: .dictionary([:])).map(\.kind) == "noVersionHashes")
    #expect(try refusal("UPDATE Z_METADATA SET Z_PLIST = NULL").map(\.kind) == "noVersionHashes")
    entries[StoreMetadata.Key.hashes] = .dictionary([:])
    #expect(try refusal(plist: .dictionary(entries)).map(\.kind) == "noVersionHashes")
    entries[StoreMetadata.Key.hashes] = .string("x")
    #expect(
      try refusal(plist: .dictionary(entries))?.description.hasSuffix(
        "the metadata in Z_METADATA can't be read: the version hashes aren't a dictionary.") == true)
    for value in [.data(Data(count: 31)), .data(Data(count: 33)), .string("x")] as [PropertyList] {
      entries[StoreMetadata.Key.hashes] = .dictionary(["Note": value])
      #expect(
        try refusal(plist: .dictionary(entries))?.description.hasSuffix(
          "can't be read: a version hash doesn't have 32 bytes.") == true)
    }
  }

  @Test("a store with odd values of the framework's keys can be read")
  func oddValues() throws {
    var entries = try SampleStore.metadata().entries
    for value in [.string("x"), .integer(.max), .integer(.min), .real(.nan), .null, .unsigned(.max)]
      as [PropertyList]
    {
      entries[StoreMetadata.Key.framework] = value
      entries[StoreMetadata.Key.identifiers] = value
      entries[StoreMetadata.Key.digest] = value
      #expect(try refusal(plist: .dictionary(entries)) == nil)
    }
  }

  @Test("the application's keys keep every kind of value, and the framework's keys are written again")
  func updated() throws {
    let mine: [String: PropertyList] = [
      "a": .data(Data([1])), "b": .array([.dictionary(["c": .boolean(false)])]), "d": .single(1.5),
      "NSStoreUUID": .string("x"), StoreMetadata.Key.autoVacuum: .string("1"),
    ]
    let model = try SampleStore.model()
    let old = StoreMetadata(
      uuid: "U", entries: mine.merging([StoreMetadata.Key.checksum: .string("old")]) { $1 })
    let new = old.updated(for: model, framework: FrameworkVersion(1000))
    for (key, value) in mine { #expect(new.entries[key] == value) }
    #expect(new.uuid == "U")
    #expect(new.versionHashes == model.entityVersionHashes)
    #expect(new.entries[StoreMetadata.Key.digest] == .string(model.entityVersionHashes.digest))
    #expect(new.entries[StoreMetadata.Key.checksum] == nil)
    #expect(new.framework == FrameworkVersion(1000))
    let latest = old.updated(for: model, framework: .current)
    #expect(latest.entries[StoreMetadata.Key.checksum] == .string(model.entityVersionHashes.checksum))
    #expect(old.updated(for: model, framework: FrameworkVersion(866)).entries[StoreMetadata.Key.digest] == nil)
  }

  /// The property list as Foundation reads it.
  private func foundation(_ data: Data) throws -> NSDictionary {
    let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    let entries = try #require(list as? [String: Any])
    return NSDictionary(dictionary: entries)
  }

  @Test(
    "genuine property lists are written as they were read",
    .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
  func genuine() throws {
    var count = 0
    for store in SharedFixtures.manifest where store.kind == "SQLite" && store.hashes > 0 {
      let folder = try TemporaryFolder()
      let source = try SourceStore(
        SharedFixtures.copy(store, into: folder).path, scratch: folder.path("scratch"))
      let list = PropertyList.dictionary(source.metadata.entries)
      #expect(try PropertyList(parsing: list.binaryData()) == list, "\(store)")
      let rows = try source.database.rows("SELECT Z_PLIST FROM Z_METADATA")
      guard case .blob(let data)? = rows.first?.first else { continue }
      #expect(try foundation(list.binaryData()).isEqual(foundation(data)), "\(store)")
      count += 1
    }
    #expect(count == 61)
  }
}
