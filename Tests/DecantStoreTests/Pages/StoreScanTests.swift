import DecantTestSupport
import Foundation
import Testing

@testable import DecantSQLite
@testable import DecantStore

/// The scan of a whole file counts as SQL does, and calls no file sound that SQLite doesn't.
@Suite("A scan of a store's file") struct StoreScanTests {
  /// How a file is made.
  struct Form: Sendable, CustomTestStringConvertible {
    let pageSize: Int
    let vacuum: Int
    var testDescription: String { "\(pageSize) bytes, auto-vacuum \(vacuum)" }

    static let all = [512, 1024, 4096, 65_536].flatMap { size in
      [0, 1, 2].map { Form(pageSize: size, vacuum: $0) }
    }
  }

  /// A file with long values, removed rows, free pages and rows of different lengths.
  private static func file(_ form: Form, in folder: TemporaryFolder) throws -> String {
    let path = folder.path("store.sqlite")
    let rows = form.pageSize > 4096 ? 300 : 500
    try RawSQLite(path).execute(
      """
      PRAGMA page_size=\(form.pageSize); PRAGMA auto_vacuum=\(form.vacuum); PRAGMA secure_delete=OFF;
      CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR, ZDATA BLOB );
      CREATE TABLE ZEMPTY ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER );
      CREATE TABLE Z_1TAGS ( Z_1NOTES INTEGER, Z_2TAGS INTEGER, PRIMARY KEY (Z_1NOTES, Z_2TAGS) );
      CREATE INDEX ZNOTE_TEXT ON ZNOTE (ZTEXT);
      CREATE INDEX ZNOTE_MIXED ON ZNOTE (Z_OPT DESC, Z_ENT);
      BEGIN;
      INSERT INTO ZNOTE WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
        SELECT i * 3 - 700, 1 + i % 3, i, printf('%0*d', i * 7919 % \(min(form.pageSize, 2000) / 2), i),
        CASE WHEN i % 25 = 0 THEN zeroblob(i * 31 % 3 * \(min(form.pageSize, 4096))) END FROM n;
      INSERT INTO Z_1TAGS SELECT Z_PK, Z_PK * 31 % 1000 FROM ZNOTE;
      DELETE FROM ZNOTE WHERE Z_PK % 5 = 0 OR Z_PK BETWEEN 100 AND 200;
      UPDATE ZNOTE SET ZTEXT = 'short' WHERE Z_PK % 4 = 1;
      ALTER TABLE ZNOTE ADD COLUMN ZMORE INTEGER;
      UPDATE ZNOTE SET ZMORE = 7 WHERE Z_PK % 11 = 0;
      COMMIT;
      """)
    return path
  }

  private static func scan(_ path: String) throws -> StoreScan? {
    let database = try SQLiteDatabase(path, mode: .immutable)
    try database.execute(ReadSettings.text)
    return try StoreScan.run(path, database) { false }
  }

  @Test("counts the rows of each table and entity", arguments: Form.all)
  func counts(form: Form) throws {
    let folder = try TemporaryFolder()
    let path = try Self.file(form, in: folder)
    let scan = try #require(try Self.scan(path))
    #expect(Set(scan.tables.keys) == ["ZNOTE", "ZEMPTY"])
    let database = try SQLiteDatabase(path, mode: .immutable)
    for (table, tally) in scan.tables {
      let found = SourceRowCounts(tally, numbers: [1, 2, 3, 9])
      let counts = try SourceRowCounts(table, numbers: [1, 2, 3, 9], in: database)
      #expect(found.total == counts.total && found.keyed == counts.keyed && found.byNumber == counts.byNumber)
      #expect(found.leastKey == counts.leastKey && found.greatestKey == counts.greatestKey)
      #expect(!tally.hasLongerRows && tally.areNumbersKnown)
    }
  }

  @Test("finds values behind the last column")
  func longerRows() throws {
    let folder = try TemporaryFolder()
    let path = try Self.file(Form(pageSize: 4096, vacuum: 2), in: folder)
    let database = try SQLiteDatabase(path, mode: .readWrite)
    database.allowSchemaWrites(true)
    try database.execute(
      "PRAGMA writable_schema=ON; UPDATE sqlite_master SET sql = replace(sql, ', ZMORE INTEGER', '') "
        + "WHERE name = 'ZNOTE'")
    #expect(try Self.scan(path)?.tables["ZNOTE"]?.hasLongerRows == true)
  }

  @Test("gives up tables with rules that it doesn't check")
  func furtherRules() throws {
    let folder = try TemporaryFolder()
    let path = try Self.file(Form(pageSize: 4096, vacuum: 2), in: folder)
    try RawSQLite(path).execute("CREATE TABLE other (a INTEGER NOT NULL)")
    #expect(try Self.scan(path) == nil)
  }

  @Test("ends when it is asked to")
  func stop() throws {
    let folder = try TemporaryFolder()
    let path = try Self.file(Form(pageSize: 4096, vacuum: 0), in: folder)
    #expect(try StoreScan.run(path, SQLiteDatabase(path, mode: .immutable)) { true } == nil)
  }

  /// Numbers without chance.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  /// A place in a page where a changed byte matters often: its header, its pointers to cells, or the start of a cell.
  private static func place(_ data: Data, page: Int, size: Int, _ numbers: inout Numbers) -> Int {
    let start = page * size
    let header = start + (page == 0 ? 100 : 0)
    let count = Int(data[header + 3]) << 8 | Int(data[header + 4])
    switch Int.random(in: 0..<5, using: &numbers) {
    case 0: return header + Int.random(in: 0..<12, using: &numbers)
    case 1: return min(header + Int.random(in: 8..<60, using: &numbers), start + size - 1)
    case 2:
      let pointer = header + 8 + 2 * Int.random(in: 0...max(0, count - 1), using: &numbers)
      guard pointer + 1 < start + size else { return start }
      let cell = Int(data[pointer]) << 8 | Int(data[pointer + 1])
      return start + min(size - 1, cell + Int.random(in: 0..<12, using: &numbers))
    case 3: return Int.random(in: 0..<100, using: &numbers)
    default: return start + Int.random(in: 0..<size, using: &numbers)
    }
  }

  @Test("calls no damaged file sound", arguments: Form.all.filter { $0.pageSize <= 4096 })
  func damage(form: Form) throws {
    let folder = try TemporaryFolder()
    let path = try Self.file(form, in: folder)
    let sound = try Data(contentsOf: URL(fileURLWithPath: path))
    let changed = folder.path("changed.sqlite")
    var numbers = Numbers(state: UInt64(form.pageSize * 3 + form.vacuum) &* 0x9E37_79B9_7F4A_7C15)
    var (found, passed) = (0, 0)
    for _ in 0..<250 {
      var data = sound
      for _ in 0..<Int.random(in: 1...2, using: &numbers) {
        let page = Int.random(in: 0..<sound.count / form.pageSize, using: &numbers)
        let place = Self.place(data, page: page, size: form.pageSize, &numbers)
        data[place] =
          Bool.random(using: &numbers) ? data[place] &+ 1 : UInt8.random(in: 0...255, using: &numbers)
      }
      try data.write(to: URL(fileURLWithPath: changed))
      let scan: StoreScan?? = try? Self.scan(changed)
      let check = try? SQLiteDatabase(changed, mode: .immutable)
      try? check?.execute(ReadSettings.text)
      let isSound = (try? check?.rows("PRAGMA quick_check(1)")) == [[.text("ok")]]
      if case .some(.some) = scan {
        passed += 1
        let places = data.indices.filter { data[$0] != sound[$0] }
        #expect(
          isSound, "changed at \(places.map { "page \($0 / form.pageSize + 1), byte \($0 % form.pageSize)" })")
      }
      if !isSound { found += 1 }
    }
    #expect(found > 20 && passed > 20)
  }
}
