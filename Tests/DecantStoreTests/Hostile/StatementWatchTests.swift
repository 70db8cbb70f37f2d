import DecantTestSupport
import Foundation
import Synchronization
import Testing

@testable import DecantSQLite
@testable import DecantStore

@Suite("Watched statements: deadlines, observers, temporary files") struct StatementWatchTests {
  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  private func error(_ work: (SQLiteDatabase) throws(SQLiteError) -> Void) throws -> SQLiteError {
    let sample = try SampleStore(notes: 1)
    let database = try SQLiteDatabase(sample.path, mode: .immutable)
    do throws(SQLiteError) {
      try work(database)
    } catch {
      #expect(try database.integer("SELECT count(*) FROM ZNOTE") == 1)
      return error
    }
    throw CancellationError()
  }

  @Test("after a statement with too much work, the store counts as damaged", .timeLimit(.minutes(10)))
  func work() throws {
    let error = try error { database throws(SQLiteError) in
      try database.within(seconds: 0.05) { () throws(SQLiteError) in _ = try database.rows(Self.endless) }
    }
    #expect(error.interruption == .work)
    let judged = StoreReader(path: "S", seconds: 3).judge(error)
    #expect(
      judged.description == "S is damaged: it keeps its reader busy for more than 3 s, as no sound store does.")
    #expect(!judged.mayGetBetter)
    let sample = try SampleStore(notes: 1)
    let store = try SourceStore(sample.path, scratch: sample.folder.path("scratch"), seconds: 3)
    #expect(store.judged(error).description == judged.description.replacing("S is", with: "\(sample.path) is"))
  }

  @Test("a statement that only lasts too long may be tried again: the disk is slow", .timeLimit(.minutes(10)))
  func time() throws {
    let error = try error { database throws(SQLiteError) in
      try database.within(seconds: 1000, patience: 0.05) { () throws(SQLiteError) in
        _ = try database.rows(Self.endless)
      }
    }
    #expect(error.interruption == .time)
    let judged = StoreReader(path: "S", seconds: 60).judge(error)
    #expect(judged == .tooSlow(path: "S", seconds: 3000))
    #expect(judged.mayGetBetter)
    #expect(StoreReader(path: "S", seconds: 1).patience == 600)
  }

  @Test("an observer is called during a long statement and may end it", .timeLimit(.minutes(10)))
  func observer() throws {
    let calls = Calls()
    let error = try error { database throws(SQLiteError) in
      database.observe {
        calls.count.withLock { $0 += 1 }
        return false
      }
      defer { database.observe(nil) }
      _ = try database.rows(Self.endless)
    }
    #expect(error.interruption == .request)
    #expect(calls.count.withLock { $0 } == 1)
    #expect(StoreReader(path: "S", seconds: 1).judge(error) == .sqlite(error))
  }

  private final class Calls: Sendable {
    let count = Mutex(0)
  }

  @Test("sorting writes its temporary files into the given folder")
  func temporaries() throws {
    let folder = try TemporaryFolder()
    let path = (realpath(folder.url.path, nil)).map { pointer in
      defer { free(pointer) }
      return String(cString: pointer)
    }
    let place = try #require(path)
    let database = try SQLiteDatabase(folder.path("a.sqlite"), mode: .create)
    try database.execute("PRAGMA cache_size=10; CREATE TABLE t (x)")
    SQLiteTemporaries.put(into: place)
    defer { SQLiteTemporaries.leave(place) }
    let statement = try database.prepare(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) "
        + "SELECT i, randomblob(200) FROM n ORDER BY 2")
    #expect(try statement.step())
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    #expect(open.contains { $0.hasPrefix(place + "/etilqs") }, "\(open)")
  }
}
