import DecantMigration
import DecantReport
import DecantTestSupport
import FileNames
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("The daemon and what is dropped")
struct DaemonIntakeTests {
  @Test("loose files are taken when they have settled, a folder that was renamed into incoming at once")
  func settling() throws {
    let clock = TestClock()
    let fixture = try DaemonFixture { $0.settleSeconds = 50 }
    let daemon = try fixture.start(clock: clock.service)
    try fixture.put("current", "A.sqlite")
    try fixture.put("current", ".f/B.sqlite")
    try fixture.folder.rename("spool/incoming/.f", to: "spool/incoming/f")
    try fixture.put("current", "made/C.sqlite")
    func turns(_ seconds: Double) {
      for _ in 0..<5 {
        clock.seconds += seconds / 5
        daemon.turn(timeout: 0.01)
      }
    }
    turns(5)
    #expect(fixture.turn { (try? fixture.done()) == ["f"] })
    #expect(try fixture.folder.names("spool/incoming") == ["A.sqlite", "made"])
    turns(40)
    try fixture.put("current and more", "A.sqlite")
    turns(20)
    #expect(
      try fixture.turn {
        try !daemon.intake.isClaiming && fixture.folder.names("spool/incoming") == ["A.sqlite"]
      })
    turns(40)
    #expect(try fixture.turn { try fixture.folder.names("spool/incoming").isEmpty })
  }

  @Test("an obstacle is reported once, with the command that removes it; the status counts it until then")
  func blocked() throws {
    let fixture = try DaemonFixture()
    mkfifo(fixture.folder.path("spool/incoming/pipe"), 0o600)
    try fixture.put("current", "A.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 })
    fixture.daemon?.publish(at: ServiceClock.machine.steady())
    let command = "rm \(fixture.folder.path("spool/incoming/pipe"))"
    #expect(fixture.daemon?.health.status.blocked.first?.command == command)
    #expect(fixture.daemon?.health.status.jobs.blocked == 1)
    #expect(fixture.daemon?.health.status.isReady == true)
    unlink(fixture.folder.path("spool/incoming/pipe"))
    #expect(fixture.turn { fixture.daemon?.intake.blocked.count == 0 })
    fixture.daemon?.publish(at: ServiceClock.machine.steady())
    #expect(fixture.daemon?.health.status.jobs.blocked == 0)
    let blocked = try fixture.log().filter { $0.contains("event=blocked") }
    #expect(blocked.count == 1 && blocked[0].contains("command=\"\(command)\""), "\(blocked)")
  }

  @Test("the daemon notices if folders of the spool are moved away or replaced")
  func replacedFolders() throws {
    let fixture = try DaemonFixture()
    try fixture.start()
    for name in ["incoming", "done", "failed"] {
      #expect(rename(fixture.folder.path("spool/\(name)"), fixture.folder.path("\(name).off")) == 0)
    }
    #expect(mkdir(fixture.folder.path("spool/incoming"), 0o750) == 0)
    try fixture.put("current", "A.sqlite")
    #expect(
      try fixture.turn { try fixture.folder.names("spool").contains("done") && fixture.done().count == 1 })
    #expect(try fixture.folder.names("done.off").isEmpty)
    #expect(try fixture.folder.names("spool").contains("failed"))
    fixture.daemon?.publish(at: ServiceClock.machine.steady())
    #expect(fixture.daemon?.health.status.isReady == true)
  }

  @Test("while the spool isn't at its path, no work begins, and readyz says why")
  func movedSpool() throws {
    let fixture = try DaemonFixture()
    let daemon = try fixture.start()
    func move(_ from: String, _ to: String) throws {
      try #require(rename(fixture.folder.path(from), fixture.folder.path(to)) == 0)
    }
    func isReady() -> (Bool, String) {
      daemon.publish(at: ServiceClock.machine.steady())
      let status = daemon.health.status
      return (status.isReady, status.checks.first { $0.name == "spool" }?.message ?? "")
    }
    try move("spool", "away")
    #expect(fixture.turn { daemon.context.events.troubles["place"] != nil })
    #expect(!isReady().0 && isReady().1.contains("was moved away"))
    // Another folder is at the spool's path, as after a late mount.
    try fixture.folder.makeFolder("spool/incoming")
    try fixture.folder.write("current\n", to: "away/incoming/A.sqlite")
    for _ in 0..<20 { daemon.turn(timeout: 0.01) }
    #expect(isReady().1.contains("is another folder") && isReady().1.contains("restart the daemon"))
    #expect(try fixture.folder.names("away/incoming") == ["A.sqlite"])
    try move("spool", "other")
    try move("away", "spool")
    #expect(try fixture.turn { try fixture.done().count == 1 })
    #expect(isReady().0 && daemon.context.events.troubles["place"] == nil)
  }

  @Test("a worker's result while the spool isn't at its path decides nothing about the store")
  func verdictWithoutSpool() throws {
    let fixture = try DaemonFixture()
    try fixture.put("hang", "d/A.sqlite")
    let daemon = try fixture.start()
    #expect(fixture.turn { daemon.dispatcher.pool.busyCount == 1 })
    let record = try #require(daemon.dispatcher.queue.records.values.first)
    try #require(rename(fixture.folder.path("spool"), fixture.folder.path("away")) == 0)
    daemon.dispatcher.conclude(
      record, MigrationFailure(.sqlite, message: "unable to open database file: CREATE TABLE t"), nil,
      at: fixture.now)
    #expect(daemon.departures.pending.isEmpty)
    let held = try #require(daemon.dispatcher.queue[record.id])
    #expect(held.state == .waiting && held.hold?.cause == .retry && held.strikes == 0)
    #expect(
      held.hold?.failure.message.contains("was moved away") == true, "\(held.hold?.failure.message ?? "")")
    try #require(rename(fixture.folder.path("away"), fixture.folder.path("spool")) == 0)
  }

  @Test("the trouble of a failed claim ends when all claims of a later scan have succeeded")
  func failedClaim() throws {
    let clock = TestClock()
    let fixture = try DaemonFixture()
    let daemon = try fixture.start(clock: clock.service)
    let events = daemon.context.events
    for number in 0..<30 { try fixture.put("current", "\(number)/A.sqlite") }
    clock.seconds += 60
    FaultPlan.$current.withValue(FaultPlan(failAt: 3, .once, code: EIO, of: "make the folder")) {
      #expect(fixture.turn { events.troubles["claim"] != nil && !daemon.intake.isClaiming })
    }
    for _ in 0..<5 { daemon.turn(timeout: 0) }
    #expect(events.troubles["claim"] != nil)
    clock.seconds += 60
    #expect(try fixture.turn { try fixture.folder.names("spool/incoming").isEmpty })
    #expect(fixture.turn { events.troubles["claim"] == nil })
    #expect(
      try fixture.turn {
        clock.seconds += 0.1
        return try fixture.done().count == 30
      })
  }

  @Test("without events of the kernel, the periodic scan finds the drop")
  func noWatch() throws {
    let fixture = try DaemonFixture()
    try fixture.start()
    fixture.daemon?.intake.watch.takeHints { _ in }
    try fixture.put("current", "A.sqlite")
    // The test discards the event.
    fixture.daemon?.intake.watch.takeHints { _ in }
    #expect(try fixture.turn { try fixture.done().count == 1 })
  }

  @Test("if a source is still written, its result isn't delivered; the drop is taken again when it has settled")
  func stillWritten() throws {
    let fixture = try DaemonFixture { $0.workers = 1 }
    try fixture.put("current", "A.sqlite")
    let daemon = try fixture.start()
    #expect(fixture.turn { !daemon.dispatcher.queue.records.isEmpty })
    let job = try #require(daemon.dispatcher.queue.records.keys.first)
    // A program may have opened the file before, and the kernel may not report it.
    let file = open(fixture.folder.path("spool/work/\(job)/source/A.sqlite"), O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { close(file) }
    write(file, "more", 4)
    #expect(try fixture.turn { try fixture.done().count == 1 })
    #expect(try fixture.folder.text("spool/done/A.sqlite/A.sqlite") == "current\nmore")
    #expect(try fixture.log().contains { $0.contains("event=changed") })
  }

  @Test(
    "if two changes in a row fail, no drop is lost, from the claim to the delivery",
    arguments: ["A.sqlite", "F/A.sqlite"])
  func twoFaults(drop: String) throws {
    var step = 0
    var failedTwice = 0
    var isThrough = false
    while !isThrough {
      step += 1
      try #require(step < 300)
      let fixture = try DaemonFixture()
      try fixture.start()
      try fixture.put("migrate", drop)
      try fixture.folder.write("data", to: "spool/incoming/\(drop.hasPrefix("F") ? "F/" : "").A_SUPPORT/X")
      let plan = FaultPlan(failAt: step, .twice, code: EIO)
      try FaultPlan.$current.withValue(plan) {
        let isOver = try fixture.turn { () throws -> Bool in
          // The next change has failed, too.
          if plan.journal.count > step { return true }
          return try fixture.done().count == 1 && fixture.work().isEmpty
        }
        #expect(isOver, "change \(step)")
        isThrough = !plan.hasFailed
        if plan.journal.count > step { failedTwice += 1 }
      }
      #expect(try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty }, "change \(step)")
      let tree = try fixture.folder.tree("spool/done/\(drop.hasPrefix("F") ? "F" : "A.sqlite")")
      let last = plan.journal.last ?? ""
      #expect(tree["A.sqlite"] == "migrated\nmigrate\n", "change \(step): \(last)")
      #expect(tree["original/A.sqlite"] == "migrate\n", "change \(step): \(last)")
      #expect(tree["original/.A_SUPPORT/X"] == "data", "change \(step): \(last)")
      #expect(try fixture.failed().isEmpty && fixture.folder.names("spool/incoming").isEmpty, "change \(step)")
    }
    // After the last change, no second one can fail.
    #expect(step > 30 && failedTwice >= step - 2, "\(failedTwice) of \(step)")
  }

  @Test("while nothing can be made durable, failing claims leave at most one folder for each drop")
  func failingSync() throws {
    let fixture = try DaemonFixture()
    let daemon = try fixture.start()
    for name in ["a", "b"] { try fixture.put("current", "\(name)/A.sqlite") }
    var turns = 0
    FaultPlan.$current.withValue(FaultPlan(failAt: 1, .persistent, code: EIO, of: "fsync")) {
      _ = fixture.turn {
        turns += daemon.context.events.troubles["claim"] == nil ? 0 : 1
        return turns > 40
      }
    }
    let folders = try fixture.folder.names("spool/work").filter { !$0.hasPrefix(".") }
    #expect(turns > 40 && folders.count <= 2, "\(folders)")
    #expect(try fixture.turn { try fixture.done().count == 2 && fixture.work().isEmpty })
  }

  @Test("an interrupted claim whose name is taken in incoming doesn't delay other drops")
  func takenName() throws {
    let fixture = try DaemonFixture()
    let names = ["A.sqlite-wal", "A.sqlite"].map { FileName($0) }
    do {
      let spool = try Spool(path: fixture.folder.path("spool"))
      let id = ArrivalCounter.jobID(arrival: 1, at: 1_700_000_000)
      #expect(try spool.work.make(id))
      let folder = try JobFolder(id, in: spool)
      try folder.begin(
        JobRecord(
          id: id, arrival: 1, state: .claiming, drop: names[1], form: .loose, members: names, store: names[1],
          claimedAt: 1_700_000_000), in: spool)
      try fixture.folder.write("old", to: "spool/work/\(id)/\(JobFolder.source)/A.sqlite-wal")
    }
    // This -wal waits for its store, so it stays in incoming.
    try fixture.folder.write("new", to: "spool/incoming/A.sqlite-wal")
    try fixture.put("current", "b/B.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 })
    #expect(fixture.daemon?.context.events.troubles["work"]?.contains("A.sqlite-wal") == true)
    #expect(try fixture.folder.text("spool/incoming/A.sqlite-wal") == "new")
  }
}
