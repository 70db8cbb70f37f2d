import DecantReport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

/// Jobs that an administrator cancels, with the fake worker.
///
/// A stop ends the chunk of its job “hang”.
@Suite("Cancelling jobs")
struct CancellationTests {
  private func cancel(_ job: String, _ fixture: DaemonFixture) {
    #expect(
      UnixClient.get("/jobs/\(job)/cancel", method: "POST", on: fixture.configuration.socket)?.code == 202)
  }

  /// The only job's name.
  private func job(_ fixture: DaemonFixture) throws -> String { try #require(try fixture.work().first) }

  @Test("a running job stops after its chunk, and its original is in failed as it was dropped")
  func running() throws {
    let fixture = try DaemonFixture()
    let daemon = try fixture.start()
    try fixture.put("hang", "a.sqlite")
    #expect(fixture.turn { daemon.dispatcher.running.values.contains { $0.meter.latest != nil } })
    cancel(try job(fixture), fixture)
    #expect(try fixture.turn { try fixture.failed().count == 1 && fixture.work().isEmpty })
    let reason = try fixture.reason()
    #expect(reason.reason == .cancelled && reason.attempts == 0 && reason.advice.contains("decant retry"))
    #expect(try fixture.folder.text("spool/failed/\(reason.job)/original/a.sqlite") == "hang\n")
    // Other jobs continue.
    try fixture.put("migrate", "b.sqlite")
    #expect(try fixture.turn { try fixture.done() == ["b.sqlite"] })
    #expect(daemon.context.events.totals.workerDeaths == 0)
  }

  @Test("a queued job and a waiting job leave at once, and the running job continues")
  func queued() throws {
    let fixture = try DaemonFixture {
      $0.workers = 1
      $0.retrySeconds = 3600
      $0.retryMaximumSeconds = 3600
    }
    let daemon = try fixture.start()
    try fixture.put("retry", "w.sqlite")
    #expect(fixture.turn { daemon.dispatcher.queue.waiting.count == 1 })
    try fixture.put("hang", "r.sqlite")
    #expect(fixture.turn { daemon.dispatcher.running.count == 1 })
    try fixture.put("migrate", "q.sqlite")
    #expect(fixture.turn { daemon.dispatcher.queue.queued.count == 1 })
    let idle = daemon.dispatcher.queue.queued.map(\.id) + daemon.dispatcher.queue.waiting.map(\.id)
    for job in idle { cancel(job, fixture) }
    #expect(try fixture.turn { try fixture.failed().count == 2 })
    #expect(daemon.dispatcher.running.count == 1)
    #expect(try fixture.failed() == idle.sorted())
    #expect(try fixture.done().isEmpty)
  }

  @Test("if a worker dies because of the stop, the store isn't blamed")
  func death() throws {
    let fixture = try DaemonFixture()
    let daemon = try fixture.start()
    try fixture.put("deaf", "a.sqlite")
    #expect(fixture.turn { daemon.dispatcher.running.values.contains { $0.meter.latest != nil } })
    let job = try job(fixture)
    cancel(job, fixture)
    #expect(fixture.turn { daemon.dispatcher.queue[job]?.cancelled == true })
    let worker = try #require(daemon.dispatcher.running[job]?.worker)
    kill(worker, SIGKILL)
    #expect(try fixture.turn { try fixture.failed().count == 1 })
    #expect(try fixture.reason().reason == .cancelled)
    #expect(daemon.context.events.totals.workerDeaths == 0)
  }

  @Test("a cancelled job leaves even if the daemon died before the end of the chunk")
  func daemonDeath() throws {
    let fixture = try DaemonFixture()
    // A reference to the daemon would keep its lock.
    try fixture.start()
    try fixture.put("deaf", "a.sqlite")
    #expect(
      fixture.turn {
        fixture.daemon?.dispatcher.running.values.contains { $0.meter.latest != nil } == true
      })
    let job = try job(fixture)
    cancel(job, fixture)
    #expect(fixture.turn { fixture.daemon?.dispatcher.queue[job]?.cancelled == true })
    fixture.drop()
    try fixture.start()
    #expect(try fixture.turn { try fixture.failed() == [job] })
    #expect(try fixture.reason().reason == .cancelled)
    #expect(fixture.daemon?.dispatcher.running[job] == nil)
    #expect(try fixture.folder.text("spool/failed/\(job)/original/a.sqlite") == "deaf\n")
  }

  @Test("a worker that doesn't stop is ended after stopSeconds")
  func deaf() throws {
    let fixture = try DaemonFixture { $0.stopSeconds = 0.3 }
    let daemon = try fixture.start()
    try fixture.put("deaf", "a.sqlite")
    #expect(fixture.turn { daemon.dispatcher.running.values.contains { $0.meter.latest != nil } })
    cancel(try job(fixture), fixture)
    #expect(try fixture.turn { try fixture.failed().count == 1 && fixture.work().isEmpty })
    #expect(try fixture.reason().reason == .cancelled)
    #expect(daemon.context.events.totals.workerDeaths == 0)
  }

  @Test("a start removes only the remains of interrupted removals")
  func rests() throws {
    let fixture = try DaemonFixture()
    for path in ["done/.gone-Notas", "failed/.gone-J-1/original", "done/.mine", "done/Old"] {
      try fixture.folder.makeFolder("spool/\(path)")
    }
    let daemon = try fixture.start()
    #expect(fixture.turn { daemon.dispatcher.hasRecovered })
    #expect(try fixture.folder.names("spool/done").sorted() == [".mine", "Old"])
    #expect(try fixture.folder.names("spool/failed").isEmpty)
  }

  @Test("cancelling an unknown job, or a job twice, changes nothing")
  func nothing() throws {
    let fixture = try DaemonFixture()
    let daemon = try fixture.start()
    try fixture.put("hang", "a.sqlite")
    #expect(fixture.turn { daemon.dispatcher.running.count == 1 })
    cancel("20000101T000000-000009", fixture)
    let job = try job(fixture)
    cancel(job, fixture)
    cancel(job, fixture)
    #expect(try fixture.turn { try fixture.failed().count == 1 && fixture.work().isEmpty })
    #expect(try fixture.failed() == [job])
    let said = try fixture.journal().split(separator: "\n").filter { $0.contains("is cancelled") }
    #expect(said.count == 1, "\(said)")
  }
}
