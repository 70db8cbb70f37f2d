import DecantModel
import DecantTestSupport
import Foundation
import Testing

@testable import DecantSQLite

@Suite("Files that an interrupted run left")
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

  @Test("a missing, foreign or empty file has no answer, a whole one has")
  func answers() throws {
    #expect(try ask() == nil)
    try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: path))
    #expect(try ask() == nil)
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(try ask() == nil)
    try SQLiteDatabase(path, mode: .create).execute("CREATE TABLE t (x); INSERT INTO t VALUES (3)")
    #expect(try ask() == 3)
  }

  @Test("a file that can't be read just now is no file without an answer")
  func failing() throws {
    try SQLiteDatabase(path, mode: .create).execute("CREATE TABLE t (x); INSERT INTO t VALUES (3)")
    let plan = DiskFaultPlan(at: path, failAt: 1, isPersistent: true, code: EIO)
    #expect(throws: SQLiteError.self) { try plan.arming { try ask() } }
  }
}
