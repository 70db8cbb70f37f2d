import DecantTestSupport
import Foundation
import Synchronization
import Testing

@testable import DecantService
@testable import DecantSpool

/// Work of the loop in other threads: claims and departures of many drops at the same time.
@Suite("Many drops at once")
struct ManyDropsTests {
  @Test("an outcome can be read until it is taken, and is taken once")
  func book() {
    let book = OutcomeBook<Int>()
    func isReadable() -> Bool {
      var slot = pollfd(fd: book.descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&slot, 1, 0) == 1
    }
    #expect(!isReadable())
    for number in 0..<3 { book.add(number) }
    #expect(isReadable())
    #expect(book.take() == [0, 1, 2])
    #expect(!isReadable())
    #expect(book.take().isEmpty)
    book.add(3)
    #expect(isReadable())
  }

  @Test("of many drops at once, folders and loose files, each is delivered once")
  func many() throws {
    let fixture = try DaemonFixture()
    for number in 0..<30 {
      try fixture.put(
        "current", number.isMultiple(of: 2) ? "F\(number)/S\(number).sqlite" : "S\(number).sqlite")
    }
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 30 })
    #expect(try fixture.turn { try fixture.work().isEmpty })
    let drops = (0..<30).map { $0.isMultiple(of: 2) ? "F\($0)" : "S\($0).sqlite" }
    #expect(try fixture.done() == drops.sorted())
    for number in 0..<30 {
      #expect(try fixture.folder.text("spool/done/\(drops[number])/S\(number).sqlite") == "current\n")
    }
    #expect(try fixture.log().filter { $0.contains("event=claimed") }.count == 30)
    #expect(try fixture.log().filter { $0.contains("event=done") }.count == 30)
  }

  @Test("if a daemon ends during departures, it finishes those that have begun, and the next daemon the others")
  func ended() throws {
    for turns in [1, 3, 5, 8, 12, 20] {
      let fixture = try DaemonFixture()
      for number in 0..<8 { try fixture.put("migrate", "S\(number).sqlite") }
      try fixture.start()
      for _ in 0..<turns { fixture.daemon?.turn(timeout: 0.02) }
      fixture.drop()
      try fixture.start()
      #expect(try fixture.turn { try fixture.done().count == 8 && fixture.work().isEmpty }, "after \(turns)")
      #expect(try fixture.done() == (0..<8).map { "S\($0).sqlite" })
      #expect(try fixture.failed().isEmpty)
    }
  }

  @Test("if any one of many parallel changes to the spool fails once, no store is lost")
  func failure() throws {
    for step in stride(from: 1, through: 101, by: 10) {
      let fixture = try DaemonFixture()
      try fixture.start()
      for number in 0..<3 { try fixture.put("migrate", "S\(number).sqlite") }
      try FaultPlan.$current.withValue(FaultPlan(failAt: step, .once, code: ENOSPC)) {
        let isDone = try fixture.turn { try fixture.done().count == 3 && fixture.work().isEmpty }
        #expect(isDone, "change \(step)")
      }
      #expect(try fixture.done() == ["S0.sqlite", "S1.sqlite", "S2.sqlite"])
      for name in try fixture.done() {
        #expect(try fixture.folder.text("spool/done/\(name)/\(name)") == "migrated\nmigrate\n")
        #expect(try fixture.folder.text("spool/done/\(name)/original/\(name)") == "migrate\n")
      }
    }
  }

  @Test("a result that can't be made durable is made again, not synced again")
  func spoiled() throws {
    let path = "/delivery/S.sqlite"
    let plain = FaultPlan(failAt: Int.max, .once, code: 0)
    let first = try DaemonFixture()
    try first.start()
    try first.put("migrate", "S.sqlite")
    try FaultPlan.$current.withValue(plain) {
      let isDone = try first.turn { try first.done().count == 1 && first.work().isEmpty }
      #expect(isDone)
    }
    let step = try #require(plain.journal.firstIndex { $0.hasPrefix("fsync") && $0.hasSuffix(path) }) + 1
    let fixture = try DaemonFixture()
    try fixture.start()
    try fixture.put("migrate", "S.sqlite")
    let plan = FaultPlan(failAt: step, .once, code: EIO)
    try FaultPlan.$current.withValue(plan) {
      let isDone = try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty }
      #expect(isDone)
    }
    #expect(plan.journal[step - 1].hasSuffix(path))
    #expect(try fixture.log().filter { $0.contains("event=started") }.count == 2)
    #expect(try fixture.log().contains { $0.contains("event=waiting") && $0.contains("cause=retry") })
    #expect(try fixture.folder.text("spool/done/S.sqlite/S.sqlite") == "migrated\nmigrate\n")
    #expect(try fixture.folder.text("spool/done/S.sqlite/original/S.sqlite") == "migrate\n")
  }

  @Test("if all changes fail for a while, no store is separated from its -wal")
  func failingDisk() throws {
    for step in 1...24 {
      let fixture = try DaemonFixture()
      try fixture.start()
      try fixture.folder.write("log", to: "spool/incoming/S.sqlite-wal")
      try fixture.put("current", "S.sqlite")
      let plan = FaultPlan(failAt: step, .persistent, code: EIO)
      FaultPlan.$current.withValue(plan) {
        for _ in 0..<6 { fixture.daemon?.turn(timeout: 0.03) }
      }
      let isDone = try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty }
      #expect(isDone, "change \(step)")
      #expect(try fixture.folder.names("spool/incoming").isEmpty, "change \(step)")
      #expect(try fixture.done() == ["S.sqlite"], "change \(step)")
      #expect(try fixture.folder.text("spool/done/S.sqlite/S.sqlite-wal") == "log", "change \(step)")
      #expect(try fixture.failed().isEmpty, "change \(step)")
    }
  }
}
