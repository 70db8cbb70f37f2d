import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration

/// The check of a finished file by a separate connection has the same findings as the check by its own connection.
@Suite("The check of a finished file") struct SideCheckTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.url.appendingPathComponent("Result.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// Makes a file with that many rows of 400 bytes.
  private func make(rows: Int) throws {
    let database = try SQLiteDatabase(file.path, mode: .create)
    try database.execute(
      """
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZKIND INTEGER, ZTEXT TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
        INSERT INTO ZNOTE SELECT i, i % 100, hex(zeroblob(200)) FROM n;
      CREATE INDEX ZNOTE_ZKIND_INDEX ON ZNOTE (ZKIND);
      """)
  }

  private func found(hasOldIndexes: Bool) throws -> [String] {
    let check = try #require(try SideCheck(of: file.path, ResultCheck(hasOldIndexes: hasOldIndexes)))
    return try check.findings { true }
  }

  @Test(arguments: [false, true]) func aSoundFileHasNoFindings(hasOldIndexes: Bool) throws {
    try make(rows: 25_000)
    #expect(try found(hasOldIndexes: hasOldIndexes) == [])
  }

  @Test("a small file has no separate check")
  func small() throws {
    try make(rows: 500)
    #expect(try SideCheck(of: file.path, ResultCheck(hasOldIndexes: false)) == nil)
  }

  @Test("both checks of a damaged file have the same findings", arguments: ["page", "index"], [false, true])
  func damage(kind: String, hasOldIndexes: Bool) throws {
    try make(rows: 25_000)
    let handle = try FileHandle(forUpdating: file)
    if kind == "page" {
      // A page of the table gets an invalid kind.
      try handle.seek(toOffset: 500 * 4096)
      try handle.write(contentsOf: Data(count: 16))
    } else {
      // The first leaf of the index loses an entry.
      let root = try SQLiteDatabase(file.path, mode: .immutable).integer(
        "SELECT rootpage FROM sqlite_master WHERE name = 'ZNOTE_ZKIND_INDEX'")
      let data = try Data(contentsOf: file)
      func number(_ place: Int, _ length: Int) -> Int {
        data[place..<place + length].reduce(0) { $0 << 8 | Int($1) }
      }
      let start = (root - 1) * 4096
      let leaf = (number(start + number(start + 12, 2), 4) - 1) * 4096
      let cells = number(leaf + 3, 2) - 1
      try handle.seek(toOffset: UInt64(leaf + 3))
      try handle.write(contentsOf: Data([UInt8(cells >> 8), UInt8(cells & 0xff)]))
    }
    try handle.close()
    // If SQLite can't read the whole file, its error ends the check.
    let file = file.path
    let expected = Result { () throws(SQLiteError) in
      try ResultCheck(hasOldIndexes: hasOldIndexes).findings(in: SQLiteDatabase(file, mode: .readWrite))
    }
    let check = try #require(try SideCheck(of: file, ResultCheck(hasOldIndexes: hasOldIndexes)))
    let found = Result { () throws(SQLiteError) in try check.findings { true } }
    #expect(expected != .success([]))
    #expect(found == expected, "\(found) \(expected)")
  }

  @Test("references to missing objects are removed from a large store, and the check passes")
  func orphans() throws {
    let model = "Note\n text String?\n tags ->> Tag.notes\n boss -> Tag\nTag\n notes ->> Note.tags"
    let shop = try Workshop(model, "\(model)\n name String?")
    try shop.makeStore(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZBOSS)
        SELECT i, 1, 1, i || hex(zeroblob(450)), iif(i % 1000 = 0, 9, 1 + i % 2) FROM n;
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
      INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS) SELECT Z_PK, 1 + Z_PK % 3 FROM ZNOTE WHERE Z_PK <= 60;
      """)
    let result = try shop.migrate()
    let bytes = try #require(try shop.output.resourceValues(forKeys: [.fileSizeKey]).fileSize)
    #expect(bytes > 8 << 20)
    #expect(
      Set(result.report.warnings.filter { $0.contains("missing object") }) == [
        "10 objects had a relationship “Note.boss” to a missing object; the relationship is nil now.",
        "20 pairs of “Note.tags” led to a missing object; they are left out.",
      ])
    let store = try SQLiteDatabase(shop.output.path, mode: .immutable)
    #expect(try store.integer("SELECT count(*) FROM ZNOTE WHERE ZBOSS IS NULL") == 10)
    #expect(try store.integer("SELECT count(*) FROM Z_1TAGS") == 40)
    #expect(try store.rows("PRAGMA integrity_check") == [[.text("ok")]])
  }
}
