import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@testable import DecantSQLite
@testable import DecantStore

@Suite("Files that aren't stores")
struct NoStoreTests {
  private func refusal(_ make: (String) throws -> Void) throws -> StoreError? {
    let sample = try SampleStore(notes: 1)
    try FileManager.default.removeItem(atPath: sample.path)
    try make(sample.path)
    return sample.refusal()
  }

  private func refusal(of data: Data) throws -> StoreError? {
    try refusal { try data.write(to: URL(fileURLWithPath: $0)) }
  }

  private static func random(_ count: Int) -> Data {
    var state: UInt64 = 7
    return Data(
      (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 40)
      })
  }

  @Test("a link to a store is refused, also by the SQLite connection; a folder behind a link is accepted")
  func links() throws {
    let sample = try SampleStore(notes: 1)
    let folder = try TemporaryFolder()
    symlink(sample.path, folder.path("link"))
    #expect(throws: StoreError.notARegularFile(path: folder.path("link"))) {
      try SourceStore(folder.path("link"), scratch: folder.path("scratch"))
    }
    let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(folder.path("link"), mode: .immutable) }
    #expect(error?.message.contains("unable to open") == true)
    symlink((sample.path as NSString).deletingLastPathComponent, folder.path("folder"))
    let path = folder.path("folder") + "/" + (sample.path as NSString).lastPathComponent
    let store = try SourceStore(path, scratch: folder.path("scratch"))
    #expect(try store.rows("SELECT count(*) FROM ZNOTE") == [[.integer(1)]])
  }

  @Test("a missing file, a folder, a FIFO, and a link without a target are refused", .timeLimit(.minutes(10)))
  func kinds() throws {
    #expect(try refusal { _ in }.map(\.kind) == "noSuchFile")
    #expect(
      try refusal { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: true) }
        .map(\.kind) == "notARegularFile")
    #expect(try refusal { mkfifo($0, 0o600) }.map(\.kind) == "notARegularFile")
    #expect(try refusal { symlink("/nonexistent/x", $0) }.map(\.kind) == "notARegularFile")
    #expect(try refusal { symlink("/dev/zero", $0) }.map(\.kind) == "notARegularFile")
  }

  @Test("an empty file, a text, XML, a property list, and random bytes are refused")
  func contents() throws {
    #expect(try refusal(of: Data()).map(\.kind) == "empty")
    #expect(try refusal(of: Data("hello, world".utf8)).map(\.kind) == "notSQLite")
    #expect(
      try refusal(of: Data(String(repeating: "lorem ipsum ", count: 900).utf8)).map(\.kind) == "notSQLite")
    #expect(try refusal(of: Data(count: 8192)).map(\.kind) == "notSQLite")
    #expect(
      try refusal(of: Data("<?xml version=\"1.0\"?>\n<!DOCTYPE database>".utf8)).map(\.kind) == "xmlStore")
    #expect(try refusal(of: PropertyList.dictionary(["a": .null]).binaryData()).map(\.kind) == "binaryStore")
    #expect(try refusal(of: Self.random(8192)).map(\.kind) == "probablyEncrypted")
  }

  @Test("a file with only SQLite's magic bytes, or with an invalid header, is refused")
  func headers() throws {
    let magic = Data("SQLite format 3\u{0}".utf8)
    #expect(try refusal(of: magic).map(\.kind) == "truncated")
    #expect(try refusal(of: magic + Data(count: 200)).map(\.kind) == "damaged")
    #expect(try refusal(of: magic + Data(repeating: 0xff, count: 8176)).map(\.kind) == "damaged")
  }

  @Test("an SQLite database with no or only some of Core Data's tables is refused")
  func otherDatabases() throws {
    #expect(try refusal { try RawSQLite($0).execute("CREATE TABLE t (x)") }.map(\.kind) == "notCoreData")
    #expect(try refusal { try RawSQLite($0).execute("PRAGMA user_version=3") }.map(\.kind) == "notCoreData")
    #expect(
      try refusal { try RawSQLite($0).execute("PRAGMA encoding='UTF-16'; CREATE TABLE t (x)") }?.description
        .hasSuffix("is an SQLite database but not a Core Data store: it has no text in UTF-8.") == true)
    for table in ["Z_METADATA", "Z_PRIMARYKEY"] {
      let sample = try SampleStore(notes: 1)
      try sample.change("DROP TABLE \(table)")
      #expect(
        sample.refusal()?.description
          == "\(sample.path) is an SQLite database but not a Core Data store: it has no table \(table).")
    }
  }
}
