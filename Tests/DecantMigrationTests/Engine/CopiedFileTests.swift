import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Inferred steps in place: what the file keeps of the source") struct CopiedFileTests {
  private static let versions = (
    "Note\n text String?\n tag -> Tag.notes\nTag\n name String?\n notes ->> Note.tag\n",
    "Note\n text String?\n more Int32?\n tag -> Tag.notes\nTag\n name String?\n notes ->> Note.tag\n"
  )
  private static let rows = """
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZTAG) SELECT i, 1, 1, hex(zeroblob(50)), 1 + i % 2 FROM n;
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'a'), (2, 2, 1, 'b');
    """

  private func migrate(_ shop: Workshop, way: String = "in place") throws -> (Migrated, MigrationReport) {
    var job = shop.job()
    job.inferredWay = .inPlace
    let report = try Migration.run(job)
    #expect(report.steps.map(\.way) == [way])
    return (try shop.finished(report), report)
  }

  @Test(
    "many free pages are removed from the file, few free pages stay",
    arguments: [("Z_PK < 1500", true), ("Z_PK BETWEEN 100 AND 200", false)])
  func freePages(deleted: String, areMany: Bool) throws {
    let shop = try Workshop(Self.versions.0, Self.versions.1)
    try shop.makeStore(finally: "DELETE FROM ZNOTE WHERE \(deleted)", Self.rows)
    let before = try SQLiteDatabase(shop.source.path, mode: .immutable)
    let free = try before.integer("PRAGMA freelist_count")
    let pages = try before.integer("PRAGMA page_count")
    #expect(free > 0 && (free * 10 > pages) == areMany)
    let (result, _) = try migrate(shop)
    let after = try result.store.store.rows("PRAGMA freelist_count")[0][0].integer ?? -1
    #expect(areMany ? after == 0 : after > 0)
  }

  /// Migrates in both ways and expects the same result.
  @discardableResult
  private func compare(_ shop: Workshop) throws -> BothWays {
    var job = shop.job()
    job.claimedAt = Date(timeIntervalSince1970: 1_700_000_000)
    let ways = try BothWays(job, in: shop.folder.url)
    #expect(ways.differences == [])
    return ways
  }

  @Test("with an index that lacks entries, the step writes a new file")
  func indexWithoutEntries() throws {
    let shop = try Workshop(Self.versions.0, Self.versions.1)
    try shop.makeStore(Self.rows)
    // The index is made for some rows only. Then its statement is changed to one for all rows.
    try shop.spoilIndex("ZNOTE_ZTAG_INDEX", where: "Z_PK > 5")
    let store = try SQLiteDatabase(shop.source.path, mode: .immutable)
    #expect(try store.rows("PRAGMA integrity_check(1)") != [[.text("ok")]])
    let (result, _) = try migrate(shop, way: "anew")
    let indexed = "SELECT count(*) FROM ZNOTE INDEXED BY ZNOTE_ZTAG_INDEX"
    #expect(try result.store.store.rows(indexed) == [[.integer(3000)]])
  }

  @Test("with an index that has old values, the step writes a new file and finds all dangling references")
  func oldIndex() throws {
    let shop = try Workshop(Self.versions.0, Self.versions.1)
    try shop.makeStore(Self.rows)
    try shop.behindIndex("ZNOTE_ZTAG_INDEX", "UPDATE ZNOTE SET ZTAG = 99 WHERE Z_PK IN (7, 8)")
    let ways = try compare(shop)
    #expect(!ways.hasCopied)
    #expect(ways.inPlace.warnings.contains { $0.contains("2 objects had a relationship") })
    #expect(
      ways.inPlace.warnings.contains(
        "In the store, the index ZNOTE_ZTAG_INDEX doesn't match the rows of ZNOTE, so the application may have missed "
          + "objects. The new store has a new index."))
  }

  @Test("a new column with the name of a renamed column doesn't get the old column's index")
  func reusedName() throws {
    let index = " index byA a\n"
    let shop = try Workshop(
      "Item\n a String?\n\(index)", "Item\n b String? was a\n a String? was nothing\n\(index)")
    try shop.makeStore("INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x'), (2, 1, 1, 'y')")
    #expect(try compare(shop).hasCopied)
  }

  /// The scan of a large store, during the migration, finds out whether rows have such values.
  @Test("hidden values don't come into a new column", arguments: [2, 40_000], [true, false])
  func hiddenValues(rows: Int, hasSome: Bool) throws {
    let shop = try Workshop("Item\n a String?\n", "Item\n a String?\n z String?\n")
    try shop.makeStore(
      finally: "ALTER TABLE ZITEM ADD COLUMN ZZ VARCHAR; "
        + "UPDATE ZITEM SET ZZ = 'hidden' WHERE \(hasSome) AND Z_PK = 2",
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZA) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
        + "WHERE i < \(rows)) SELECT i, 1, 1, hex(zeroblob(120)) FROM n")
    let text = "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA VARCHAR )"
    try shop.writeSchema("UPDATE sqlite_master SET sql = '\(text)' WHERE name = 'ZITEM'")
    #expect(try compare(shop).hasCopied)
  }

  @Test("the file doesn't contain the values of a removed entity any more")
  func removedContent() throws {
    let shop = try Workshop(
      "Item\n a String?\nSecret\n a String?\n", "Item\n a String?\n more Int32?\n")
    try shop.makeStore(
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZA) SELECT i, 1, 1, hex(zeroblob(50)) FROM n;
      INSERT INTO ZSECRET (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 2, 1, 'TOPSECRET');
      """)
    _ = try migrate(shop)
    #expect(try Data(contentsOf: shop.source).range(of: Data("TOPSECRET".utf8)) != nil)
    #expect(try Data(contentsOf: shop.output).range(of: Data("TOPSECRET".utf8)) == nil)
  }

  /// Long values have pages of their own.
  ///
  /// Here only few such pages become free.
  @Test(
    "the file doesn't contain long values any more that a step removes from rows",
    arguments: [
      ("Item\n a String?\n z String?\nPart < Item\n", "Item\n a String?\nPart < Item\n z String?\n", false),
      ("Item\n a String?\nPart < Item\n", "Item\n a String?\n z String?\nPart < Item\n", true),
      ("Item\n a String?\nPart < Item\n", "Item\n a String?\n more Int32 = 5\nPart < Item\n", true),
    ])
  func removedLongValues(old: String, new: String, areHidden: Bool) throws {
    let shop = try Workshop(old, new)
    let secret = String(repeating: "TOPSECRET", count: 3000)
    try shop.makeStore(
      finally: (areHidden ? "ALTER TABLE ZITEM ADD COLUMN ZZ VARCHAR; " : "")
        + "UPDATE ZITEM SET ZZ = '\(secret)' WHERE Z_PK % 1000 = 2",
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZA) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
        + "WHERE i < 5000) SELECT i, 1, 1, hex(zeroblob(120)) FROM n")
    if areHidden {
      let text = "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA VARCHAR )"
      try shop.writeSchema("UPDATE sqlite_master SET sql = '\(text)' WHERE name = 'ZITEM'")
    }
    #expect(try Data(contentsOf: shop.source).range(of: Data("TOPSECRET".utf8)) != nil)
    let (result, _) = try migrate(shop)
    #expect(try result.store.store.rows("SELECT count(*) FROM ZITEM")[0] == [.integer(5000)])
    #expect(try Data(contentsOf: shop.output).range(of: Data("TOPSECRET".utf8)) == nil)
  }

  @Test("the file doesn't contain long values of a removed history any more")
  func removedHistory() throws {
    let shop = try Workshop(Self.versions.0, Self.versions.1)
    let secret = String(repeating: "TOPSECRET", count: 1000)
    try shop.makeStore(
      finally:
        "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTOMBSTONE0 VARCHAR ); "
        + "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 10); INSERT INTO ACHANGE WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) "
        + "SELECT i, 16001, 1, '\(secret)' FROM n",
      Self.rows.replacing("i < 3000", with: "i < 30000"))
    #expect(try Data(contentsOf: shop.source).range(of: Data("TOPSECRET".utf8)) != nil)
    var job = shop.job()
    job.inferredWay = .inPlace
    #expect(try Migration.run(job).steps.map(\.way) == ["in place"])
    #expect(try Data(contentsOf: shop.output).range(of: Data("TOPSECRET".utf8)) == nil)
  }

  @Test("a dangling reference becomes nil, and removed entities leave no row")
  func rows() throws {
    let shop = try Workshop(
      "Base\n text String?\nOne < Base\nTwo < Base\n extra String?\nOther\n base -> Base.others\n"
        .replacing("Base\n text", with: "Base\n others ->> Other.base\n text"),
      "Base\n text String?\n others ->> Other.base\nOne < Base\nOther\n base -> Base.others\n")
    try shop.makeStore(
      """
      INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 2, 1, 'b'), (3, 3, 1, 'c');
      INSERT INTO ZOTHER (Z_PK, Z_ENT, Z_OPT, ZBASE) VALUES (1, 4, 1, 1), (2, 4, 1, 3), (3, 4, 1, 99);
      """)
    var job = shop.job()
    job.claimedAt = Date(timeIntervalSince1970: 1_700_000_000)
    let ways = try BothWays(job, in: shop.folder.url)
    #expect(ways.differences == [] && ways.hasCopied)
    #expect(ways.inPlace.losses.contains { $0.entity == "Two" })
  }
}

extension Workshop {
  /// Removes entries from an index of the source store, except those of rows with this condition.
  fileprivate func spoilIndex(_ name: String, where condition: String) throws {
    let database = try SQLiteDatabase(source.path, mode: .readWrite)
    let statement = try database.rows("SELECT sql FROM sqlite_master WHERE name = ?", [.text(name)])[0][0]
    guard case .text(let text) = statement else { return }
    try database.execute("DROP INDEX \(name); \(text) WHERE \(condition)")
    try writeSchema("UPDATE sqlite_master SET sql = '\(text)' WHERE name = '\(name)'")
  }

  /// Changes rows of the source store while one of their indexes is hidden, so that the index keeps its old entries.
  fileprivate func behindIndex(_ name: String, _ change: String) throws {
    let entry = try SQLiteDatabase(source.path, mode: .readWrite).rows(
      "SELECT tbl_name, rootpage, sql FROM sqlite_master WHERE name = ?", [.text(name)])[0]
    guard case .text(let table) = entry[0], let page = entry[1].integer, case .text(let text) = entry[2] else {
      return
    }
    try writeSchema("DELETE FROM sqlite_master WHERE name = '\(name)'")
    try SQLiteDatabase(source.path, mode: .readWrite).execute(change)
    try writeSchema(
      "INSERT INTO sqlite_master VALUES ('index', '\(name)', '\(table)', \(page), '\(text)')")
  }

  fileprivate func writeSchema(_ statement: String) throws {
    let database = try SQLiteDatabase(source.path, mode: .readWrite)
    database.allowSchemaWrites(true)
    try database.execute("PRAGMA writable_schema=ON; \(statement)")
    _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
