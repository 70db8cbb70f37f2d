import CSQLite
import DecantModel
import DecantTestSupport
import Foundation
import Testing

@testable import DecantSQLite

@Suite("Failures of SQLite's files")
struct WatchedFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("decant-watched") }

  /// A database file of several pages, opened for reading.
  private func database(_ name: String) throws -> SQLiteDatabase {
    let path = folder.path(name)
    try SQLiteDatabase(path, mode: .create).execute(
      "CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(20000))")
    return try SQLiteDatabase(path, mode: .immutable)
  }

  private func failing<Result>(_ database: SQLiteDatabase, _ body: () throws -> Result) rethrows -> Result {
    try DiskFaultPlan(at: database.path, failAt: 1, isPersistent: true, code: ESTALE).arming {
      () throws -> Result in try body()
    }
  }

  @Test("a failure that wasn't reported isn't taken for the cause of a later error of the same thread")
  func stale() throws {
    let (first, second) = (try database("first"), try database("second"))
    // With SQLite's own function the failure is kept, because no error is made from it.
    failing(first) {
      #expect(sqlite3_exec(first.handle, "SELECT * FROM t", nil, nil, nil) == SQLITE_IOERR | 1 << 8)
    }
    let error = second.error(SQLITE_IOERR, in: nil)
    #expect(error.diskFailure?.path == first.path, "it is there to be taken")
    failing(first) {
      #expect(sqlite3_exec(first.handle, "SELECT * FROM t", nil, nil, nil) == SQLITE_IOERR | 1 << 8)
    }
    let later = try second.alone { () throws(SQLiteError) in second.error(SQLITE_IOERR, in: nil) }
    #expect(later.systemCode == 0)
    #expect(later.diskFailure == DiskFailure(path: second.path, action: "read or written", code: EIO))
  }

  @Test("an error has the failure of its own call, also after an earlier failure that wasn't reported")
  func own() throws {
    let (first, second) = (try database("first"), try database("second"))
    failing(first) { _ = sqlite3_exec(first.handle, "SELECT * FROM t", nil, nil, nil) }
    let error = failing(second) { #expect(throws: SQLiteError.self) { try second.rows("SELECT * FROM t") } }
    #expect(error?.diskFailure == DiskFailure(path: second.path, action: "read", code: ESTALE))
  }
}
