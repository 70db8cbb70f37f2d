import DecantMigration
import DecantTestSupport
import FileNames
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("Jobs that wait")
struct DaemonHoldTests {
  @Test(
    "a job with a temporary problem waits and never fails, also after a restart, and continues after the repair"
  )
  func retry() throws {
    let fixture = try DaemonFixture { $0.retryMaximumSeconds = 0.1 }
    try fixture.put("retry", "A.sqlite")
    try fixture.start()
    #expect(fixture.turn { (fixture.daemon?.context.events.totals.retried ?? 0) >= 4 })
    // This is true between two attempts. During an attempt, no job waits.
    #expect(fixture.turn { fixture.daemon?.dispatcher.queue.waiting.first?.retries ?? 0 >= 4 })
    fixture.drop()
    try fixture.start()
    #expect(fixture.daemon?.dispatcher.queue.records.values.first?.retries ?? 0 >= 3)
    #expect(try fixture.failed().isEmpty)
    try fixture.folder.write("", to: "catalogue/mended")
    #expect(try fixture.turn { try fixture.done().count == 1 })
  }

  @Test("a failure after a committed chunk counts as the first failure")
  func advanced() throws {
    let fixture = try DaemonFixture { $0.retryMaximumSeconds = 0.1 }
    try fixture.put("no-room-later", "A.sqlite")
    let daemon = try fixture.start()
    #expect(fixture.turn { daemon.context.events.totals.retried >= 3 })
    #expect(daemon.dispatcher.queue.records.values.map(\.retries) == [1])
  }

  @Test(
    "with a broken catalogue the job waits, and readyz shows it; after a change, also behind a link, it continues",
    arguments: [false, true])
  func catalogue(isLinked: Bool) throws {
    let fixture = try DaemonFixture()
    if isLinked {
      let shared = fixture.folder.path("shared")
      try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
      // A link whose target doesn't exist yet, and a link in a circle.
      for (target, link) in [(shared + "/mended", "catalogue/mended"), (shared, "shared/itself")] {
        try FileManager.default.createSymbolicLink(
          atPath: fixture.folder.path(link), withDestinationPath: target)
      }
    }
    try fixture.put("catalogue", "A.sqlite")
    try fixture.start()
    #expect(fixture.turn { fixture.daemon?.dispatcher.queue.waiting.count == 1 })
    // Scans without a change don't start the job again.
    var scans = 0
    _ = fixture.turn {
      scans += 1
      return scans > 20
    }
    #expect(try fixture.log().filter { $0.contains("event=started") }.count == 1)
    fixture.daemon?.publish(at: ServiceClock.machine.steady())
    let status = try #require(fixture.daemon?.health.status)
    // Stores of other families are still taken.
    #expect(status.isReady)
    #expect(status.checks.contains { $0.name == "families" && $0.warning && $0.message.contains("Notas") })
    #expect(status.families.map(\.family) == ["Notas"] && status.families.map(\.waiting) == [1])
    try fixture.folder.write("", to: isLinked ? "shared/mended" : "catalogue/mended")
    #expect(try fixture.turn { try fixture.done().count == 1 })
    fixture.daemon?.publish(at: ServiceClock.machine.steady())
    #expect(fixture.daemon?.health.status.isReady == true)
  }

  @Test("a job of a newer daemon isn't changed, readyz shows it, and other drops are taken")
  func newer() throws {
    let fixture = try DaemonFixture()
    let job = "20261126T040308-000007"
    try fixture.folder.write(#"{"format": 2, "id": "\#(job)"}"#, to: "spool/work/\(job)/job.json")
    try fixture.folder.write("store", to: "spool/work/\(job)/source/A.sqlite")
    try fixture.start()
    try fixture.put("migrate", "B.sqlite")
    #expect(try fixture.turn { try fixture.done().count == 1 })
    fixture.daemon?.publish(at: ServiceClock.machine.steady())
    let status = try #require(fixture.daemon?.health.status)
    #expect(status.isReady)
    let check = try #require(status.checks.first { $0.name == "records" })
    #expect(check.warning && check.message.contains(job), "\(check.message)")
    #expect(check.message.contains("format 2"), "\(check.message)")
    #expect(try fixture.folder.text("spool/work/\(job)/job.json") == #"{"format": 2, "id": "\#(job)"}"#)
    #expect(try fixture.folder.text("spool/work/\(job)/source/A.sqlite") == "store")
    // An administrator moves the job away.
    try fixture.folder.rename("spool/work/\(job)", to: "elsewhere")
    #expect(fixture.turn { fixture.daemon?.context.events.troubles["newer"] == nil })
  }

  @Test("readyz shows a family that can't be read before any job needs it, and also shows its repair")
  func brokenFamily() throws {
    let fixture = try DaemonFixture()
    try fixture.folder.write("<model>", to: "catalogue/Rota/Rota.xcdatamodeld/Rota.xcdatamodel/contents")
    try fixture.start()
    fixture.daemon?.publish(at: ServiceClock.machine.steady())
    let check = fixture.daemon?.health.status.checks.first { $0.name == "families" }
    #expect(check?.warning == true && fixture.daemon?.health.status.isReady == true)
    #expect(check?.message.contains("The family “Rota” can't be used") == true, "\(check?.message ?? "")")
    try FileManager.default.removeItem(atPath: fixture.folder.path("catalogue/Rota"))
    #expect(fixture.turn { fixture.daemon?.context.events.troubles["families"] == nil })
    try FileManager.default.removeItem(atPath: fixture.folder.path("catalogue"))
    #expect(fixture.turn { fixture.daemon?.context.events.troubles["catalogue"] != nil })
    fixture.daemon?.publish(at: ServiceClock.machine.steady())
    #expect(fixture.daemon?.health.status.isReady == false)
  }
}
