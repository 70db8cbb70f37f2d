import DecantSQLite
import Foundation
import Testing

@testable import DecantCommand

/// A store that differs from those of Core Data, and the results of the commands for it.
struct OddStore: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The kinds of oddities that inspect reports.
  let kinds: Set<String>
  /// The reason why the store isn't migrated; `nil` if it is migrated and verified.
  let reason: String?
  let spoil: @Sendable (AlbumFixture) throws -> Void

  init(
    _ situation: String, _ kinds: Set<String> = [], reason: String? = nil,
    spoil: @escaping @Sendable (AlbumFixture) throws -> Void
  ) {
    testDescription = situation
    self.kinds = kinds
    self.reason = reason
    self.spoil = spoil
  }

  init(_ situation: String, _ kinds: Set<String> = [], reason: String? = nil, sql: String) {
    self.init(situation, kinds, reason: reason) { try $0.change(sql) }
  }
}

@Suite("Odd stores are shown, and migrated or refused with a reason")
struct OddStoreTests {
  @Test("each oddity: inspect, plan, migrate and verify", arguments: files + tables + rows + metadata)
  func through(store: OddStore) throws {
    let fixture = try AlbumFixture()
    try store.spoil(fixture)
    let answers = try fixture.ask()
    #expect(answers.inspectReason == nil)
    #expect(Set(answers.oddities.keys) == store.kinds, "\(answers.oddities)")
    #expect(answers.planReason == store.reason)
    #expect(answers.migrateReason == store.reason)
    #expect(answers.codes == (store.reason == nil ? [0, 0, 0] : [0, 65, 65]))
  }

  static let files: [OddStore] =
    [512, 1024, 2048, 8192, 32_768, 65_536].map { size in
      OddStore("pages of \(size) bytes", sql: "PRAGMA page_size=\(size); VACUUM")
    } + [
      OddStore("without auto-vacuum", ["metadata"], sql: "PRAGMA auto_vacuum=0; VACUUM"),
      OddStore("full auto-vacuum", ["metadata"], sql: "PRAGMA auto_vacuum=1; VACUUM"),
      OddStore(
        "incremental auto-vacuum with free pages",
        sql: "CREATE TABLE x (y); INSERT INTO x VALUES (zeroblob(99999)); DROP TABLE x"),
    ]

  static let tables: [OddStore] = [
    OddStore("columns in another order, quoted", ["altered-tables", "index-missing"]) {
      try $0.replace(
        "ZPHOTO",
        with:
          #"CREATE TABLE "ZPHOTO" (ZTITLE VARCHAR, "ZTAKEN" TIMESTAMP, ZDATA BLOB, ZPLACE INTEGER, Z_OPT INTEGER, Z_ENT INTEGER, Z_PK INTEGER PRIMARY KEY)"#,
        columns: "Z_PK, Z_ENT, Z_OPT, ZPLACE, ZTAKEN, ZTITLE, ZDATA")
    },
    OddStore(
      "tables renamed in place", ["altered-tables"],
      sql: "ALTER TABLE Z_1TAGS RENAME TO a; ALTER TABLE a RENAME TO Z_1TAGS"),
    OddStore(
      "surplus columns in entity and join tables", ["altered-tables", "surplus-columns"],
      sql: "ALTER TABLE ZPHOTO ADD COLUMN ZOLD VARCHAR; ALTER TABLE Z_1TAGS ADD COLUMN Z_FOK_OLD INTEGER"),
    OddStore("a surplus table", ["unknown-tables"], reason: "unknown-tables", sql: "CREATE TABLE grdb (a)"),
    OddStore(
      "CloudKit's tables", ["cloudkit"], reason: "cloudkit",
      sql: "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)"),
    OddStore(
      "views and triggers", ["views-and-triggers"], reason: "views-and-triggers",
      sql:
        "CREATE VIEW v AS SELECT * FROM ZPHOTO; CREATE TRIGGER t AFTER INSERT ON ZPHOTO BEGIN SELECT RAISE(ABORT, 'no'); END"
    ),
    OddStore(
      "a view in the place of a table",
      ["missing-table", "tables-of-another-version", "unknown-tables", "views-and-triggers"],
      reason: "tables-of-another-version",
      sql: "PRAGMA legacy_alter_table=ON; ALTER TABLE ZTAG RENAME TO x; CREATE VIEW ZTAG AS SELECT * FROM x"),
    OddStore("an entity table WITHOUT ROWID", ["without-rowid"], reason: "inconsistent-store") {
      try $0.replace(
        "ZTAG",
        with:
          "CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR ) WITHOUT ROWID",
        columns: "Z_PK, Z_ENT, Z_OPT, ZNAME")
    },
    OddStore(
      "an entity table without a key", ["without-rowid"], reason: "inconsistent-store"
    ) {
      try $0.replace(
        "ZTAG",
        with:
          "CREATE TABLE ZTAG ( Z_PK INTEGER, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
        columns: "Z_PK, Z_ENT, Z_OPT, ZNAME")
    },
    OddStore(
      "an entity table whose key is no row number", ["without-rowid"],
      reason: "inconsistent-store"
    ) {
      try $0.replace(
        "ZTAG",
        with:
          "CREATE TABLE ZTAG ( Z_PK INT PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
        columns: "Z_PK, Z_ENT, Z_OPT, ZNAME")
    },
    OddStore("a join table WITHOUT ROWID", ["index-missing", "without-rowid"], reason: "inconsistent-store") {
      try $0.replace(
        "Z_1TAGS",
        with:
          "CREATE TABLE Z_1TAGS ( Z_1PHOTOS INTEGER, Z_3TAGS INTEGER, PRIMARY KEY (Z_1PHOTOS, Z_3TAGS) ) WITHOUT ROWID",
        columns: "Z_1PHOTOS, Z_3TAGS")
    },
    OddStore(
      "a generated column in the place of an attribute", ["altered-tables", "tables-of-another-version"],
      reason: "tables-of-another-version"
    ) {
      try $0.replace(
        "ZTAG",
        with:
          "CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR AS ('n' || Z_PK))",
        columns: "Z_PK, Z_ENT, Z_OPT")
    },
    OddStore(
      "a surplus generated column", ["altered-tables"],
      sql: "ALTER TABLE ZTAG ADD COLUMN ZLONG VARCHAR AS (ZNAME || ZNAME) VIRTUAL"),
    OddStore("CHECK constraints that no row keeps", ["altered-tables"]) {
      try $0.replace(
        "ZTAG",
        with:
          "PRAGMA ignore_check_constraints=ON; CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR CHECK (0))",
        columns: "Z_PK, Z_ENT, Z_OPT, ZNAME")
    },
    OddStore(
      "indexes missing, surplus and under old names",
      ["index-missing", "index-surplus", "index-under-old-name"],
      sql: """
        DROP INDEX ZPHOTO_ZPLACE_INDEX; CREATE INDEX ZIMAGE_ZPLACE_INDEX ON ZPHOTO (ZPLACE);
        DROP INDEX Z_1TAGS_Z_3TAGS_INDEX; CREATE INDEX Z_Photo_byTitle ON ZPHOTO (ZTITLE COLLATE BINARY ASC)
        """),
    OddStore(
      "a column short", ["altered-tables", "tables-of-another-version"], reason: "tables-of-another-version",
      sql: "ALTER TABLE ZTAG RENAME COLUMN ZNAME TO ZLABEL; ALTER TABLE ZTAG DROP COLUMN ZLABEL"),
  ]

  static let rows: [OddStore] = [
    OddStore(
      "the old name of an entity", ["stale-name"],
      sql: "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Image' WHERE Z_ENT = 1"),
    OddStore("an entity of no model", ["stale-name"], sql: "INSERT INTO Z_PRIMARYKEY VALUES (9, 'Gone', 0, 0)"),
    OddStore(
      "entities under another number", ["entity-numbers"], reason: "inconsistent-store",
      sql: "UPDATE Z_PRIMARYKEY SET Z_ENT = 8 WHERE Z_ENT = 3"),
    OddStore("Z_PRIMARYKEY is empty", ["high-water-mark", "missing-entity"], sql: "DELETE FROM Z_PRIMARYKEY"),
    OddStore(
      "Z_MAX below the largest key", ["high-water-mark"],
      sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 1"),
    OddStore(
      "rows of an unknown entity number", ["stray-rows"], reason: "inconsistent-store",
      sql: "UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 1"),
    OddStore(
      "rows without an entity number", ["stray-rows"], reason: "inconsistent-store",
      sql: "UPDATE ZTAG SET Z_ENT = NULL WHERE Z_PK = 1"),
    OddStore(
      "a key of 0", ["stray-keys", "dangling-references"], reason: "inconsistent-store",
      sql:
        "UPDATE ZPLACE SET Z_PK = 0 WHERE Z_PK = (SELECT ZPLACE FROM ZPHOTO WHERE ZPLACE IS NOT NULL LIMIT 1)"),
    OddStore(
      "references to nothing", ["dangling-references"],
      sql: "UPDATE ZPHOTO SET ZPLACE = 4000 WHERE Z_PK = 2; INSERT INTO Z_1TAGS VALUES (3000, 1)"),
    OddStore(
      "values of other kinds", ["dangling-references", "external-data-malformed"],
      sql:
        "UPDATE ZPHOTO SET ZTITLE = x'00ff', ZTAKEN = 'yesterday', ZDATA = 'text', ZPLACE = 'here' WHERE Z_PK = 3"
    ),
  ]

  static let metadata: [OddStore] = [
    OddStore("a malformed UUID", ["metadata"], sql: "UPDATE Z_METADATA SET Z_UUID = 'not a UUID'"),
    OddStore(
      "several rows of metadata", ["metadata"],
      sql: "INSERT INTO Z_METADATA SELECT Z_VERSION + 1, 'x', x'00' FROM Z_METADATA"),
    OddStore("metadata of another type each", ["metadata"]) {
      try $0.changeMetadata { entries in
        entries["NSPersistenceFrameworkVersion"] = .string("new")
        entries["NSStoreModelVersionIdentifiers"] = .integer(.max)
        entries["NSStoreModelVersionHashesDigest"] = .array([])
        entries["NSStoreModelVersionChecksumKey"] = .real(.nan)
        entries["NSStoreModelVersionHashesVersion"] = .string("3")
        entries["_NSAutoVacuumLevel"] = .date(.infinity)
        entries["NSStoreType"] = .boolean(true)
      }
    },
    OddStore("an auto-vacuum level that is a number") {
      try $0.changeMetadata { $0["_NSAutoVacuumLevel"] = .integer(2) }
    },
    OddStore("no version hashes", ["no-version-hashes"], reason: "no-version-hashes") {
      try $0.changeMetadata { $0["NSStoreModelVersionHashes"] = nil }
    },
  ]
}
