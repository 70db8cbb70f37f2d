import DecantStore
import DecantTestSupport
import Foundation
import Testing

@Suite("A -wal beside a store")
struct LogTests {
  /// The store's name.
  ///
  /// Messages have only the name and no path, because the daemon moves the store later.
  private func name(of sample: SampleStore) -> String { URL(fileURLWithPath: sample.path).lastPathComponent }

  /// A store as an application has it open: the second half of its notes is only in the `-wal`.
  private func live(uuid: String = SampleStore.uuid) throws -> SampleStore {
    let sample = try SampleStore(uuid: uuid, usesWriteAheadLog: true)
    let elsewhere = try TemporaryFolder()
    let copy = elsewhere.path("live.sqlite")
    try FileManager.default.copyItem(atPath: sample.path, toPath: copy)
    let writer = try RawSQLite(copy).execute(
      """
      PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZAT) SELECT Z_PK + 1000, 2, 1, 0 FROM ZNOTE;
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZLABEL) VALUES (9, 3, 1, 'late');
      """)
    for suffix in ["", "-wal"] {
      try sample.write(Data(contentsOf: URL(fileURLWithPath: copy + suffix)), to: suffix)
    }
    withExtendedLifetime(writer) {}
    return sample
  }

  private func log(of sample: SampleStore) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: sample.path + "-wal"))
  }

  private func reason(_ sample: SampleStore) -> String? {
    guard case .foreignLog(_, let log, let reason)? = sample.refusal() else { return nil }
    #expect(log.hasPrefix(sample.path))
    return reason
  }

  @Test("the -wal of an open store is read, and neither file is changed")
  func liveLog() throws {
    let sample = try live()
    let store = try sample.open()
    #expect(store.readPath != sample.path)
    #expect(store.usesWriteAheadLog)
    #expect(try sample.count("ZNOTE", in: store) == 240)
    #expect(try sample.count("ZTAG", in: store) == 4)
    let pages = (try log(of: sample).count - 32) / 4120
    #expect(store.warnings == ["\(name(of: sample))-wal was applied: \(pages) pages of changes."])
  }

  @Test("a -wal beside a store with a rollback journal is taken for that of another store")
  func logBesideAJournalledStore() throws {
    let sample = try live()
    let log = try log(of: sample)
    let closed = try SampleStore()
    try closed.write(log, to: "-wal")
    #expect(reason(closed) == "the store's header says that it keeps a rollback journal and no log")
    try closed.write(Data(), to: "-wal")
    #expect(try closed.count("ZNOTE", in: closed.open()) == 120)
  }

  @Test("for a missing -wal there is a warning that changes may be missing, but not for an empty -wal")
  func missingLog() throws {
    let sample = try SampleStore(usesWriteAheadLog: true)
    #expect(try sample.open().warnings.count == 1)
    try sample.write(Data(), to: "-wal")
    #expect(try sample.open().warnings.isEmpty)
  }

  @Test("an interrupted checkpoint: the file is shorter than its new header says, and the -wal has the rest")
  func interruptedCheckpoint() throws {
    let sample = try live()
    let log = try log(of: sample)
    var bytes = try sample.bytes
    let frames = Array(stride(from: 32, to: log.count - 4119, by: 4120))
    let first = try #require(frames.last(where: { log[$0..<($0 + 4)].elementsEqual([0, 0, 0, 1]) }))
    bytes.replaceSubrange(0..<4096, with: log[(first + 24)..<(first + 24 + 4096)])
    try sample.write(bytes)
    #expect(try sample.count("ZNOTE", in: sample.open()) == 240)
    try FileManager.default.removeItem(atPath: sample.path + "-wal")
    #expect(sample.refusal().map(\.kind) == "truncated")
  }

  @Test("a -wal that is no write-ahead log")
  func garbage() throws {
    let sample = try live()
    let log = try log(of: sample)
    try sample.write(Data("garbage".utf8), to: "-wal")
    #expect(reason(sample) == "it isn't a write-ahead log (7 bytes)")
    try sample.write(Data(repeating: 0x41, count: 5000), to: "-wal")
    #expect(reason(sample) == "it isn't a write-ahead log")
    var other = log
    other.replaceSubrange(8..<12, with: [0, 0, 0x20, 0])
    try sample.write(other, to: "-wal")
    #expect(reason(sample) == "its pages have 8192 bytes, the store's 4096")
    other = log
    other[17] ^= 4
    try sample.write(other, to: "-wal")
    #expect(reason(sample) == "its header is damaged")
  }

  @Test("a -wal that isn't a regular file", .timeLimit(.minutes(10)), arguments: ["fifo", "link", "folder"])
  func notAFile(kind: String) throws {
    let sample = try SampleStore()
    for suffix in ["-wal", "-journal"] {
      switch kind {
      case "fifo": mkfifo(sample.path + suffix, 0o600)
      case "link": symlink(sample.path, sample.path + suffix)
      default: mkdir(sample.path + suffix, 0o700)
      }
      #expect(reason(sample) == "it isn't a regular file")
      try FileManager.default.removeItem(atPath: sample.path + suffix)
    }
  }

  @Test("a -wal that has only a header, or is cut off in a frame: earlier commits count")
  func truncatedLog() throws {
    let sample = try live()
    let log = try log(of: sample)
    try sample.write(log.prefix(32), to: "-wal")
    #expect(try sample.count("ZNOTE", in: sample.open()) == 120)
    try sample.write(log.prefix(32 + 4120 + 100), to: "-wal")
    #expect(try sample.count("ZNOTE", in: sample.open()) == 120)
    // The last transaction is lost with its frame, but the transaction before is complete.
    try sample.write(log.dropLast(10), to: "-wal")
    let store = try sample.open()
    #expect(try sample.count("ZNOTE", in: store) == 240)
    #expect(try sample.count("ZTAG", in: store) == 3)
    #expect(store.warnings.count == 1 && store.warnings.allSatisfy { $0.contains("-wal was applied: ") })
  }

  @Test("with a flipped bit in a frame, later frames are lost, and the report says so")
  func damagedLog() throws {
    let sample = try live()
    var log = try log(of: sample)
    let frames = (log.count - 32) / 4120
    log[32 + 4120 + 24 + 100] ^= 1
    try sample.write(log, to: "-wal")
    let store = try sample.open()
    #expect(try sample.count("ZNOTE", in: store) == 120)
    #expect(
      store.warnings == [
        "\(name(of: sample))-wal is damaged after 1 page. The changes in the \(frames - 1) pages that follow are lost."
      ])
  }

  @Test("with flipped bits in a -wal, the store can be read or is refused for good", .timeLimit(.minutes(3)))
  func flippedLog() throws {
    let sample = try live()
    let log = try log(of: sample)
    var state: UInt64 = 99
    for bit in Array(stride(from: 0, to: 448, by: 2))
      + (0..<80).map({ _ -> Int in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 20) % (log.count * 8)
      })
    {
      var copy = log
      copy[bit / 8] ^= 1 << UInt8(bit % 8)
      try sample.write(copy, to: "-wal")
      if let error = sample.refusal() { #expect(!error.mayGetBetter, "bit \(bit): \(error)") }
    }
  }

  @Test("the -wal of another store of the same model is refused")
  func foreignLog() throws {
    let other = "11111111-2222-3333-4444-555555555555"
    let sample = try live()
    let stranger = try live(uuid: other)
    // This -wal has a page of the metadata, and so the identity of its own store.
    try stranger.change("PRAGMA wal_autocheckpoint=0")
    let elsewhere = try TemporaryFolder()
    let copy = elsewhere.path("other.sqlite")
    try FileManager.default.copyItem(atPath: stranger.path, toPath: copy)
    let writer = try RawSQLite(copy).execute(
      "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; UPDATE Z_METADATA SET Z_VERSION = 1, Z_UUID = Z_UUID"
    )
    try sample.write(Data(contentsOf: URL(fileURLWithPath: copy + "-wal")), to: "-wal")
    withExtendedLifetime(writer) {}
    #expect(reason(sample) == "it holds the metadata of store \(other), not \(SampleStore.uuid)")
  }

  @Test("if the store itself is damaged, the -wal isn't blamed")
  func damagedBesideALog() throws {
    let sample = try live()
    var bytes = try sample.bytes
    for page in 4..<(bytes.count / 4096) {
      bytes.replaceSubrange((page * 4096)..<(page * 4096 + 8), with: Data(repeating: 0xee, count: 8))
    }
    try sample.write(bytes)
    let error = try #require(sample.refusal())
    #expect(error.kind == "damaged", "\(error)")
  }

  @Test("the -wal of a database that is no store is refused")
  func logOfAnotherDatabase() throws {
    let sample = try SampleStore(usesWriteAheadLog: true)
    let elsewhere = try TemporaryFolder()
    let copy = elsewhere.path("other.sqlite")
    let writer = try RawSQLite(copy).execute(
      "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    try sample.write(Data(contentsOf: URL(fileURLWithPath: copy + "-wal")), to: "-wal")
    withExtendedLifetime(writer) {}
    let error = try #require(sample.refusal())
    #expect(error.kind == "foreignLog", "\(error)")
    #expect(error.description.contains("without it the store is sound"), "\(error)")
    #expect(!error.mayGetBetter)
  }
}
