import DecantTestSupport
import Dispatch
import Synchronization
import Testing

@testable import DecantStore

/// What an error says is what SQLite said of its own statement.
@Suite struct ErrorWordsTests {
  @Test("two queues that fail on one connection get their own words each")
  func sharedConnection() throws {
    let folder = try TemporaryFolder("decant-words")
    let database = try SQLiteDatabase(folder.path("a.sqlite"), mode: .create)
    let names = ["apples", "pears"]
    for name in names {
      try database.execute("CREATE TABLE \(name) (x UNIQUE); INSERT INTO \(name) VALUES (1)")
    }
    let strange = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      let name = names[index]
      for _ in 0..<5_000 {
        do throws(SQLiteError) {
          try database.prepare("INSERT INTO \(name) VALUES (1)").run()
        } catch {
          if error.message != "UNIQUE constraint failed: \(name).x" {
            strange.withLock { $0.append("\(name): \(error.message)") }
          }
        }
      }
    }
    let found = strange.withLock { $0 }
    #expect(found == [], "\(found.count) times")
  }
}
