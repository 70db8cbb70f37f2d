import DecantMigration
import DecantReport
import DecantTestSupport
import Foundation
import Glibc
import Testing

@testable import DecantService

@Suite("Progress lines")
struct ProgressTests {
  private func progress(_ stage: MigrationProgress.Stage, rows: Int, mapping: String? = "Nota", pass: Int = 1)
    -> MigrationProgress
  {
    MigrationProgress(
      step: 1, steps: 2, sourceVersion: "Notas", destinationVersion: "Notas 2", pass: pass, passes: 2,
      passName: "inferred", stage: stage, entityMapping: mapping, chunk: 1, chunks: 4, rowsDone: rows,
      rowsTotal: 1000, passRowsDone: rows, passRowsTotal: 500)
  }

  @Test(
    "values that a script would split are quoted",
    arguments: [
      ("a", "a"), ("a b", "\"a b\""), ("a\"b", "\"a\\\"b\""), ("a=b", "\"a=b\""), ("a\nb", "\"a\\nb\""),
      ("\u{1B}[2J", "\"\\u{1b}[2J\""), ("ñ", "ñ"), ("a\u{2028}b", "\"a\\u{2028}b\""), ("", "\"\""),
    ])
  func values(text: String, value: String) {
    #expect(LogLine.value(text) == value)
  }

  @Test("a line has all fields, in this order")
  func line() {
    var meter = ProgressMeter(job: "j", store: "N.sqlite")
    _ = meter.observe(progress(.create, rows: 0), at: 10)
    var said = progress(.create, rows: 400)
    said.associations = 350
    _ = meter.observe(said, at: 12)
    #expect(
      LogLine.format(meter.fields(peakMemory: 24_200_000))
        == "event=progress step=1/2 from=Notas to=\"Notas 2\" pass=1/2 name=inferred stage=create mapping=Nota "
        + "chunk=1/4 passRows=400/500 rows=400/1000 associations=350 rowsPerSecond=200 passEtaSeconds=1 peakMiB=23.1"
    )
  }

  @Test("while external files are delivered, the line has the numbers of files")
  func files() {
    var meter = ProgressMeter(job: "j", store: "N.sqlite")
    var said = progress(.finish, rows: 1000, mapping: "external files")
    (said.filesDone, said.filesTotal) = (1200, 150_000)
    _ = meter.observe(said, at: 10)
    let line = LogLine.format(meter.fields(peakMemory: nil))
    #expect(line.contains(" stage=finish mapping=\"external files\" "))
    #expect(line.contains(" files=1200/150000 "))
  }

  @Test("rows of an earlier run, and rows that a count adds, don't count for the speed")
  func resumedSpeed() {
    var rate = ProgressRate()
    rate.take(progress(.open, rows: 0), at: 0)
    rate.take(progress(.open, rows: 900), at: 1)
    #expect(rate.rowsPerSecond == nil)
    rate.take(progress(.create, rows: 900), at: 2)
    rate.take(progress(.create, rows: 910), at: 3)
    #expect(rate.rowsPerSecond == 10)
    var counted = progress(.create, rows: 5000)
    counted.rowsTotal = 9000
    rate.take(counted, at: 4)
    #expect(rate.rowsPerSecond == nil)
    counted.rowsDone = 5020
    rate.take(counted, at: 5)
    #expect(rate.rowsPerSecond == 20)
  }

  @Test("lines come once a second, at each change of stage, entity mapping and pass, and without events")
  func throttle() {
    var meter = ProgressMeter(job: "j", store: "s")
    let silent = meter.tick(at: 0)
    let events = [
      meter.observe(progress(.create, rows: 0), at: 10),
      meter.observe(progress(.create, rows: 1), at: 10.5),
      meter.observe(progress(.create, rows: 2), at: 11),
      meter.observe(progress(.relate, rows: 3), at: 11.1),
      meter.observe(progress(.relate, rows: 3, mapping: "Otra"), at: 11.2),
      meter.observe(progress(.relate, rows: 3, mapping: "Otra", pass: 2), at: 11.3),
      meter.observe(progress(.relate, rows: 3, mapping: "Otra", pass: 2), at: 13),
    ]
    let ticks = [meter.tick(at: 21), meter.tick(at: 21.3), meter.tick(at: 22)]
    #expect(!silent)
    #expect(events == [true, false, true, true, true, true, false])
    #expect(ticks == [false, true, false])
  }

  @Test("a rate is never divided by zero")
  func rates() {
    var meter = ProgressMeter(job: "j", store: "s")
    #expect(meter.rowsPerSecond == nil)
    _ = meter.observe(progress(.create, rows: 5), at: 1)
    #expect(meter.rowsPerSecond == nil)
    _ = meter.observe(progress(.create, rows: 2000), at: 2)
    #expect(meter.rowsPerSecond == 1995)
    // More rows are done than planned, so nothing remains of this step. The next step counts with the planned rows.
    #expect(meter.passSecondsLeft == nil)
    #expect(meter.secondsLeft == 1000.0 / 1995)
    _ = meter.observe(progress(.create, rows: 1), at: 3)
    #expect(meter.rowsPerSecond == nil)
  }

  @Test("no numbers of a worker crash the daemon")
  func nonsense() {
    let numbers = [Int.min, -1, 0, 1, Int.max]
    for done in numbers {
      for total in numbers {
        var meter = ProgressMeter(job: "j", store: "s")
        var said = progress(.create, rows: 0)
        _ = meter.observe(said, at: 1)
        (said.rowsDone, said.rowsTotal, said.passRowsDone, said.passRowsTotal) = (done, total, done, total)
        (said.step, said.steps, said.chunks) = (total, done, total)
        _ = meter.observe(said, at: 2)
        #expect(meter.passSecondsLeft.map { $0 >= 0 } ?? true)
        #expect(!LogLine.format(meter.fields(peakMemory: nil)).isEmpty)
      }
    }
  }

  @Test("rows of a long chunk are reported together, and their speed includes the time before the report")
  func longChunks() {
    var meter = ProgressMeter(job: "j", store: "s")
    for time in 0..<100 {
      _ = meter.observe(progress(.create, rows: time / 30 * 300), at: Double(time))
      #expect(meter.rowsPerSecond == (time < 30 ? nil : 10), "\(time)")
    }
  }

  @Test("the part done never falls, neither between steps nor before the count nor after the last row")
  func part() {
    var all: [Double] = []
    let events: [(MigrationProgress.Stage, Int, Int)] = [
      (.open, 0, 0), (.open, 0, 10), (.create, 5, 10), (.finish, 10, 10),
    ]
    for step in 1...3 {
      for (stage, done, total) in events {
        var said = progress(stage, rows: done)
        (said.step, said.steps, said.rowsTotal) = (step, 3, total)
        all.append(said.part)
      }
    }
    var last = progress(.finish, rows: 0)
    (last.step, last.steps, last.rowsTotal) = (3, 3, 0)
    all.append(last.part)
    #expect(all == all.sorted() && all.first == 0 && all.last == 1)
  }

  @Test("the time of indexes and checks after the last row doesn't count for the speed")
  func rateStands() {
    var meter = ProgressMeter(job: "j", store: "s")
    _ = meter.observe(progress(.create, rows: 0), at: 0)
    _ = meter.observe(progress(.create, rows: 1000), at: 10)
    _ = meter.observe(progress(.finish, rows: 1000), at: 50)
    #expect(meter.rowsPerSecond == 100)
    // This is the time for the second step.
    #expect(meter.secondsLeft == 10)
  }

  @Test("after two seconds the last step has a remaining time, until no counted rows are left")
  func soundTimes() {
    var meter = ProgressMeter(job: "j", store: "s")
    func observe(_ rows: Int, _ left: [String: Int], at time: Double) -> [Double?] {
      var said = progress(.create, rows: rows)
      (said.step, said.kind, said.rowsLeftByKind, said.passRowsLeftByKind) = (2, "create", left, left)
      _ = meter.observe(said, at: time)
      return [meter.passSecondsLeft, meter.measuredSecondsLeft]
    }
    #expect(observe(0, ["create": 1000], at: 0) == [nil, nil])
    #expect(observe(100, ["create": 900], at: 1) == [nil, nil])
    #expect(observe(200, ["create": 800], at: 2) == [8, 8])
    #expect(observe(300, ["create": 600, "create, pass 2": 100], at: 3) == [nil, nil])
    #expect(observe(1000, [:], at: 10) == [nil, nil], "indexes follow, and 0 would be wrong")
  }

  @Test("the log continues after rotation; a full disk is reported once")
  func rotation() throws {
    let folder = try TemporaryFolder.short()
    let log = ProgressLog(path: folder.path("p.log"))
    log.write([("a", "1")])
    try folder.rename("p.log", to: "p.log.1")
    log.reopen(path: folder.path("p.log"))
    log.write([("a", "2")])
    #expect(try folder.text("p.log.1") == "a=1\n")
    #expect(try folder.text("p.log") == "a=2\n")
    log.reopen(path: "/dev/full")
    log.write([("a", "3")])
    #expect(log.trouble?.contains("No space left") == true)
    log.reopen(path: folder.path("p.log"))
    log.write([("a", "4")])
    #expect(log.trouble == nil)
    log.reopen(path: folder.path("none/p.log"))
    log.write([("a", "5")])
    #expect(log.trouble?.contains("No such file") == true)
    mkfifo(folder.path("fifo"), 0o600)
    log.reopen(path: folder.path("fifo"))
    log.write([("a", "6")])
    #expect(log.trouble != nil)
  }

  @Test("times are in UTC")
  func moments() {
    #expect(Timestamp.text(1_795_183_200.1234) == "2026-11-20T14:00:00.123Z")
    #expect(Timestamp.compact(1_795_183_200) == "20261120T140000")
    #expect(Timestamp.compact(-5) == "19700101T000000")
    #expect(Timestamp.text(1e300).hasPrefix("9999-"))
  }
}
