import CSQLite
import DecantTestSupport
import Testing

@testable import DecantSQLite

@Suite("Connections to files of unknown origin")
struct HardeningTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("decant-hardening")
    try SQLiteDatabase(folder.path("file"), mode: .create).execute("CREATE TABLE t (x)")
  }

  @Test(
    "each connection has limits, doesn't trust schema and pages, and maps no file into memory",
    arguments: [0, 1, 2, 3])
  func hardened(way: Int) throws {
    let database =
      switch way {
      case 0: try SQLiteDatabase(folder.path("file"), mode: .immutable)
      case 1: try SQLiteDatabase(folder.path("file"), mode: .readWrite)
      case 2: try SQLiteDatabase(folder.path("new"), mode: .create)
      default: try SQLiteDatabase("memory", mode: .memory)
      }
    if way == 3 { try database.attachImmutable(folder.path("file"), as: "source") }
    // Some are SQLite's own defaults. Only a build of SQLite with higher limits would fail here.
    let limits: [(Int32, Int32)] = [
      (SQLITE_LIMIT_LENGTH, 1_000_000_000), (SQLITE_LIMIT_SQL_LENGTH, 16 << 20), (SQLITE_LIMIT_COLUMN, 2_000),
      (SQLITE_LIMIT_EXPR_DEPTH, 1_000), (SQLITE_LIMIT_COMPOUND_SELECT, 500), (SQLITE_LIMIT_VDBE_OP, 5_000_000),
      (SQLITE_LIMIT_FUNCTION_ARG, 127), (SQLITE_LIMIT_ATTACHED, 2), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
      (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
    for (limit, most) in limits { #expect(sqlite3_limit(database.handle, limit, -1) <= most, "\(limit)") }
    #expect(try database.integer("PRAGMA cell_size_check") == 1)
    #expect(try database.integer("PRAGMA trusted_schema") == 0)
    // For a database in memory the pragma gives no row.
    #expect(try database.rows("PRAGMA mmap_size").allSatisfy { $0 == [.integer(0)] })
    // The connection is in defensive mode: statements can't change the table of the schema.
    #expect(throws: SQLiteError.self) {
      try database.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_master")
    }
    // A text in double quotes is only a name, not a string.
    #expect(throws: SQLiteError.self) { try database.execute("SELECT \"none\"") }
  }
}
