import DecantStore
import DecantTestSupport
import Foundation
import Testing

@Suite("Rollback journals beside a store")
struct JournalTests {
  /// A store whose application was killed in the middle of a transaction.
  private func torn(uuid: String = SampleStore.uuid) throws -> SampleStore {
    let sample = try SampleStore(notes: 400, uuid: uuid)
    let elsewhere = try TemporaryFolder()
    let copy = elsewhere.path("torn.sqlite")
    try FileManager.default.copyItem(atPath: sample.path, toPath: copy)
    let writer = try RawSQLite(copy).execute(
      """
      PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN;
      UPDATE Z_METADATA SET Z_PLIST = Z_PLIST || x'00'; UPDATE ZNOTE SET ZTEXT = 'half done ' || ZTEXT;
      UPDATE ZTAG SET ZLABEL = 'half done';
      """)
    for suffix in ["", "-journal"] {
      try sample.write(Data(contentsOf: URL(fileURLWithPath: copy + suffix)), to: suffix)
    }
    try writer.execute("ROLLBACK")
    return sample
  }

  private func halfDone(_ store: SourceStore) throws -> Int {
    try store.database.integer("SELECT count(*) FROM ZNOTE WHERE ZTEXT LIKE 'half done%'")
  }

  @Test("a hot journal is rolled back in a copy")
  func hotJournal() throws {
    let sample = try torn()
    let store = try sample.open()
    #expect(try halfDone(store) == 0)
    #expect(
      store.warnings == [
        "A rollback journal was left behind and applied: \(URL(fileURLWithPath: sample.path).lastPathComponent)-journal."
      ])
  }

  @Test(
    "a journal that names a super-journal is refused; SQLite would read and delete that file, but it stays")
  func superJournal() throws {
    let sample = try torn()
    let victim = try sample.folder.write("precious", to: "victim")
    var journal = try Data(contentsOf: URL(fileURLWithPath: sample.path + "-journal"))
    let name = Data(victim.path.utf8)
    func number(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
    journal += number(0x4000_0000 / 4096 + 1) + name + number(UInt32(name.count))
    journal += number(name.reduce(0) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) })
    journal += Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
    try sample.write(journal, to: "-journal")
    #expect(
      sample.refusal()
        == .foreignLog(
          path: sample.path, log: sample.path + "-journal",
          reason: "it is part of a transaction over several files"))
    #expect(FileManager.default.fileExists(atPath: victim.path))
  }

  @Test(
    "a journal without content or of zeros is ignored; a store with a cut-off journal is read, or refused for good",
    arguments: [0, 1, 8, 511, 512, 513, 1500, 20_000])
  func otherJournals(length: Int) throws {
    let sample = try SampleStore()
    try sample.write(Data(count: length), to: "-journal")
    let store = try sample.open()
    #expect(try sample.count("ZNOTE", in: store) == 120)
    #expect(store.warnings.isEmpty)
    let hot = try torn()
    try hot.write(Data(contentsOf: URL(fileURLWithPath: hot.path + "-journal")).prefix(length), to: "-journal")
    if let error = hot.refusal() { #expect(!error.mayGetBetter, "\(error)") }
  }

  @Test(
    "a -journal with other data is refused: SQLite would ignore it", arguments: [1, 8, 511, 512, 20_000])
  func garbage(length: Int) throws {
    let sample = try SampleStore()
    try sample.write(Data(repeating: 0x41, count: length), to: "-journal")
    #expect(
      sample.refusal()
        == .foreignLog(
          path: sample.path, log: sample.path + "-journal", reason: "it isn't a rollback journal"))
    let hot = try torn()
    try hot.write(Data(contentsOf: URL(fileURLWithPath: hot.path + "-journal")).prefix(100), to: "-journal")
    #expect(hot.refusal()?.description.contains("ends after 100 bytes") == true)
  }

  @Test("a journal of a database that is no store, or of a store with other tables, is refused")
  func journalOfAnotherDatabase() throws {
    for statement in ["CREATE TABLE t (x)", "CREATE TABLE ZOTHER (Z_PK INTEGER PRIMARY KEY)"] {
      let sample = try SampleStore()
      let elsewhere = try TemporaryFolder()
      let copy = elsewhere.path("other.sqlite")
      if statement.contains("ZOTHER") { try FileManager.default.copyItem(atPath: sample.path, toPath: copy) }
      let filling = try RawSQLite(copy).execute(
        "PRAGMA writable_schema=ON; DELETE FROM sqlite_master WHERE name LIKE 'ZNOTE%' OR name LIKE 'ZTAG%'; "
          + "\(statement); CREATE TABLE filler (x); "
          + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
          + "INSERT INTO filler SELECT hex(zeroblob(200)) FROM n")
      withExtendedLifetime(filling) {}
      let writer = try RawSQLite(copy).execute(
        "PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN; CREATE TABLE more (x); UPDATE filler SET x = 'changed';"
      )
      try sample.write(Data(contentsOf: URL(fileURLWithPath: copy + "-journal")), to: "-journal")
      try writer.execute("ROLLBACK")
      guard case .foreignLog(_, let log, let reason)? = sample.refusal() else {
        Issue.record("\(statement): \(String(describing: sample.refusal()))")
        continue
      }
      #expect(log == sample.path + "-journal")
      #expect(reason.hasPrefix("without it the store is sound, with it "), "\(reason)")
    }
  }

  @Test("the journal of another store is refused")
  func foreignJournal() throws {
    let sample = try SampleStore(notes: 400)
    let other = try torn(uuid: "11111111-2222-3333-4444-555555555555")
    try sample.write(Data(contentsOf: URL(fileURLWithPath: other.path + "-journal")), to: "-journal")
    guard case .foreignLog(_, let log, _)? = sample.refusal() else {
      Issue.record("\(String(describing: sample.refusal()))")
      return
    }
    #expect(log == sample.path + "-journal")
  }
}
