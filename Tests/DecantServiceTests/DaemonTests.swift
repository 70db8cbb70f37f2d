import DecantMigration
import FileNames
import Foundation
import Glibc
import Testing

@testable import DecantService

@Suite("The daemon with a worker of the test's own")
struct DaemonTests {
  @Test("a folder and loose files go to done, with original, report and external data")
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

  @Test("without work the loop sleeps for seconds, and with work it looks each second")
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

  @Test("a folder from done that is dropped again keeps its own papers under other names")
  func droppedAgain() throws {
    let fixture = try DaemonFixture()
    for (name, text) in [
      ("report.json", "old\n"), ("report.txt", "older\n"), ("reason.json", "why\n"),
      ("report.json~dropped", "oldest\n"),
    ] {
      try fixture.folder.write(text, to: "spool/incoming/F/\(name)")
    }
    // A byte that no text has: only texts may lie beside a store.
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

  @Test("originals are deleted where that is configured, but only after delivery")
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

  @Test("another file is refused with the original byte for byte, and the next store is migrated")
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

  @Test(
    "a store that ends its worker twice goes to failed with the worker's last words",
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
        == "The store is in “failed”, unchanged. Please report it, with the store if you can. Then drop it again."
    )
    #expect(try fixture.log().contains { $0.contains("attempt=1/2") && $0.contains("Decant tries again.") })
  }

  @Test("a store that ends its worker once gets another")
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

  @Test("a broken catalogue holds the job and shows on readyz; a change lets the job continue")
  func catalogue() throws {
    let fixture = try DaemonFixture()
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
    try fixture.folder.write("", to: "catalogue/mended")
    #expect(try fixture.turn { try fixture.done().count == 1 })
    fixture.daemon?.publish(at: ServiceClock.machine.steady())
    #expect(fixture.daemon?.health.status.isReady == true)
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
    #expect(status.checks.contains { $0.name == "space" && !$0.ok })
    #expect(status.waiting.first?.cause == "space")
    fixture.daemon?.context.configuration.minimumFreeBytes = 0
    #expect(try fixture.turn { try fixture.done().count == 1 })
  }

  @Test("a stop lets the running chunk commit, and the next start continues")
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

  @Test("a worker that doesn't hear is left behind after the time to stop, at once with a second request")
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

  @Test("a worker without a sign of progress is ended and counts as an attempt")
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

  @Test("the time for which the daemon itself was frozen is no silence of a worker's")
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

  @Test("loose files are taken when they have settled, a folder that came by rename at once")
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
    #expect(try fixture.folder.names("spool/incoming") == ["A.sqlite"])
    turns(40)
    #expect(try fixture.turn { try fixture.folder.names("spool/incoming").isEmpty })
  }

  @Test("an obstacle is reported once, with the command; the status counts it until it is gone")
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
    #expect(fixture.turn { fixture.daemon?.intake.obstacles.isEmpty == true })
    fixture.daemon?.publish(at: ServiceClock.machine.steady())
    #expect(fixture.daemon?.health.status.jobs.blocked == 0)
    let blocked = try fixture.log().filter { $0.contains("event=blocked") }
    #expect(blocked.count == 1 && blocked[0].contains("command=\"\(command)\""), "\(blocked)")
  }

  @Test("the daemon notices folders of the spool that are moved away and possibly made again")
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

  @Test("without the kernel's watch the periodic scan finds the drop")
  func noWatch() throws {
    let fixture = try DaemonFixture()
    try fixture.start()
    _ = fixture.daemon?.intake.watch.hints()
    try fixture.put("current", "A.sqlite")
    // Discards the hint.
    _ = fixture.daemon?.intake.watch.hints()
    #expect(try fixture.turn { try fixture.done().count == 1 })
  }

  @Test("a source that is still written to is not delivered, but taken again when it has settled")
  func stillWritten() throws {
    let fixture = try DaemonFixture { $0.workers = 1 }
    try fixture.put("current", "A.sqlite")
    let file = open(fixture.folder.path("spool/incoming/A.sqlite"), O_WRONLY | O_APPEND)
    defer { close(file) }
    let daemon = try fixture.start()
    #expect(daemon.dispatcher.queue.records.count == 1)
    write(file, "more", 4)
    #expect(try fixture.turn { try fixture.done().count == 1 })
    #expect(try fixture.folder.text("spool/done/A.sqlite/A.sqlite") == "current\nmore")
    #expect(try fixture.log().contains { $0.contains("event=changed") })
  }

  @Test("a worker that can't be started holds the jobs and shows on readyz; no store fails")
  func noWorker() throws {
    for text in [nil, "#!/bin/sh\necho broken >&2\nexit 3\n"] {
      let fixture = try DaemonFixture { $0.worker = $0.spool + "/../other.sh" }
      if let text {
        try fixture.folder.write(text, to: "other.sh")
        chmod(fixture.folder.path("other.sh"), 0o755)
      }
      try fixture.put("current", "A.sqlite")
      try fixture.start()
      // A new script may be busy at first, because another test is starting a process.
      let reason = text == nil ? "No such file" : "broken"
      #expect(fixture.turn { fixture.daemon?.context.events.troubles["workers"]?.contains(reason) == true })
      fixture.daemon?.publish(at: ServiceClock.machine.steady())
      let check = fixture.daemon?.health.status.checks.first { $0.name == "workers" }
      #expect(check?.message.contains(reason) == true)
      #expect(try fixture.failed().isEmpty)
    }
  }

  @Test("a new configuration is used, a bad one is not, and the log is reopened")
  func reload() throws {
    let fixture = try DaemonFixture()
    try fixture.folder.write("{}", to: "d.json5")
    fixture.configuration.file = fixture.folder.path("d.json5")
    let daemon = try fixture.start()
    try fixture.folder.write("{ wrkers: 3 }", to: "d.json5")
    daemon.reload()
    #expect(daemon.context.configuration.workers == 2)
    try fixture.folder.write(
      "{ workers: 3, progressLog: 'q.log', worker: 'worker.sh', spool: 'elsewhere' }", to: "d.json5")
    daemon.reload()
    #expect(daemon.context.configuration.workers == 3)
    #expect(daemon.context.configuration.spool == fixture.folder.path("spool"))
    daemon.context.configuration.settleSeconds = 0
    try fixture.put("current", "A.sqlite")
    #expect(try fixture.turn { try fixture.done().count == 1 })
    #expect(try fixture.folder.text("q.log").contains("event=done"))
  }

  @Test(
    "two changes in a row that the disk doesn't take cost no drop its place, from the claim to the delivery",
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
          // The change after it has failed, too.
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
    // No change follows the last one.
    #expect(step > 30 && failedTwice >= step - 2, "\(failedTwice) of \(step)")
  }

  @Test("while nothing can be made durable, claims that fail leave one folder for each drop at most")
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

  @Test("a claim that stopped halfway, and whose name is taken again, doesn't keep other drops waiting")
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
    // It waits for its store, so it stays.
    try fixture.folder.write("new", to: "spool/incoming/A.sqlite-wal")
    try fixture.put("current", "b/B.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 })
    #expect(fixture.daemon?.context.events.troubles["work"]?.contains("A.sqlite-wal") == true)
    #expect(try fixture.folder.text("spool/incoming/A.sqlite-wal") == "new")
  }

  @Test("jobs that are only queued get one line together when the daemon starts again")
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

  @Test("a departure that the disk doesn't take is tried again")
  func departure() throws {
    let fixture = try DaemonFixture()
    try fixture.put("current", "A.sqlite")
    let daemon = try fixture.start()
    #expect(daemon.dispatcher.queue.records.count == 1)
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
