import DecantMigration
import DecantTestSupport
import FileNames
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("The daemon with a worker of the test's own")
struct DaemonTests {
  @Test("a folder and loose files are delivered to done, with original, report and external data")
  func done() throws {
    let fixture = try DaemonFixture()
    try fixture.put("migrate", "F/A.sqlite")
    try fixture.folder.write("data", to: "spool/incoming/F/.A_SUPPORT/_EXTERNAL_DATA/X")
    try fixture.put("current", "B.sqlite")
    try fixture.put("wal", "B.sqlite-wal")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 2 && fixture.work().isEmpty })
    let a = try fixture.folder.tree("spool/done/F")
    #expect(a["A.sqlite"] == "migrated\nmigrate\n")
    #expect(a["original/A.sqlite"] == "migrate\n")
    #expect(a["original/.A_SUPPORT/_EXTERNAL_DATA/X"] == "data")
    #expect(a["report.json"]?.contains("\"result\" : \"migrated\"") == true)
    let b = try fixture.folder.tree("spool/done/B.sqlite")
    #expect(b["B.sqlite"] == "current\n" && b["B.sqlite-wal"] == "wal\n")
    #expect(Set(b.keys) == ["B.sqlite", "B.sqlite-wal", "report.html", "report.json", "report.txt"])
    let log = try fixture.log()
    #expect(log.contains { $0.contains("store=A.sqlite event=progress step=1/1 from=Notas to=\"Notas 2\"") })
    #expect(log.contains { $0.contains("store=B.sqlite event=done result=alreadyCurrent") })
  }

  @Test("without work the loop sleeps for several seconds, with work for at most one")
  func idle() throws {
    let fixture = try DaemonFixture { $0.scanSeconds = 30 }
    let daemon = try fixture.start()
    func pause() -> Double { daemon.pause(atMost: Daemon.idlePause, at: fixture.now) }
    #expect(fixture.turn { daemon.isIdle && pause() > 2 })
    // A job that waits for its next attempt.
    try fixture.put("retry", "A.sqlite")
    #expect(fixture.turn { !daemon.isIdle })
    #expect(pause() <= 1)
  }

  @Test("a folder from done that is dropped again keeps its earlier report files under other names")
  func droppedAgain() throws {
    let fixture = try DaemonFixture()
    for (name, text) in [
      ("report.json", "old\n"), ("report.txt", "older\n"), ("reason.json", "why\n"),
      ("report.json~dropped", "oldest\n"),
    ] {
      try fixture.folder.write(text, to: "spool/incoming/F/\(name)")
    }
    // No text has this byte, so the file isn't a text. Only texts may be beside a store.
    try fixture.put("current\n\u{1}", "F/A.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty })
    let tree = try fixture.folder.tree("spool/done/F")
    #expect(tree["report.json~dropped"] == "oldest\n" && tree["report.txt~dropped"] == "older\n")
    #expect(tree["report.json~dropped~dropped"] == "old\n")
    #expect(tree["reason.json"] == "why\n" && tree["A.sqlite"] == "current\n\u{1}\n")
    #expect(tree["report.json"]?.contains("\"result\" : \"alreadyCurrent\"") == true)
    #expect(tree["report.txt"]?.isEmpty == false)
  }

  @Test("each loss is a line of the log before the store is done, and the sums are in the log and the status")
  func losses() throws {
    let fixture = try DaemonFixture()
    try fixture.put("lossy", "A.sqlite")
    let daemon = try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty })
    let lines = try fixture.log().filter { $0.contains("event=loss") || $0.contains("event=done") }
    try #require(lines.count == 3, "\(lines)")
    #expect(lines.allSatisfy { $0.contains(" store=A.sqlite ") })
    #expect(lines[0].hasSuffix("event=loss entity=Nota property=texto values=7 cause=noPlace accepted=false"))
    #expect(
      lines[1].hasSuffix(
        "event=loss entity=Una property=- values=2 cause=filters version=\"Notas 2\" accepted=true"))
    #expect(lines[2].contains(" losses=2 lostValues=9 "))
    #expect(daemon.context.events.totals.losses == 2 && daemon.context.events.totals.lostValues == 9)
    let report = try fixture.folder.text("spool/done/A.sqlite/report.txt")
    #expect(report.contains("  attribute Nota.texto: 7 values\n"))
    #expect(report.contains("2 objects (no filter or uniqueBy of an entity mapping takes them), accepted\n"))
  }

  @Test("originals are deleted if the configuration says so, but only after delivery")
  func deleting() throws {
    let fixture = try DaemonFixture { $0.originals = .delete }
    try fixture.put("migrate", "A.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty })
    #expect(
      Set(try fixture.folder.tree("spool/done/A.sqlite").keys) == [
        "A.sqlite", "report.html", "report.json", "report.txt",
      ])
  }

  @Test("a file that is no store is refused, its original stays byte by byte, and the next store is migrated")
  func refused() throws {
    let fixture = try DaemonFixture { $0.workers = 1 }
    try fixture.put("some text", "A.txt")
    try fixture.put("", "B.empty")
    try fixture.folder.makeFolder("spool/incoming/nothing")
    try fixture.put("current", "C.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.failed().count == 3 })
    let trees = try fixture.failed().map { try fixture.folder.tree("spool/failed/\($0)") }
    #expect(trees.contains { $0["original/A.txt"] == "some text\n" })
    #expect(trees.contains { $0["reason.json"]?.contains("\"no-store\"") == true })
    #expect(trees.allSatisfy { $0["report.txt"]?.hasPrefix("Refused: ") == true })
  }

  @Test("at a stop the running chunk is committed, and the next start continues")
  func stop() throws {
    let fixture = try DaemonFixture()
    try fixture.put("hang", "A.sqlite")
    try fixture.start()
    #expect(fixture.turn { fixture.daemon?.dispatcher.running.values.first?.meter.latest != nil })
    fixture.daemon?.requestStop()
    #expect(fixture.turn { fixture.daemon?.isFinished == true })
    #expect(try fixture.log().last?.contains("event=stopped") == true)
    fixture.drop()
    #expect(try fixture.work().count == 1)
    try fixture.start()
    #expect(fixture.turn { fixture.daemon?.dispatcher.running.values.first?.meter.latest != nil })
    #expect(fixture.daemon?.dispatcher.queue.records.values.first?.strikes == 0)
  }

  @Test("if a worker doesn't stop, the daemon ends after stopSeconds, or at a second request")
  func deaf() throws {
    for isHasty in [false, true] {
      let fixture = try DaemonFixture { $0.stopSeconds = isHasty ? 3600 : 0 }
      try fixture.put("deaf", "A.sqlite")
      let daemon = try fixture.start()
      #expect(fixture.turn { daemon.dispatcher.running.values.first?.meter.latest != nil })
      daemon.requestStop()
      if isHasty { daemon.requestStop() }
      #expect(fixture.turn { daemon.isFinished })
      fixture.drop()
      #expect(try fixture.work().count == 1)
    }
  }

  @Test("a reload uses a new configuration, not a bad one, and reopens the log")
  func reload() throws {
    let fixture = try DaemonFixture()
    try fixture.folder.write("{}", to: "d.json5")
    fixture.configuration.file = fixture.folder.path("d.json5")
    let daemon = try fixture.start()
    try fixture.folder.write("{ wrkers: 3 }", to: "d.json5")
    daemon.reload()
    #expect(daemon.context.configuration.workers == 2)
    try fixture.folder.write(
      "{ workers: 3, progressLog: 'q.log', worker: 'worker.sh', spool: 'elsewhere', catalogue: 'catalogue' }",
      to: "d.json5")
    daemon.reload()
    #expect(daemon.context.configuration.workers == 3)
    #expect(daemon.context.configuration.spool == fixture.folder.path("spool"))
    daemon.context.configuration.settleSeconds = 0
    try fixture.put("current", "A.sqlite")
    #expect(try fixture.turn { try fixture.done().count == 1 })
    #expect(try fixture.folder.text("q.log").contains("event=done"))
  }

  @Test(
    "a reload refuses what --check refuses, says why, and keeps the old configuration",
    arguments: [
      ("catalogue: 'none'", "“catalogue”: There is no catalogue"), ("onDone: ['/nope']", "“onDone”: "),
      ("onFailed: ['/nope', 'x']", "“onFailed”: "), ("worker: '/nope'", "“worker”: "),
      ("progressLog: '/nope/p.log'", "“progressLog”: "),
      // The daemon doesn't make the new spool.
      ("spool: 'new', progressLog: 'new/p.log'", "“progressLog”: "),
    ])
  func refusedReload(setting: String, words: String) throws {
    let fixture = try DaemonFixture()
    fixture.configuration.file = fixture.folder.path("d.json5")
    let daemon = try fixture.start()
    let others = ["catalogue: 'catalogue'", "progressLog: 'progress.log'"].filter {
      !setting.contains($0.prefix { $0 != ":" })
    }
    try fixture.folder.write("{ workers: 7, \((others + [setting]).joined(separator: ", ")) }", to: "d.json5")
    daemon.reload()
    #expect(daemon.context.configuration.workers == 2)
    #expect(daemon.context.configuration.catalogue == fixture.folder.path("catalogue"))
    fixture.drop()
    let journal = try fixture.journal()
    #expect(journal.contains("The configuration is unchanged. "), "\(journal)")
    #expect(journal.contains("d.json5, \(words)"), "\(journal)")
  }

  @Test("a drop whose last write is in the future is taken, and the journal says so")
  func future() throws {
    let fixture = try DaemonFixture()
    let daemon = try fixture.start()
    try fixture.put("current", "A.sqlite")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 1e6)],
      ofItemAtPath: fixture.folder.path("spool/incoming/A.sqlite"))
    #expect(try fixture.turn { try fixture.done().count == 1 })
    #expect(daemon.context.events.totals.claimed == 1)
    fixture.drop()
    let journal = try fixture.journal()
    #expect(journal.contains("“A.sqlite” was last written in the future; is a clock wrong?"), "\(journal)")
  }

  @Test("when the daemon starts again, all queued jobs together get one line")
  func queuedJobs() throws {
    let fixture = try DaemonFixture { $0.workers = 1 }
    for number in 0..<5 { try fixture.put("hang", "d\(number)/A.sqlite") }
    try fixture.start()
    #expect(fixture.turn { fixture.daemon?.dispatcher.queue.records.count == 5 })
    fixture.drop()
    try fixture.start()
    #expect(fixture.daemon?.dispatcher.queue.records.count == 5)
    let resumed = try fixture.log().filter { $0.contains("event=resumed") }
    #expect(resumed.count == 1 && resumed.first?.hasSuffix("state=queued jobs=5") == true, "\(resumed)")
  }

  @Test("a stop that waits for a job doesn't keep the processor busy when a scan is due")
  func stopWithScanDue() throws {
    let clock = TestClock()
    let fixture = try DaemonFixture()
    try fixture.put("hang", "d/A.sqlite")
    let daemon = try fixture.start(clock: clock.service)
    #expect(fixture.turn { daemon.dispatcher.pool.busyCount == 1 })
    daemon.requestStop()
    clock.seconds += 1
    daemon.turn(timeout: 0)
    #expect(!daemon.isFinished && daemon.intake.schedule.deadline <= clock.seconds)
    #expect(daemon.pause(atMost: 1, at: clock.seconds) > 0)
  }

  @Test("a departure that fails because of the disk is tried again")
  func departure() throws {
    let fixture = try DaemonFixture()
    try fixture.put("current", "A.sqlite")
    let daemon = try fixture.start()
    #expect(fixture.turn { daemon.dispatcher.queue.records.count == 1 })
    FaultPlan.$current.withValue(FaultPlan(failAt: 1, .persistent, code: ENOSPC)) {
      #expect(
        fixture.turn {
          daemon.context.events.troubles["departure"] != nil || daemon.context.events.troubles["record"] != nil
        })
    }
    #expect(try fixture.turn { try fixture.done().count == 1 })
    #expect(try fixture.failed().isEmpty)
  }
}
