import DecantSQLite
import Foundation
import KeyedArchive
import Testing

@testable import DecantMigration

/// A bad source store, and the expected failure.
struct BadStore: Sendable, CustomTestStringConvertible {
  let situation: String
  let reason: String
  let code: Int?
  /// Parts of the message; `S` stands for the store's path.
  let message: [String]
  let advice: String
  let spoil: @Sendable (Workshop) throws -> Void

  init(
    _ situation: String, _ reason: String, _ code: Int?, _ message: String..., advice: String,
    spoil: @escaping @Sendable (Workshop) throws -> Void
  ) {
    self.init(situation: situation, reason: reason, code: code, message: message, advice: advice, spoil: spoil)
  }

  /// A store whose bytes are replaced.
  init(
    _ situation: String, _ reason: String, _ message: String..., advice: String,
    bytes: @escaping @Sendable (Data) -> Data
  ) {
    self.init(situation: situation, reason: reason, code: 259, message: message, advice: advice) { shop in
      try bytes(Data(contentsOf: shop.source)).write(to: shop.source)
    }
  }

  /// A store that SQL statements make bad.
  init(
    _ situation: String, _ reason: String, _ code: Int = 134_020, _ message: String..., advice: String,
    sql: String
  ) {
    self.init(situation: situation, reason: reason, code: code, message: message, advice: advice) { shop in
      try SQLiteDatabase(shop.source.path, mode: .readWrite).execute(sql)
    }
  }

  private init(
    situation: String, reason: String, code: Int?, message: [String], advice: String,
    spoil: @escaping @Sendable (Workshop) throws -> Void
  ) {
    self.situation = situation
    self.reason = reason
    self.code = code
    self.message = message
    self.advice = advice
    self.spoil = spoil
  }

  var testDescription: String { situation }
}

@Suite("Failures: bad stores are refused with a message, a reason and Core Data's code")
struct BadStoreFailureTests {
  @Test("each bad store", arguments: files + tables)
  func refused(store: BadStore) throws {
    let shop = try Workshop("Note\n  text String?", "Note\n  text String?\n  more String?")
    try shop.makeStore(
      usesWriteAheadLog: false,
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
        + "WHERE i < 900) SELECT i, 1, 1, hex(randomblob(20)) FROM n")
    try store.spoil(shop)
    let failure = try shop.failure()
    #expect(failure.disposition == .refuse)
    #expect(failure.exitCode == (store.reason == "no-such-file" ? 66 : 65))
    #expect(failure.reason.word == store.reason)
    #expect(failure.coreDataCode == store.code)
    for part in store.message {
      let text = part.replacing("S:", with: shop.source.path)
      #expect(failure.message.contains(text), "\(failure.message)")
    }
    #expect(failure.advice.contains(store.advice), "\(failure.advice)")
    #expect(failure.message.hasSuffix("."))
  }

  static let files: [BadStore] = [
    BadStore("nothing there", "no-such-file", 260, "S:: no such file.", advice: "Check the path") {
      try FileManager.default.removeItem(at: $0.source)
    },
    BadStore("a folder", "not-a-file", nil, "S: is not a regular file.", advice: "not a folder, link or device")
    {
      try FileManager.default.removeItem(at: $0.source)
      try FileManager.default.createDirectory(at: $0.source, withIntermediateDirectories: true)
    },
    BadStore("empty", "empty", "S: is empty (0 bytes).", advice: "Copy the store again") { _ in Data() },
    BadStore("a text", "not-sqlite", "S: is not an SQLite database.", advice: "Give the store file itself") {
      _ in
      Data("Dear diary".utf8)
    },
    BadStore("an XML store without its head", "damaged", "S: is damaged at line 1", advice: "Copy it again") {
      _ in
      Data("<?xml version=\"1.0\"?><database/>".utf8)
    },
    BadStore(
      "another XML file", "not-core-data", 134_020, "S: is an XML file but not a Core Data store",
      advice: "Give the store file itself"
    ) { try Data("<?xml version=\"1.0\"?><html/>".utf8).write(to: $0.source) },
    BadStore("a binary store", "binary-store", "S: is a binary property list", advice: "migratePersistentStore")
    {
      _ in
      PropertyList.dictionary([:]).binaryData()
    },
    BadStore(
      "encrypted", "encrypted", "S: is not an SQLite database", "probably encrypted", advice: "sqlcipher_export"
    ) {
      var state: UInt64 = 5
      return Data(
        $0.map { byte in
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return byte ^ UInt8(truncatingIfNeeded: state >> 33)
        })
    },
    BadStore(
      "half of it", "truncated", "S: is truncated: its header promises", advice: "Copy it again completely"
    ) {
      $0.prefix($0.count / 2)
    },
    BadStore("a page of zeros", "damaged", "S: is damaged: ", advice: "Restore it from a backup") {
      var copy = $0
      let page = 4096 * (copy.count / 4096 - 2)
      copy.replaceSubrange(page..<(page + 4096), with: Data(count: 4096))
      return copy
    },
    BadStore(
      "the log of another store", "foreign-wal", 259, "S:-wal does not belong to S:", advice: "Deliver the -wal"
    ) {
      try Data(repeating: 0x41, count: 9000).write(to: URL(fileURLWithPath: $0.source.path + "-wal"))
    },
  ]

  static let tables: [BadStore] = [
    BadStore(
      "SQLite but not Core Data", "not-core-data", 134_020, "not a Core Data store: it has no table Z_METADATA",
      advice: "Only stores that Core Data has written", sql: "DROP TABLE Z_METADATA"),
    BadStore(
      "of Mac OS X 10.4", "no-version-hashes", 134_100, "without version hashes",
      advice: "Open and save it once",
      sql: "UPDATE Z_METADATA SET Z_PLIST = NULL"),
    BadStore(
      "damaged metadata", "damaged-metadata", 134_020, "the metadata in Z_METADATA can't be read: ",
      advice: "Restore the store from a backup", sql: "UPDATE Z_METADATA SET Z_PLIST = CAST('bplist00' AS BLOB)"
    ),
    BadStore(
      "a column short", "tables-of-another-version", 134_020, "S:: the metadata say “V1”",
      "column ZNOTE.ZTEXT is missing",
      advice: "changed by another program", sql: "ALTER TABLE ZNOTE DROP COLUMN ZTEXT"),
    BadStore(
      "an unknown table", "unknown-tables", 134_020,
      "tables that Core Data doesn't make for this model: grdb_migrations.",
      advice: "Remove them from a copy", sql: "CREATE TABLE grdb_migrations (x)"),
    BadStore(
      "mirrored by CloudKit", "cloudkit", 134_020,
      "is mirrored by CloudKit (1 table such as ANSCKRECORDMETADATA)",
      advice: "cloudKit: \"reset\"", sql: "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY)"),
    BadStore(
      "another entity number", "inconsistent-store", 134_020,
      "entity “Note” has the number 9 in Z_PRIMARYKEY where the model gives 1",
      advice: "changed by another program", sql: "UPDATE Z_PRIMARYKEY SET Z_ENT = 9"),
    BadStore(
      "rows of another entity", "inconsistent-store", 134_020, "table ZNOTE has 3 rows of entity number 4",
      advice: "changed by another program", sql: "UPDATE ZNOTE SET Z_ENT = 4 WHERE Z_PK < 4"),
    BadStore(
      "a key of 0", "inconsistent-store", 134_020,
      "table ZNOTE has rows whose key (Z_PK) is not a whole number from 1 up",
      advice: "changed by another program", sql: "UPDATE ZNOTE SET Z_PK = 0 WHERE Z_PK = 4"),
    BadStore(
      "keys that are texts", "inconsistent-store", 134_020, "because Z_PK isn't their rowid",
      advice: "changed by another program",
      sql:
        "DROP TABLE ZNOTE; CREATE TABLE ZNOTE (Z_PK VARCHAR PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR); "
        + "INSERT INTO ZNOTE VALUES (1, 1, 1, 'a'), ('b', 1, 1, 'c')"),
  ]

  @Test(
    "a store with a surplus column, wrong Z_MAX, a surplus row in Z_PRIMARYKEY and a trigger is migrated")
  func tolerated() throws {
    let shop = try Workshop("Note\n  text String?", "Note\n  text String?\n  more String?")
    try shop.makeStore(
      finally: """
        ALTER TABLE ZNOTE ADD COLUMN ZOLD VARCHAR; UPDATE Z_PRIMARYKEY SET Z_MAX = -1;
        INSERT INTO Z_PRIMARYKEY VALUES (77, 'Gone', 0, 3);
        CREATE TRIGGER Z_DA_ZNOTE_boom AFTER INSERT ON ZNOTE BEGIN SELECT RAISE(ABORT, 'boom'); END;
        """, "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (5, 1, 1, 'a'), (9, 1, 1, 'b')")
    let result = try shop.migrate()
    #expect(result.report.steps.last?.entities.map(\.migrated) == [2])
    let store = try SQLiteDatabase(shop.output.path, mode: .immutable)
    #expect(try store.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'") == 9)
    #expect(try store.integer("SELECT count(*) FROM sqlite_master WHERE type IN ('trigger', 'view')") == 0)
  }
}
