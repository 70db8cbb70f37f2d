import DecantReport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("Jobs without room on the disk")
struct DaemonRoomTests {
  private func check(_ daemon: Daemon, _ fixture: DaemonFixture) throws -> ServiceStatus.Check {
    daemon.publish(at: fixture.now)
    return try #require(daemon.health.status.checks.first { $0.name == "space" })
  }

  /// A daemon whose only job waits for space.
  private func waiting() throws -> (DaemonFixture, Daemon) {
    let fixture = try DaemonFixture { $0.minimumFreeBytes = Int.max }
    try fixture.put("current", "A.sqlite")
    let daemon = try fixture.start()
    try #require(fixture.turn { daemon.dispatcher.queue.shortages.count == 1 })
    return (fixture, daemon)
  }

  @Test("without space the job waits, readyz and the log say so, and it continues when there is space")
  func noRoom() throws {
    let (fixture, daemon) = try waiting()
    #expect(try !check(daemon, fixture).ok && !daemon.health.status.isReady)
    #expect(daemon.health.status.waiting.first?.cause == "space")
    #expect(
      try fixture.turn {
        try fixture.log().filter { $0.contains("event=waiting") && $0.contains("cause=space") }.count == 1
      })
    daemon.context.configuration.minimumFreeBytes = 0
    #expect(try fixture.turn { try fixture.done().count == 1 })
  }

  @Test("a disk whose free space isn't known is a warning, and the daemon stays ready")
  func unknown() throws {
    let daemon = try DaemonFixture().start()
    let failure = FileFailure("examine the disk of", "/spool/work", EIO)
    let check = daemon.checks(.failure(failure), freeBytes: 9, families: []).first { $0.name == "space" }
    #expect(check == .init(name: "space", ok: true, warning: true, message: failure.description))
  }

  @Test("a job that waits for space also continues if the idle workers have ended")
  func noWorker() throws {
    let (fixture, daemon) = try waiting()
    var settings = daemon.dispatcher.pool.settings
    settings.hangSeconds += 1
    daemon.dispatcher.pool.change(to: settings)
    #expect(fixture.turn { daemon.dispatcher.pool.aliveCount == 0 })
    daemon.turn(timeout: 0.02)
    #expect(daemon.dispatcher.pool.aliveCount == 0)
    daemon.context.configuration.minimumFreeBytes = 0
    #expect(try fixture.turn { try fixture.done().count == 1 })
    #expect(try check(daemon, fixture).ok && daemon.health.status.isReady)
  }

  @Test(
    "if only one job waits for room, drops are taken and the daemon is ready",
    arguments: [true, false])
  func oneLacksRoom(besideAnother: Bool) throws {
    let fixture = try DaemonFixture { $0.spaceFactor = 1e8 }
    try fixture.folder.write(
      "current\n" + String(repeating: "x", count: 10 << 20), to: "spool/incoming/A.sqlite")
    if besideAnother { try fixture.put("hang", "B.sqlite") }
    let daemon = try fixture.start()
    #expect(
      fixture.turn {
        daemon.dispatcher.queue.shortages.count == 1
          && daemon.dispatcher.running.count == (besideAnother ? 1 : 0)
      })
    let check = try check(daemon, fixture)
    #expect(daemon.health.status.isReady && check.ok && check.warning, "\(check.message)")
    #expect(check.message.contains("waits for disk space"), "\(check.message)")
    #expect(check.message.contains("; others go on") == besideAnother, "\(check.message)")
    #expect(!check.message.contains("no other job can go on"), "\(check.message)")
    #expect(daemon.health.status.waitingByCause == ["space": 1])
  }

  @Test("if several jobs lack room before they start, and no other job exists, the daemon isn't ready")
  func severalLackRoom() throws {
    let fixture = try DaemonFixture { $0.spaceFactor = 1e8 }
    for name in ["A", "B"] {
      try fixture.folder.write(
        "current\n" + String(repeating: "x", count: 10 << 20), to: "spool/incoming/\(name).sqlite")
    }
    let daemon = try fixture.start()
    #expect(fixture.turn { daemon.dispatcher.queue.shortages.count == 2 })
    let check = try check(daemon, fixture)
    #expect(
      !check.ok && check.message.contains("2 jobs wait for disk space, and no other job can go on"),
      "\(check.message)")
    daemon.context.configuration.spaceFactor = 1
    #expect(try fixture.turn { try fixture.done().count == 2 })
    daemon.publish(at: fixture.now)
    #expect(daemon.health.status.isReady)
  }

  @Test("a job whose departure has failed doesn't count as a job that continues")
  func stuckDeparture() throws {
    let (fixture, daemon) = try waiting()
    let other = JobRecord(
      id: "20261126T040308-000007", arrival: 7, state: .delivering, drop: "B.sqlite", form: .loose, members: [],
      store: "B.sqlite", claimedAt: 0)
    for attempts in [0, 1] {
      daemon.departures.add(
        PendingDeparture(record: other, kind: .complete, attempts: attempts, notBefore: .infinity))
      let check = try check(daemon, fixture)
      #expect(check.ok == (attempts == 0), "\(check.message)")
      #expect(check.message.contains("; others go on") == (attempts == 0), "\(check.message)")
    }
  }

  @Test(
    "if the workers find no room for any job, the daemon isn't ready, also while they try again")
  func workersLackRoom() throws {
    let fixture = try DaemonFixture { $0.retryMaximumSeconds = 0.05 }
    try fixture.put("no-room", "A.sqlite")
    try fixture.put("no-room", "B.sqlite")
    let daemon = try fixture.start()
    #expect(fixture.turn { daemon.dispatcher.queue.records.values.count { $0.hasLackedRoom } == 2 })
    var waits = 0
    // Each retry reports a chunk but doesn't commit it.
    while daemon.context.events.totals.retried < 12 {
      daemon.turn(timeout: 0.02)
      let check = try check(daemon, fixture)
      #expect(!check.ok && check.message.contains("no other job can go on"), "\(check.message)")
      #expect(daemon.health.status.waiting.allSatisfy { $0.cause == "space" })
      waits += daemon.health.status.waiting.count
    }
    #expect(waits > 0)
    #expect(try fixture.log().contains { $0.contains("event=waiting cause=space seconds=") })
    try fixture.folder.write("", to: "catalogue/mended")
    #expect(try fixture.turn { try fixture.done().count == 2 })
    daemon.publish(at: fixture.now)
    #expect(daemon.health.status.isReady)
  }

  @Test("rows of a chunk and files of a delivery are an advance, a count that replaces an estimate isn't")
  func advance() {
    func progress(step: Int = 1, done: Int, of total: Int, files: Int? = nil) -> MigrationProgress {
      var progress = MigrationProgress(
        step: step, steps: 2, sourceVersion: "1", destinationVersion: "2", pass: 1, passes: 1, passName: "P",
        stage: .create, rowsDone: done, rowsTotal: total)
      progress.filesDone = files
      return progress
    }
    let latest = progress(done: 10, of: 100, files: 3)
    #expect(Dispatcher.isAdvance(from: latest, to: progress(done: 11, of: 100, files: 3)))
    #expect(Dispatcher.isAdvance(from: latest, to: progress(done: 10, of: 100, files: 4)))
    #expect(Dispatcher.isAdvance(from: latest, to: progress(step: 2, done: 0, of: 50)))
    #expect(!Dispatcher.isAdvance(from: latest, to: latest))
    #expect(!Dispatcher.isAdvance(from: latest, to: progress(done: 40, of: 130, files: 3)))
    #expect(!Dispatcher.isAdvance(from: progress(done: 0, of: 0), to: progress(done: 5, of: 0)))
  }

  @Test("a job that commits a chunk before it lacks room counts as advancing; so does a job that is finished")
  func advancing() throws {
    // With this setting, no job is tried again during the test.
    let fixture = try DaemonFixture {
      $0.retrySeconds = 600
      $0.retryMaximumSeconds = 600
    }
    try fixture.put("no-room", "A.sqlite")
    try fixture.put("no-room", "B.sqlite")
    let daemon = try fixture.start()
    #expect(fixture.turn { daemon.dispatcher.queue.records.values.count { $0.hasLackedRoom } == 2 })
    #expect(daemon.dispatcher.room.stuck == 2 && daemon.dispatcher.advances == 0)
    try fixture.put("no-room-later", "C.sqlite")
    #expect(fixture.turn { daemon.dispatcher.queue.records.values.count { $0.hasLackedRoom } == 3 })
    #expect(daemon.dispatcher.advances == 1 && daemon.dispatcher.room.stuck == 1)
    #expect(try check(daemon, fixture).ok)
    try fixture.put("current", "D.sqlite")
    #expect(try fixture.turn { try fixture.done().count == 1 })
    #expect(daemon.dispatcher.room.stuck == 0 && daemon.dispatcher.room.short.count == 3)
    #expect(try check(daemon, fixture).ok)
  }

  @Test("a limit on the size of files isn't a lack of room: the jobs wait, and the daemon is ready")
  func fileLimit() throws {
    let fixture = try DaemonFixture { $0.retryMaximumSeconds = 60 }
    try fixture.put("file-limit", "A.sqlite")
    try fixture.put("file-limit", "B.sqlite")
    let daemon = try fixture.start()
    #expect(fixture.turn { daemon.dispatcher.queue.waiting.count == 2 })
    #expect(try check(daemon, fixture).ok && daemon.health.status.isReady)
    #expect(daemon.health.status.waitingByCause == ["retry": 2])
  }
}
