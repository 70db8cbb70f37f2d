import DecantMigration
import DecantTestSupport
import FileNames
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("Workers of the daemon that die, hang or fail")
struct DaemonWorkerTests {
  @Test(
    "a store whose worker dies twice goes to failed with the worker's last output",
    arguments: [
      ("die", "boom"), ("garbage", "hello there"), ("other-job", "doesn't have"), ("claims-only", "no output"),
    ])
  func deaths(what: String, words: String) throws {
    let fixture = try DaemonFixture()
    try fixture.put(what, "A.sqlite")
    try fixture.put("current", "B.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.failed().count == 1 })
    let reason = try fixture.reason()
    #expect(reason.reason == .workerDied)
    #expect(reason.attempts == 2)
    #expect(([reason.message] + reason.details).contains { $0.contains(words) }, "\(reason)")
    #expect(reason.message.hasPrefix("In attempt 2 of 2 on “A.sqlite”: The worker"), "\(reason.message)")
    #expect(
      reason.advice
        == "The store is in “failed”, unchanged. Please report this failure, with the store if you can. Then drop the store again."
    )
    #expect(try fixture.log().contains { $0.contains("attempt=1/2") && $0.contains("Decant tries again.") })
    fixture.drop()
    let told = try fixture.journal().split(separator: "\n").filter { $0.contains("has failed") }
    #expect(told.count == 2 && told.allSatisfy { $0.split(separator: " of 2").count == 2 }, "\(told)")
    #expect(told.first?.contains("has failed, attempt 1 of 2. The worker") == true, "\(told)")
  }

  @Test("a store whose worker dies once gets another worker")
  func oneDeath() throws {
    let fixture = try DaemonFixture()
    try fixture.put("die-once", "A.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 })
    #expect(try fixture.log().contains { $0.contains("event=died attempt=1/2") })
  }

  @Test("after a fault of Decant the job is tried again, then the store goes to failed with the reason")
  func fault() throws {
    let fixture = try DaemonFixture()
    try fixture.put("fault", "A.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.failed().count == 1 })
    #expect(try fixture.reason().reason.word == "our-fault")
    #expect(try fixture.reason().attempts == 2)
    #expect(try fixture.log().contains { $0.contains("event=started attempt=2/2") })
  }

  @Test("a worker without progress is ended, which counts as an attempt")
  func hang() throws {
    let clock = TestClock()
    let fixture = try DaemonFixture { $0.hangSeconds = 100 }
    try fixture.put("hang", "A.sqlite")
    let daemon = try fixture.start(clock: clock.service)
    #expect(fixture.turn { daemon.dispatcher.running.values.first?.meter.latest != nil })
    let isEnded = fixture.turn {
      clock.seconds += 5
      return daemon.dispatcher.queue.records.values.first?.strikes == 1
    }
    #expect(isEnded)
    #expect(try fixture.log().contains { $0.contains("no progress for 100 s") })
  }

  @Test("the time in which the daemon itself was frozen doesn't count as a worker's silence")
  func frozen() throws {
    let clock = TestClock()
    let fixture = try DaemonFixture { $0.hangSeconds = 100 }
    try fixture.put("hang", "A.sqlite")
    let daemon = try fixture.start(clock: clock.service)
    #expect(fixture.turn { daemon.dispatcher.running.values.first?.meter.latest != nil })
    clock.seconds += 100_000
    for _ in 0..<5 { daemon.turn(timeout: 0.01) }
    #expect(daemon.dispatcher.queue.running.count == 1)
    #expect(daemon.dispatcher.queue.records.values.first?.strikes == 0)
  }

  @Test("if no worker can be started, the jobs wait, readyz shows it, and no store fails")
  func noWorker() throws {
    for text in [nil, "#!/bin/sh\necho broken >&2\nexit 3\n"] {
      let fixture = try DaemonFixture { $0.worker = $0.spool + "/../other.sh" }
      if let text {
        try fixture.folder.write(text, to: "other.sh")
        chmod(fixture.folder.path("other.sh"), 0o755)
      }
      try fixture.put("current", "A.sqlite")
      try fixture.start()
      // A new script may be “busy” at first, because another test is starting a process.
      let reason = text == nil ? "No such file" : "broken"
      #expect(fixture.turn { fixture.daemon?.context.events.troubles["workers"]?.contains(reason) == true })
      fixture.daemon?.publish(at: ServiceClock.machine.steady())
      let check = fixture.daemon?.health.status.checks.first { $0.name == "workers" }
      #expect(check?.message.contains(reason) == true)
      #expect(try fixture.failed().isEmpty)
    }
  }
}
