import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantStore

/// A database file with long values, removed rows, free pages and rows of different lengths.
struct ScannedFile {
  /// How a file is made.
  struct Form: Sendable, CustomTestStringConvertible {
    let pageSize: Int
    let vacuum: Int
    /// The bytes at the end of each page that SQLite doesn't use.
    var reserved = 0
    var testDescription: String { "\(pageSize) bytes, auto-vacuum \(vacuum), \(reserved) reserved" }

    static let all =
      [512, 1024, 4096, 65_536].flatMap { size in [0, 1, 2].map { Form(pageSize: size, vacuum: $0) } }
      + [Form(pageSize: 1024, vacuum: 2, reserved: 32)]
  }

  let folder: TemporaryFolder
  let form: Form
  let path: String

  init(_ form: Form) throws {
    folder = try TemporaryFolder()
    self.form = form
    path = folder.path("store.sqlite")
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
        CASE WHEN i % 24 = 0 THEN zeroblob(i / 24 % 4 * \(min(form.pageSize, 4096))) END FROM n;
      INSERT INTO Z_1TAGS SELECT Z_PK, Z_PK * 31 % 1000 FROM ZNOTE;
      DELETE FROM ZNOTE WHERE Z_PK % 5 = 0 OR Z_PK BETWEEN 100 AND 200;
      UPDATE ZNOTE SET ZTEXT = 'short' WHERE Z_PK % 4 = 1;
      ALTER TABLE ZNOTE ADD COLUMN ZMORE INTEGER;
      UPDATE ZNOTE SET ZMORE = 7 WHERE Z_PK % 11 = 0;
      COMMIT;
      """)
    if form.reserved > 0 {
      try RawSQLite(path).reserve(form.reserved).execute("VACUUM; DELETE FROM ZNOTE WHERE Z_PK > 600")
    }
  }

  func change(_ sql: String) throws { try RawSQLite(path).execute(sql) }

  /// A connection with the settings of the checks.
  static func open(_ path: String) throws -> SQLiteDatabase {
    let database = try SQLiteDatabase(path, mode: .immutable)
    try database.execute(ReadSettings.text)
    return database
  }

  static func scan(_ path: String, checksTypes: Bool = false) throws -> StoreScan? {
    try StoreScan.run(path, open(path), checksTypes: checksTypes) { false }
  }

  func scan(checksTypes: Bool = false) throws -> StoreScan? { try Self.scan(path, checksTypes: checksTypes) }

  /// Whether SQLite finds a file sound.
  static func isSound(_ path: String, by check: String = "quick_check") -> Bool {
    (try? open(path).rows("PRAGMA \(check)(1)")) == [[.text("ok")]]
  }
}
