import DecantModel
import DecantTestSupport
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("A disk of the spool that fails")
struct FailingDiskTests {
  private func isOver(_ fixture: DaemonFixture) throws -> Bool {
    try fixture.done().count == 1 && fixture.work().isEmpty && fixture.folder.names("spool/incoming").isEmpty
  }

  @Test(
    "a single failed read of a drop's folder, request, files or result only costs time",
    arguments: [(EIO, "current"), (ESTALE, "current"), (EIO, "migrate")])
  func once(code: Int32, worker: String) throws {
    var number = 0
    while true {
      number += 1
      try #require(number < 200)
      let fixture = try DaemonFixture()
      try fixture.start()
      try fixture.put("\(worker)\n\u{1}", ".d/A.sqlite")
      try fixture.folder.write("note", to: "spool/incoming/.d/readme.txt")
      try fixture.folder.write("data", to: "spool/incoming/.d/.A_SUPPORT/_EXTERNAL_DATA/X")
      try fixture.folder.write("{ priority: 7 }", to: "spool/incoming/.d/A.request.json5")
      try fixture.folder.rename("spool/incoming/.d", to: "spool/incoming/d")
      let plan = DiskFaultPlan(
        at: fixture.folder.path("spool"), failAt: number, isPersistent: false, code: code)
      let isThrough = try plan.arming { () throws -> Bool in try fixture.turn { try isOver(fixture) } }
      #expect(isThrough, "read \(number)")
      let refused = try fixture.failed().isEmpty ? "" : fixture.reason().message
      try #require(refused.isEmpty, "read \(number): \(refused)")
      #expect(
        try fixture.log().contains {
          // An interrupted claim is continued.
          ($0.contains("event=claimed") || $0.contains("event=resumed")) && $0.contains("priority=7")
        },
        "read \(number)")
      #expect(try !fixture.log().contains { $0.contains("event=died") }, "read \(number)")
      if !plan.hasFailed { break }
    }
    #expect(number > 5)
  }

  @Test("an unreadable drop stays in incoming, with a message about the disk and no command")
  func persistent() throws {
    let fixture = try DaemonFixture()
    try fixture.put("current", "d/A.sqlite")
    let plan = DiskFaultPlan(
      at: fixture.folder.path("spool/incoming/d"), failAt: 1, isPersistent: true, code: EIO)
    try plan.arming {
      let daemon = try fixture.start()
      #expect(fixture.turn { !daemon.intake.blocked.reported.isEmpty })
      let words = daemon.intake.blocked.reported["d"]?.first?.description ?? ""
      #expect(words.contains("Input/output error") && words.contains("the store may be good"), "\(words)")
      #expect(!words.contains("Fix it with") && !words.contains("chmod"), "\(words)")
    }
    #expect(try fixture.turn { try isOver(fixture) })
    #expect(try fixture.failed().isEmpty)
  }

  @Test("a request that isn't a regular file is refused")
  func badRequest() throws {
    let fixture = try DaemonFixture()
    try fixture.put("current", "d/A.sqlite")
    try fixture.folder.write("{ no: 1 }", to: "spool/incoming/d/A.request.json5")
    try fixture.start()
    #expect(try fixture.turn { try fixture.failed().count == 1 })
    #expect(try fixture.reason().reason == .badRequest)
  }

  @Test("a catalogue that can't be read, or whose disk fails, is reported as a fault")
  func catalogueFaults() throws {
    let fixture = try DaemonFixture()
    var faults = CatalogueFaults(of: fixture.configuration)
    #expect(faults.look().failure == nil)
    let plan = DiskFaultPlan(at: fixture.folder.path("catalogue"), failAt: 1, isPersistent: true, code: EIO)
    let look = plan.arming { faults.look() }
    #expect(look.isOfDisk && look.failure?.contains("Input/output error") == true, "\(look)")
    try fixture.folder.rename("catalogue", to: "elsewhere")
    let missing = faults.look()
    #expect(!missing.isOfDisk && missing.failure?.contains("There is no catalogue at") == true, "\(missing)")
  }

  @Test("readyz says why and how long no file can be written to the spool; files of a crash are removed")
  func probe() throws {
    let clock = TestClock()
    let fixture = try DaemonFixture()
    try fixture.folder.write("left by a crash", to: "spool/done/.probe")
    let daemon = try fixture.start(clock: clock.service)
    func look(_ plan: FaultPlan?) -> ServiceStatus.Check? {
      clock.seconds += 40
      FaultPlan.$current.withValue(plan) { daemon.turn(timeout: 0.001) }
      daemon.probe.finish()
      daemon.turn(timeout: 0.001)
      daemon.publish(at: clock.seconds)
      return daemon.health.status.checks.first { $0.name == "spool" }
    }
    #expect(look(nil)?.ok == true)
    #expect(try fixture.folder.names("spool/done") == [])
    for (code, words) in [(ENOSPC, "df -i"), (EIO, "the disk or the network behind it failed")] {
      for step in 1...9 {
        let check = look(FaultPlan(failAt: step, .persistent, code: code))
        #expect(check?.ok == false && check?.message.contains(words) == true, "\(check?.message ?? "")")
        #expect(check?.message.contains(".probe") == true)
        #expect(look(nil)?.ok == true)
        for folder in ["work", "done", "failed"] {
          #expect(try !fixture.folder.names("spool/\(folder)").contains(".probe"), "\(folder), change \(step)")
        }
      }
    }
  }
}
