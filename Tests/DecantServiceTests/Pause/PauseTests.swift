import DecantReport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

/// A paused daemon, with the fake worker.
///
/// A stop ends the chunk of its job “hang”.
@Suite("Pausing the daemon")
struct PauseTests {
  private func order(_ path: String, _ fixture: DaemonFixture) {
    #expect(UnixClient.get(path, method: "POST", on: fixture.configuration.socket)?.code == 202, "\(path)")
  }

  @Test("drops stay in incoming, queued jobs don't start, running jobs continue, and the health pages say so")
  func drops() throws {
    let fixture = try DaemonFixture { $0.workers = 1 }
    let daemon = try fixture.start()
    try fixture.put("hang", "r.sqlite")
    #expect(fixture.turn { daemon.dispatcher.running.values.contains { $0.meter.latest != nil } })
    try fixture.put("migrate", "q.sqlite")
    #expect(fixture.turn { daemon.dispatcher.queue.queued.count == 1 })
    order("/pause", fixture)
    #expect(fixture.turn { daemon.pause != nil })
    try fixture.put("migrate", "d.sqlite")
    // In this time several scans are due.
    let end = fixture.now + 0.5
    #expect(fixture.turn { fixture.now > end })
    #expect(try fixture.folder.names("spool/incoming").contains("d.sqlite"))
    #expect(daemon.dispatcher.running.count == 1 && daemon.dispatcher.queue.queued.count == 1)
    let socket = fixture.configuration.socket
    daemon.publish(at: fixture.now)
    let ready = try #require(UnixClient.get("/readyz", on: socket))
    #expect(ready.code == 503 && ready.body.contains("[-] pause: paused since "), "\(ready.body)")
    #expect(try #require(UnixClient.get("/metrics", on: socket)).body.contains("\ndecant_paused 1\n"))
    #expect(try #require(UnixClient.get("/status", on: socket)).body.contains(#""stopsJobs" : false"#))

    order("/jobs/\(try #require(daemon.dispatcher.running.keys.first))/cancel", fixture)
    #expect(try fixture.turn { try fixture.failed().count == 1 })
    order("/resume", fixture)
    #expect(try fixture.turn { try fixture.done() == ["d.sqlite", "q.sqlite"] })
    #expect(try fixture.log().contains { $0.contains("event=paused runningJobs=continue") })
    #expect(try fixture.log().contains { $0.hasSuffix("event=continued") })
    #expect(try !fixture.folder.names("spool").contains(".paused"))
  }

  @Test("with stop-jobs a running job stops after its chunk and continues later, without a counted attempt")
  func stopping() throws {
    let fixture = try DaemonFixture()
    let daemon = try fixture.start()
    try fixture.put("hang", "r.sqlite")
    #expect(fixture.turn { daemon.dispatcher.running.values.contains { $0.meter.latest != nil } })
    order("/pause?stop-jobs", fixture)
    #expect(fixture.turn { daemon.dispatcher.running.isEmpty })
    #expect(try fixture.log().contains { $0.contains("event=stopped") })
    order("/resume", fixture)
    #expect(fixture.turn { daemon.dispatcher.running.values.contains { $0.meter.latest != nil } })
    #expect(daemon.dispatcher.queue.records.values.map(\.strikes) == [0])
  }

  @Test("a worker that doesn't stop in time is ended, and its store isn't blamed")
  func deaf() throws {
    let fixture = try DaemonFixture { $0.stopSeconds = 0.2 }
    let daemon = try fixture.start()
    try fixture.put("deaf", "r.sqlite")
    #expect(fixture.turn { daemon.dispatcher.running.values.contains { $0.meter.latest != nil } })
    order("/pause?stop-jobs", fixture)
    #expect(fixture.turn { daemon.dispatcher.running.isEmpty })
    #expect(daemon.dispatcher.queue.records.values.map(\.strikes) == [0])
    #expect(daemon.context.events.totals.workerDeaths == 0)
  }

  @Test("the pause continues after a restart of the daemon; an empty file or a link is a pause, too")
  func restart() throws {
    for make in ["order", "file", "link"] {
      let fixture = try DaemonFixture()
      switch make {
      case "file": try fixture.folder.write("", to: "spool/.paused")
      case "link": symlink("/etc/hostname", fixture.folder.path("spool/.paused"))
      default:
        let daemon = try fixture.start()
        order("/pause", fixture)
        #expect(fixture.turn { daemon.pause != nil })
        fixture.drop()
      }
      try fixture.put("migrate", "a.sqlite")
      let daemon = try fixture.start()
      let end = fixture.now + 0.3
      #expect(fixture.turn { fixture.now > end })
      #expect(try fixture.work().isEmpty && fixture.done().isEmpty, "\(make)")
      #expect(daemon.statusLine.hasPrefix("paused"), "\(daemon.statusLine)")
      order("/resume", fixture)
      #expect(try fixture.turn { try fixture.done() == ["a.sqlite"] })
    }
  }

  @Test("a pause that can't be saved is in force, and the message says that it ends with the daemon")
  func disk() throws {
    let fixture = try DaemonFixture()
    let daemon = try fixture.start()
    FaultPlan.$current.withValue(FaultPlan(failAt: 1, .persistent, code: ENOSPC, of: "write")) {
      order("/pause", fixture)
      #expect(fixture.turn { daemon.pause != nil })
    }
    #expect(try fixture.journal().contains("The pause ends when the daemon ends"))
  }

  @Test("a job can be started again without its earlier work, or tried again at once")
  func again() throws {
    let fixture = try DaemonFixture {
      $0.retrySeconds = 3600
      $0.retryMaximumSeconds = 3600
    }
    let daemon = try fixture.start()
    try fixture.put("retry", "w.sqlite")
    try fixture.put("hang", "h.sqlite")
    #expect(
      fixture.turn {
        daemon.dispatcher.queue.waiting.count == 1
          && daemon.dispatcher.running.values.contains { $0.meter.latest != nil }
      })
    let waiting = try #require(daemon.dispatcher.queue.waiting.first)
    try fixture.folder.write("", to: "spool/work/\(waiting.id)/engine/old")
    try fixture.folder.write("", to: "catalogue/mended")
    order("/jobs/\(waiting.id)/retry", fixture)
    #expect(try fixture.turn { try fixture.done() == ["w.sqlite"] })
    let job = try #require(daemon.dispatcher.running.keys.first)
    try fixture.folder.write("", to: "spool/work/\(job)/engine/old")
    order("/jobs/\(job)/restart", fixture)
    #expect(
      try fixture.turn { try fixture.log().count { $0.contains("event=started") && $0.contains(job) } == 2 })
    #expect(try !fixture.folder.names("spool/work/\(job)/engine").contains("old"))
    #expect(try fixture.log().contains { $0.contains("event=restarted") && $0.contains(job) })
  }
}
