import DecantMigration
import FileNames
import Foundation
import Glibc
import Testing

@testable import DecantService

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
    // Between two attempts; during one no job waits.
    #expect(fixture.turn { fixture.daemon?.dispatcher.queue.waiting.first?.retries ?? 0 >= 4 })
    fixture.drop()
    try fixture.start()
    #expect(fixture.daemon?.dispatcher.queue.records.values.first?.retries ?? 0 >= 3)
    #expect(try fixture.failed().isEmpty)
    try fixture.folder.write("", to: "catalogue/mended")
    #expect(try fixture.turn { try fixture.done().count == 1 })
  }

  @Test(
    "a broken catalogue holds the job and shows on readyz; a change, also behind a link, lets the job continue",
    arguments: [false, true])
  func catalogue(isLinked: Bool) throws {
    let fixture = try DaemonFixture()
    if isLinked {
      let shared = fixture.folder.path("shared")
      try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
      // A link to nothing yet, and one in a circle.
      for (target, link) in [(shared + "/mended", "catalogue/mended"), (shared, "shared/itself")] {
        try FileManager.default.createSymbolicLink(
          atPath: fixture.folder.path(link), withDestinationPath: target)
      }
    }
    try fixture.put("catalogue", "A.sqlite")
    try fixture.start()
    #expect(fixture.turn { fixture.daemon?.dispatcher.queue.waiting.count == 1 })
    // Scans without a change don't touch it.
    var scans = 0
    _ = fixture.turn {
      scans += 1
      return scans > 20
    }
    #expect(try fixture.log().filter { $0.contains("event=started") }.count == 1)
    fixture.daemon?.publish(at: ServiceClock.machine.steady())
    let status = try #require(fixture.daemon?.health.status)
    // Stores of other families are taken.
    #expect(status.isReady)
    #expect(status.checks.contains { $0.name == "families" && $0.warning && $0.message.contains("Notas") })
    #expect(status.families.map(\.family) == ["Notas"] && status.families.map(\.waiting) == [1])
    try fixture.folder.write("", to: isLinked ? "shared/mended" : "catalogue/mended")
    #expect(try fixture.turn { try fixture.done().count == 1 })
    fixture.daemon?.publish(at: ServiceClock.machine.steady())
    #expect(fixture.daemon?.health.status.isReady == true)
  }

  @Test("a job of a newer daemon stays as it is and shows on readyz, and other drops are taken")
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

  @Test("a family that can't be read shows on readyz before any job needs it, and its mending too")
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

  @Test("without space the job waits, readyz says so, and it continues when there is space")
  func noRoom() throws {
    let fixture = try DaemonFixture { $0.minimumFreeBytes = Int.max }
    try fixture.put("current", "A.sqlite")
    try fixture.start()
    #expect(fixture.turn { fixture.daemon?.dispatcher.queue.shortages.count == 1 })
    fixture.daemon?.publish(at: ServiceClock.machine.steady())
    let status = try #require(fixture.daemon?.health.status)
    #expect(status.checks.contains { $0.name == "space" && !$0.ok } && !status.isReady)
    #expect(status.waiting.first?.cause == "space")
    fixture.daemon?.context.configuration.minimumFreeBytes = 0
    #expect(try fixture.turn { try fixture.done().count == 1 })
  }

  @Test("one job that waits for room is its own matter: others go on, and the daemon is ready")
  func oneLacksRoom() throws {
    let fixture = try DaemonFixture { $0.spaceFactor = 1e8 }
    try fixture.folder.write(
      "current\n" + String(repeating: "x", count: 10 << 20), to: "spool/incoming/A.sqlite")
    try fixture.put("hang", "B.sqlite")
    try fixture.start()
    let daemon = try #require(fixture.daemon)
    #expect(
      fixture.turn { daemon.dispatcher.queue.shortages.count == 1 && daemon.dispatcher.running.count == 1 })
    daemon.publish(at: fixture.now)
    let status = daemon.health.status
    let check = try #require(status.checks.first { $0.name == "space" })
    #expect(status.isReady && check.ok && check.warning, "\(check.message)")
    #expect(check.message.contains("waits for disk space; others go on"), "\(check.message)")
    #expect(status.waitingByCause == ["space": 1])
  }

  @Test(
    "when the workers themselves find no room for any job, the daemon isn't ready, also while they try again")
  func workersLackRoom() throws {
    let fixture = try DaemonFixture { $0.retryMaximumSeconds = 0.05 }
    try fixture.put("no-room", "A.sqlite")
    try fixture.put("no-room", "B.sqlite")
    try fixture.start()
    let daemon = try #require(fixture.daemon)
    #expect(fixture.turn { daemon.dispatcher.queue.records.values.count { $0.hasLackedRoom } == 2 })
    for _ in 0..<20 {
      daemon.turn(timeout: 0.02)
      daemon.publish(at: fixture.now)
      let check = try #require(daemon.health.status.checks.first { $0.name == "space" })
      #expect(!check.ok && check.message.contains("no other job can go on"), "\(check.message)")
      #expect(daemon.health.status.waiting.allSatisfy { $0.cause == "space" })
    }
    try fixture.folder.write("", to: "catalogue/mended")
    #expect(try fixture.turn { try fixture.done().count == 2 })
    daemon.publish(at: fixture.now)
    #expect(daemon.health.status.isReady)
  }
}
