import DecantModel
import DecantTestSupport
import Foundation
import Testing

@testable import DecantSQLite

@Suite("Database files that an interrupted run left")
struct LeftoverTests {
  private let path: String
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("decant-leftover")
    path = folder.path("file")
  }

  private func ask() throws -> Int? {
    try SQLiteDatabase.leftover(path) { file throws(SQLiteError) in try file.integer("SELECT x FROM t") }
  }

  @Test("a query of a missing, foreign or empty file gives nil; a complete database answers the query")
  func answers() throws {
    #expect(try ask() == nil)
    try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: path))
    #expect(try ask() == nil)
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(try ask() == nil)
    try SQLiteDatabase(path, mode: .create).execute("CREATE TABLE t (x); INSERT INTO t VALUES (3)")
    #expect(try ask() == 3)
  }

  @Test("a file that can't be read at the moment is an error, not nil")
  func failing() throws {
    try SQLiteDatabase(path, mode: .create).execute("CREATE TABLE t (x); INSERT INTO t VALUES (3)")
    let plan = DiskFaultPlan(at: path, failAt: 1, isPersistent: true, code: EIO)
    #expect(throws: SQLiteError.self) { try plan.arming { try ask() } }
  }
}
