import DecantTestSupport
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

/// Transitions in the tables of docs/spool-states.md, each with the real loop and the worker of the tests.
@Suite("Transitions of the spool's states")
struct SpoolEdgeTests {
  private func incoming(_ fixture: DaemonFixture, _ name: String) -> String {
    fixture.folder.path("spool/incoming/\(name)")
  }

  @Test("a loose file that is renamed into incoming must settle like a copied file")
  func looseRename() throws {
    let clock = TestClock()
    let fixture = try DaemonFixture { $0.settleSeconds = 5 }
    try fixture.start(clock: clock.service)
    try fixture.put("current", ".A")
    try fixture.folder.rename("spool/incoming/.A", to: "spool/incoming/A.sqlite")
    for _ in 0..<5 {
      clock.seconds += 0.9
      fixture.daemon?.turn(timeout: 0)
    }
    #expect(try fixture.folder.names("spool/incoming") == ["A.sqlite"])
    #expect(
      try fixture.turn {
        clock.seconds += 1
        return try fixture.done() == ["A.sqlite"]
      })
  }

  @Test("a copy is taken when its last write is settleSeconds ago, with the files that came in the meantime")
  func slowCopy() throws {
    let clock = TestClock()
    let fixture = try DaemonFixture { $0.settleSeconds = 5 }
    try fixture.start(clock: clock.service)
    for (name, text) in [("A.sqlite", "curr"), ("A.sqlite-wal", "wal"), ("A.sqlite", "current\n")] {
      try fixture.folder.write(text, to: "spool/incoming/\(name)")
      for _ in 0..<4 {
        clock.seconds += 1
        fixture.daemon?.turn(timeout: 0)
      }
      #expect(try fixture.work().isEmpty)
    }
    #expect(
      try fixture.turn {
        clock.seconds += 1
        return try fixture.done() == ["A.sqlite"]
      })
    #expect(try fixture.folder.text("spool/done/A.sqlite/A.sqlite") == "current\n")
    #expect(try fixture.folder.names("spool/done/A.sqlite").contains("A.sqlite-wal"))
  }

  @Test("a file that is linked into incoming waits until its first name is removed")
  func linkThenUnlink() throws {
    let fixture = try DaemonFixture()
    try fixture.start()
    try fixture.folder.write("current\n", to: "new")
    #expect(link(fixture.folder.path("new"), incoming(fixture, "A.sqlite")) == 0)
    #expect(fixture.turn { fixture.daemon?.intake.blocked.count == 1 })
    #expect(try fixture.work().isEmpty && fixture.failed().isEmpty)
    unlink(fixture.folder.path("new"))
    #expect(try fixture.turn { try fixture.done() == ["A.sqlite"] })
    #expect(fixture.turn { fixture.daemon?.intake.blocked.count == 0 })
  }

  @Test("a drop that is renamed out of incoming before its claim doesn't become a job")
  func renamedOut() throws {
    let clock = TestClock()
    let fixture = try DaemonFixture { $0.settleSeconds = 5 }
    try fixture.start(clock: clock.service)
    try fixture.put("current", "A.sqlite")
    fixture.daemon?.turn(timeout: 0)
    try fixture.folder.rename("spool/incoming/A.sqlite", to: "mine.sqlite")
    for _ in 0..<20 {
      clock.seconds += 1
      fixture.daemon?.turn(timeout: 0)
    }
    #expect(fixture.daemon?.context.events.totals.claimed == 0)
    #expect(try fixture.folder.text("mine.sqlite") == "current\n")
    #expect(try fixture.work().isEmpty && fixture.failed().isEmpty)
  }

  @Test("if the kernel has lost the events of drops, each drop is still done once")
  func overflow() throws {
    let count = 120
    let fixture = try DaemonFixture { $0.originals = .delete }
    let daemon = try fixture.start()
    // As after an overflow, the daemon gets no event for these drops.
    for number in 0..<count { try fixture.put("current", ".new/D\(number)/A.sqlite") }
    for number in 0..<count {
      try fixture.folder.rename("spool/incoming/.new/D\(number)", to: "spool/incoming/D\(number)")
    }
    daemon.intake.watch.takeHints { _ in }
    daemon.intake.distrust()
    #expect(
      try fixture.turn {
        guard daemon.context.events.totals.delivered >= count else { return false }
        return try fixture.work().isEmpty
      })
    #expect(try fixture.done().count == count && fixture.failed().isEmpty)
    #expect(daemon.context.events.totals.delivered == count)
  }

  @Test("the next daemon knows the numbers of retries and of dead workers", arguments: ["retry", "die"])
  func counted(what: String) throws {
    let fixture = try DaemonFixture {
      $0.retrySeconds = 3600
      $0.retryMaximumSeconds = 3600
    }
    // A reference to the daemon would keep its lock.
    try fixture.start()
    try fixture.put(what, "A.sqlite")
    #expect(fixture.turn { fixture.daemon?.dispatcher.queue.waiting.count == 1 })
    fixture.drop()
    let next = try fixture.start()
    #expect(fixture.turn { next.dispatcher.queue.waiting.count == 1 })
    let record = try #require(next.dispatcher.queue.waiting.first)
    #expect(record.strikes == (what == "die" ? 1 : 0) && record.retries == (what == "die" ? 0 : 1))
    #expect((record.hold?.until ?? 0) > next.context.clock.wall() + 3000)
    guard what == "die" else { return }
    // After the second dead worker, the store is refused.
    next.dispatcher.releaseAll()
    #expect(try fixture.turn { try fixture.failed().count == 1 && fixture.work().isEmpty })
    #expect(try fixture.reason().attempts == 2)
  }

  @Test("a -wal that comes after its store is reported, also by the next daemon: in work, done and failed")
  func lateLog() throws {
    let fixture = try DaemonFixture()
    for (word, name) in [("migrate", "Done"), ("other", "Failed"), ("hang", "Hung")] {
      try fixture.put(word, "\(name).sqlite")
    }
    try fixture.start()
    #expect(
      try fixture.turn {
        try fixture.done() == ["Done.sqlite"] && fixture.failed().count == 1 && fixture.work().count == 1
          && fixture.log().contains { $0.contains("drop=Hung.sqlite") && $0.contains("event=progress") }
      })
    let job = try #require(try fixture.failed().first)
    fixture.drop()
    for name in ["Done", "Failed", "Hung", "Never"] { try fixture.put("log", "\(name).sqlite-wal") }
    try fixture.start()
    #expect(try fixture.turn { try fixture.folder.names("spool/incoming").count == 8 })
    for name in ["Done", "Failed", "Hung"] {
      let notice = try fixture.folder.text("spool/incoming/\(name).sqlite-wal.not-taken.txt")
      #expect(notice.contains("arrived after its store “\(name).sqlite” was taken as job "), "\(notice)")
      #expect(
        notice.contains(
          "make a folder “.\(name).sqlite” in incoming. Move this file and everything from the job's folder “original”"
        ), "\(notice)")
      if name == "Failed" { #expect(notice.contains(job)) }
    }
    #expect(
      try fixture.folder.text("spool/incoming/Never.sqlite-wal.not-taken.txt").contains("waits for its store"))
    fixture.drop()
  }

  @Test("if originals are deleted, the report of a late -wal asks for the dropper's own copy")
  func lateLogWithoutOriginal() throws {
    let fixture = try DaemonFixture { $0.originals = .delete }
    try fixture.put("migrate", "Done.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done() == ["Done.sqlite"] })
    try fixture.put("log", "Done.sqlite-wal")
    let notice = "Done.sqlite-wal.not-taken.txt"
    #expect(try fixture.turn { try fixture.folder.names("spool/incoming").contains(notice) })
    let words = try fixture.folder.text("spool/incoming/\(notice)")
    #expect(words.contains("Drop your own copy of the store again"), "\(words)")
    #expect(!words.contains("“original”"), "\(words)")
  }

  @Test("remaining folders of jobs that don't exist any more are removed, and other folders stay")
  func sweep() throws {
    let fixture = try DaemonFixture()
    let gone = "spool/work/.gone-20261126T040308-000001"
    try fixture.folder.write("x", to: "\(gone)/source/A.sqlite")
    try fixture.folder.write("x", to: "spool/work/mine/A.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.work() == ["mine"] })
    #expect(try fixture.journal().contains("isn't a job; it is left alone"))
  }
}
