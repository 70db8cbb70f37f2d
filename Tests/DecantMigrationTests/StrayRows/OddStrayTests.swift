import DecantSQLite
import Foundation
import Testing

@testable import DecantMigration

@Suite("Rows of no entity in stores that Core Data wouldn't write") struct OddStrayTests {
  private func sideRows(_ shop: Workshop, _ sql: String) throws -> [String] {
    try SQLiteDatabase(StrayShop.path(shop, ".sqlite"), mode: .immutable).rows(sql).map {
      $0.map(LogicalStore.text).joined(separator: " ")
    }
  }

  private static func replace(_ table: String, _ statement: String, _ columns: String) -> String {
    "PRAGMA legacy_alter_table=ON; ALTER TABLE \(table) RENAME TO former; CREATE TABLE \(table) (\(statement)); "
      + "INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM former; DROP TABLE former;"
  }

  @Test("surplus columns and values of other types stay as they are") func columns() throws {
    let shop = try StrayShop.shop(
      finally: StrayShop.spoiled + """
        ALTER TABLE ZTAG ADD COLUMN "ZOLD one" VARCHAR; UPDATE ZTAG SET "ZOLD one" = 'kept' WHERE Z_PK = 4;
        \(Self.replace("ZITEM", "ZLABEL \"ODD;TYPE\", Z_OPT, \"Z_ENT\" INTEGER, Z_PK INTEGER PRIMARY KEY", "Z_PK, Z_ENT, Z_OPT, ZLABEL"))
        UPDATE ZITEM SET ZLABEL = 5.5, Z_OPT = '7' WHERE Z_PK = 3;
        """)
    let (_, lines) = try shop.withoutStrays()
    #expect(lines == StrayShop.lines)
    #expect(try sideRows(shop, "SELECT Z_PK, \"ZOLD one\" FROM ZTAG") == ["4 'kept'"])
    #expect(
      try sideRows(shop, "SELECT Z_PK, Z_ENT, Z_OPT, typeof(Z_OPT), ZLABEL FROM ZITEM") == [
        "3 2 '7' 'text' 5.5"
      ])
    let verdict = try shop.verify()
    #expect(verdict.isEqual, "\(verdict)")
  }

  @Test("odd indexes and triggers don't prevent the quarantine, and no trigger runs") func indexes() throws {
    let shop = try StrayShop.shop(
      finally: StrayShop.spoiled + """
        CREATE INDEX odd ON ZTAG (abs(Z_OPT)); CREATE INDEX part ON ZNOTE (ZTEXT) WHERE Z_ENT > 1;
        CREATE TRIGGER Z_DA_ZTAG_t BEFORE DELETE ON ZTAG BEGIN SELECT RAISE(ABORT, 'no'); END;
        CREATE TRIGGER Z_DA_ZNOTE_u BEFORE UPDATE ON ZNOTE BEGIN SELECT RAISE(ABORT, 'no'); END;
        """)
    // The index uses a function that doesn't exist.
    var data = try Data(contentsOf: shop.source)
    data.replaceSubrange(try #require(data.range(of: Data("abs(Z_OPT)".utf8))), with: Data("nof(Z_OPT)".utf8))
    try data.write(to: shop.source)
    #expect(try shop.withoutStrays().lines == StrayShop.lines)
    #expect(try shop.verify().isEqual)
  }

  @Test("a reference in a column that can't be NULL is removed later, as one to a missing object")
  func notNull() throws {
    let shop = try StrayShop.shop(
      finally: StrayShop.spoiled
        + Self.replace(
          "ZTAG", "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z1OWN INTEGER NOT NULL",
          "Z_PK, Z_ENT, Z_OPT, Z1OWN"))
    let (report, lines) = try shop.withoutStrays()
    #expect(lines == StrayShop.lines)
    #expect(report.warnings.contains { $0.contains("“Folder.own” to a missing object") })
    let verdict = try shop.verify()
    #expect(verdict.isEqual, "\(verdict)")
  }

  @Test("stray rows may have equal values of an attribute that must be unique", arguments: [600, 1344])
  func unique(framework: Int) throws {
    let shop = try Workshop(
      "Note\n text String?\n unique text", "Note\n text String?\n more String?\n unique text",
      family: "{ strayRows: \"quarantine\" }")
    try shop.makeStore(
      framework: framework,
      finally: Self.replace(
        "ZNOTE", "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR",
        "Z_PK, Z_ENT, Z_OPT, ZTEXT")
        + "INSERT INTO ZNOTE VALUES (2, 5, 1, 'a'), (3, 6, 1, 'a')",
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a')")
    #expect(try shop.withoutStrays().lines == ["Note#1 text='a'"])
    #expect(try sideRows(shop, "SELECT * FROM ZNOTE ORDER BY 1") == ["2 5 1 'a'", "3 6 1 'a'"])
  }

  @Test("a join table without a primary key may have a pair twice, and both go to quarantine") func pairs()
    throws
  {
    let shop = try StrayShop.shop(
      finally: StrayShop.spoiled
        + Self.replace("Z_4TAGS", "Z_4NOTES INTEGER, Z_5TAGS INTEGER", "Z_4NOTES, Z_5TAGS")
        + "INSERT INTO Z_4TAGS VALUES (7, 1), (8, 4)")
    #expect(try shop.withoutStrays().lines == StrayShop.lines)
    #expect(try sideRows(shop, "SELECT * FROM Z_4TAGS ORDER BY 1, 2") == ["1 4", "7 1", "7 1", "8 4", "8 4"])
  }

  @Test("a table that has only an abstract entity has only stray rows") func abstract() throws {
    let shop = try Workshop(
      "Base*\n text String?\nNote", "Base*\n text String?\nNote\n more String?",
      family: "{ strayRows: \"quarantine\" }")
    try shop.makeStore(
      "INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'); INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1)"
    )
    #expect(try shop.withoutStrays().lines == ["Note#1"])
    #expect(try sideRows(shop, "SELECT * FROM ZBASE") == ["1 1 1 'a'"])
    #expect(try shop.verify().isEqual)
  }

  // MARK: Large stores

  private static let versions = [
    "Note\n text String?\n next -> Note", "Note\n text String?\n next -> Note\n more String?",
  ]

  private func large(_ versions: [String] = versions) throws -> Workshop {
    let shop = try Workshop(versions, family: "{ strayRows: \"quarantine\" }")
    try shop.makeStore(
      usesWriteAheadLog: false,
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZNEXT) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
        + "WHERE i < 9000) SELECT i, iif(i % 100, 1, i), 1, i || hex(zeroblob(450)), i + 1 FROM n")
    return shop
  }

  @Test("a large store is checked before the migration") func checked() throws {
    let shop = try large()
    let report = try Migration.run(shop.job())
    #expect(report.steps[0].entities.map(\.made) == [8910] && report.strayRows?.rows == 90)
    #expect(report.warnings.contains { $0.hasPrefix("90 objects have a relationship “Note.next”") })
    let verdict = try shop.verify()
    #expect(verdict.isEqual, "\(verdict)")

    let damaged = try large()
    var data = try Data(contentsOf: damaged.source)
    let page = data.count / 4096 / 2
    data.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(count: 4096))
    try data.write(to: damaged.source)
    let failure = try damaged.failure()
    #expect(failure.reason == .damaged, "\(failure.message)")
    #expect(!FileManager.default.fileExists(atPath: StrayShop.path(damaged, ".sqlite")))
  }

  @Test("a store that is at its target is copied") func largeAndCurrent() throws {
    let shop = try large([Self.versions[0]])
    let report = try Migration.run(shop.job())
    #expect(report.result == .alreadyCurrent && report.strayRows?.rows == 90)
  }

  @Test("the quarantine and the copy count as needed space") func room() throws {
    let shop = try large()
    let plan = try Migration.plan(shop.job())
    let bytes = try #require(try shop.source.resourceValues(forKeys: [.fileSizeKey]).fileSize)
    #expect(plan.diskBytes > bytes * 2 + bytes / 10)
  }
}
