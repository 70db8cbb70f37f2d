import DecantReport
import DecantTestSupport
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

/// Copies into the spool that pause for longer than `settleSeconds`.
@Suite("Copies that pause")
struct LateChangeTests {
  /// Writes at the end of a file that is open already, as a slow copy does.
  private func append(_ text: String, to file: Int32) {
    let bytes = Array(text.utf8)
    #expect(write(file, bytes, bytes.count) == bytes.count)
  }

  private func refused(_ fixture: DaemonFixture, _ text: String, as name: String) throws -> String {
    try fixture.put(text, name)
    #expect(try fixture.turn { try fixture.failed().count == 1 && fixture.work().isEmpty })
    return try #require(try fixture.failed().first)
  }

  @Test("a refused drop whose writer continues is moved back to incoming, settles, and is migrated")
  func goesOn() throws {
    let fixture = try DaemonFixture()
    try fixture.start()
    let job = try refused(fixture, "half", as: "A.sqlite")
    fixture.daemon?.context.configuration.settleSeconds = 3600
    let path = fixture.folder.path("spool/failed/\(job)/original/A.sqlite")
    let file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    append("migrate\n", to: file)
    #expect(try fixture.turn { try fixture.folder.names("spool/incoming") == ["A.sqlite"] })
    append("and more\n", to: file)
    close(file)
    // The daemon has renamed it into incoming, so it isn't taken at once.
    for _ in 0..<20 { fixture.daemon?.turn(timeout: 0.02) }
    #expect(try fixture.folder.names("spool/incoming") == ["A.sqlite"])
    fixture.daemon?.context.configuration.settleSeconds = 0
    #expect(try fixture.turn { try fixture.done() == ["A.sqlite"] })
    #expect(
      try fixture.folder.text("spool/done/A.sqlite/original/A.sqlite") == "migrate\nand more\n")
    #expect(try fixture.failed().isEmpty)
    #expect(try fixture.log().contains { $0.contains("job=\(job)") && $0.contains("event=taken-back") })
  }

  @Test("a daemon that starts later also moves back a refused drop whose writer continues")
  func restart() throws {
    let fixture = try DaemonFixture()
    try fixture.start()
    let job = try refused(fixture, "half", as: "A.sqlite")
    fixture.drop()
    try fixture.folder.write("migrate\n", to: "spool/failed/\(job)/original/A.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done() == ["A.sqlite"] })
  }

  @Test("after the clock was set back, a refused drop isn't watched for longer than usual")
  func clockSetBack() throws {
    let clock = TestClock()
    let fixture = try DaemonFixture()
    try fixture.start(clock: clock.service)
    let job = try refused(fixture, "half", as: "A.sqlite")
    fixture.drop()
    let reason = fixture.folder.path("spool/failed/\(job)/reason.json")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: clock.service.wall() + 1_000_000)], ofItemAtPath: reason)
    let daemon = try fixture.start(clock: clock.service)
    clock.seconds += LateChanges.seconds
    try fixture.folder.write("whole", to: "spool/failed/\(job)/original/A.sqlite")
    #expect(daemon.departures.late.takeBack().isEmpty)
  }

  @Test("a drop isn't moved back if it is unchanged, old or cancelled, or if its name is taken")
  func stays() throws {
    let clock = TestClock()
    let fixture = try DaemonFixture()
    let daemon = try fixture.start(clock: clock.service)
    let job = try refused(fixture, "half", as: "A.sqlite")
    let file = "spool/failed/\(job)/original/A.sqlite"
    chmod(fixture.folder.path(file), 0o600)
    #expect(daemon.departures.late.takeBack().isEmpty)
    mkfifo(fixture.folder.path("spool/incoming/A.sqlite"), 0o600)
    try fixture.folder.write("whole", to: file)
    #expect(daemon.departures.late.takeBack().isEmpty)
    unlink(fixture.folder.path("spool/incoming/A.sqlite"))
    // A cancelled job was a person's decision.
    let reason = try fixture.folder.text("spool/failed/\(job)/reason.json")
    try fixture.folder.write(
      reason.replacingOccurrences(of: "not-sqlite", with: "cancelled"), to: "spool/failed/\(job)/reason.json")
    #expect(daemon.departures.late.takeBack().isEmpty)
    try fixture.folder.write(reason, to: "spool/failed/\(job)/reason.json")
    daemon.departures.late.watch(job)
    clock.seconds += LateChanges.seconds
    #expect(daemon.departures.late.takeBack().isEmpty)
    #expect(try fixture.folder.text(file) == "whole")
    daemon.departures.late.watch(job)
    #expect(daemon.departures.late.takeBack() == ["A.sqlite"])
    #expect(try fixture.folder.text("spool/incoming/A.sqlite/A.sqlite") == "whole")
    #expect(try fixture.failed().isEmpty)
  }

  @Test("a program that pauses while it writes is reported once, not after each pause")
  func bursts() throws {
    let clock = TestClock()
    let fixture = try DaemonFixture {
      $0.settleSeconds = 2
      $0.scanSeconds = 1
    }
    let file = open(
      fixture.folder.path("spool/incoming/A.sqlite"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    let daemon = try fixture.start(clock: clock.service)
    for part in ["mi", "gr", "at"] {
      append(part, to: file)
      for _ in 0..<6 {
        clock.seconds += 1
        daemon.turn(timeout: 0)
      }
      #expect(daemon.intake.blocked.count == 1)
    }
    #expect(try fixture.log().count { $0.contains(" event=blocked ") } == 1)
    append("e\n", to: file)
    close(file)
    #expect(
      try fixture.turn {
        clock.seconds += 1
        return try fixture.done() == ["A.sqlite"]
      })
    #expect(try fixture.log().count { $0.contains(" event=blocked ") } == 1)
    #expect(try fixture.journal().components(separatedBy: "is no longer blocked").count == 2)
    #expect(try fixture.folder.names("spool/incoming").isEmpty)
  }

  @Test("a file that is open for writing is not taken, a notice says so, and then it is taken")
  func openForWriting() throws {
    let fixture = try DaemonFixture()
    let file = open(
      fixture.folder.path("spool/incoming/A.sqlite"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    append("migr", to: file)
    try fixture.folder.write("current\n", to: "spool/incoming/.d/B.sqlite")
    let inner = open(fixture.folder.path("spool/incoming/.d/B.sqlite"), O_RDWR | O_CLOEXEC)
    try fixture.folder.rename("spool/incoming/.d", to: "spool/incoming/d")
    let daemon = try fixture.start()
    #expect(fixture.turn { daemon.intake.blocked.count == 2 })
    #expect(daemon.intake.blocked.reported["A.sqlite"]?.first?.message.contains("open for writing") == true)
    #expect(try fixture.folder.names("spool/incoming").contains("A.sqlite.not-taken.txt"))
    append("ate\n", to: file)
    close(file)
    #expect(try fixture.turn { try fixture.done() == ["A.sqlite"] })
    close(inner)
    #expect(try fixture.turn { try fixture.done().count == 2 })
    #expect(try fixture.turn { try fixture.folder.names("spool/incoming").isEmpty })
    #expect(try fixture.failed().isEmpty)
  }
}
