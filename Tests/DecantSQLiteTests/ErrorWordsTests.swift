import CSQLite
import DecantTestSupport
import Dispatch
import Foundation
import Testing

@testable import DecantSQLite

/// An error has SQLite's message about its own statement.
@Suite struct ErrorWordsTests {
  @Test("another queue's statement on the connection waits until the message of an error is read")
  func sharedConnection() throws {
    let folder = try TemporaryFolder("decant-words")
    let database = try SQLiteDatabase(folder.path("a.sqlite"), mode: .create)
    for name in ["apples", "pears"] {
      try database.execute("CREATE TABLE \(name) (x UNIQUE); INSERT INTO \(name) VALUES (1)")
    }
    let other = DispatchGroup()
    let words = try database.alone { () throws(SQLiteError) in
      let code = sqlite3_exec(database.handle, "INSERT INTO apples VALUES (1)", nil, nil, nil)
      DispatchQueue.global().async(group: other) {
        #expect(throws: SQLiteError.self) { try database.execute("INSERT INTO pears VALUES (1)") }
      }
      // A statement that doesn't wait would run in this time.
      _ = other.wait(timeout: .now() + 0.3)
      return database.error(code, in: nil).message
    }
    other.wait()
    #expect(words == "UNIQUE constraint failed: apples.x")
  }

  @Test("a failed statement has its own message, in every way of running it")
  func ownWords() throws {
    let folder = try TemporaryFolder("decant-words")
    let database = try SQLiteDatabase(folder.path("a.sqlite"), mode: .create)
    try database.execute("CREATE TABLE apples (x UNIQUE); INSERT INTO apples VALUES (1)")
    let unique = "UNIQUE constraint failed: apples.x"
    let runs: [(String, () throws -> Void)] = [
      (unique, { try database.execute("INSERT INTO apples VALUES (1)") }),
      (unique, { try database.prepare("INSERT INTO apples VALUES (?)").run([.integer(1)]) }),
      ("no such table: plums", { _ = try database.prepare("SELECT * FROM plums") }),
      ("column index out of range", { try database.prepare("SELECT ?").bind(.integer(1), at: 2) }),
    ]
    for (words, run) in runs {
      #expect(throws: SQLiteError.self) { try run() }
      do { try run() } catch { #expect((error as? SQLiteError)?.message == words) }
    }
  }
}
