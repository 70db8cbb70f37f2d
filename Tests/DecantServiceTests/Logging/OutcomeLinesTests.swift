import DecantMigration
import DecantReport
import Testing

@testable import DecantService

@Suite("The log's lines about a delivered store")
struct OutcomeLinesTests {
  private func report(
    _ losses: [MigrationReport.Loss], entities: [MigrationReport.EntityRows] = [],
    result: MigrationReport.Result = .migrated
  ) -> OutcomeLines {
    OutcomeLines(
      report: MigrationReport(
        result: result, store: "N.sqlite", family: "F", sourceVersion: "A", targetVersion: "B",
        steps: [.init(sourceVersion: "A", destinationVersion: "B", passes: ["P"], entities: entities)],
        losses: losses, decantVersion: "0"))
  }

  private func loss(_ values: Int, accepted: Bool = false) -> MigrationReport.Loss {
    .init(kind: .attribute, entity: "X", property: "a", values: values, accepted: accepted)
  }

  @Test("an entity mapping has a line if not every source object has become an object of its own")
  func counted() {
    let lines = report(
      [],
      entities: [
        .init(entityMapping: "XToX", pass: "P", source: 5, made: 5),
        .init(
          entityMapping: "XToY", pass: "P", source: 9, made: 2, shared: 3, withoutValue: 1, filtered: 1,
          refused: 2),
      ])
    #expect(
      lines.before.filter { $0.event == "counted" }.map { LogLine.format([("event", $0.event)] + $0.fields) }
        == [
          "event=counted step=1/1 name=P entityMapping=XToY source=9 made=2 shared=3 withoutValue=1 filtered=1 refused=2 "
            + "leftOut=0 further=0"
        ])
    #expect(
      LogLine.format(lines.done)
        == "rows=10 source=14 made=7 shared=3 withoutValue=1 filtered=1 refused=2 leftOut=0 further=0 losses=0 "
        + "lostValues=0")
  }

  @Test(
    "a step's numbers in words have each outcome that occurs, and their sum is the number of source objects")
  func account() {
    let all = MigrationReport.EntityRows(
      entityMapping: "XToY", source: 21, made: 2, shared: 3, withoutValue: 1, filtered: 4, refused: 5,
      leftOut: 6)
    #expect(all.words == "5 migrated, 1 without value, 4 filtered, 5 refused, 6 left out")
    #expect(
      MigrationReport.EntityRows(entityMapping: "XToY", source: 1, made: 1).words
        == "1 migrated")
    var step = MigrationReport.Step(
      sourceVersion: "A", destinationVersion: "B", passes: ["P"], entities: [all], seconds: 2)
    step.passSeconds = [2]
    let lines = OutcomeLines(
      report: MigrationReport(
        result: .migrated, store: "N.sqlite", family: "F", sourceVersion: "A", targetVersion: "B",
        steps: [step],
        decantVersion: "0")
    ).before
    let sentences = lines.compactMap(\.words)
    #expect(sentences.count == 2 && sentences.allSatisfy { $0.contains(all.words) }, "\(sentences)")
  }

  @Test("the journal's sentence has the number of losses, and how many of them are accepted")
  func journal() {
    #expect(report([]).words == "" && report([loss(0)]).words == "")
    #expect(report([loss(1)]).words == " with 1 loss (1 value or object)")
    #expect(
      report([loss(1), loss(4, accepted: true)]).words
        == " with 2 losses, 1 of them accepted (5 values and objects)")
    #expect(report([loss(4, accepted: true)]).words == " with 1 loss, all accepted (4 values and objects)")
    #expect(report([loss(1), loss(4, accepted: true)]).hasUnacceptedLosses)
    #expect(!report([loss(4, accepted: true), loss(0)]).hasUnacceptedLosses)
  }

  @Test("the names of the store and the list of stray rows are printed like all names")
  func strays() {
    var stray = report([]).report
    stray.strayRows = .init(
      store: "cafe\u{301}.strays.sqlite", list: "a\u{A0}b.json", rows: 2, tables: [.init(table: "ZX", rows: 2)])
    let line = OutcomeLines(report: stray).before.filter { $0.event == "stray-rows" }.map {
      LogLine.format($0.fields)
    }
    #expect(line == [#"table=ZX rows=2 quarantine="cafe\\xcc\\x81.strays.sqlite""#])
    let text = String(decoding: JobPapers.text(stray), as: UTF8.self)
    #expect(text.contains(#"in cafe\xcc\x81.strays.sqlite; a\xc2\xa0b.json says why"#))
  }

  @Test("for an unchanged store the log has no numbers of objects")
  func current() {
    #expect(LogLine.format(report([], result: .alreadyCurrent).done) == "losses=0 lostValues=0")
  }

  @Test("each pass and each step has a line with its rows, its time, and its use of processor and memory")
  func summaries() {
    var step = MigrationReport.Step(
      sourceVersion: "A", destinationVersion: "B", passes: ["Uno", "Dos"],
      entities: [
        .init(entityMapping: "XToX", pass: "Uno", source: 90, made: 60, filtered: 30),
        .init(entityMapping: "XToY", pass: "Dos", source: 10, made: 5, shared: 1, refused: 4),
        .init(entityMapping: "YToY", pass: "Dos", source: 10, made: 10),
      ], seconds: 2.5)
    step.passSeconds = [1.5, 0.5]
    step.timeline = .init(parts: [
      .init(pass: 1, stage: .create, entityMapping: "XToX", begin: 0, end: 1.5, rows: 90),
      .init(pass: 2, stage: .create, entityMapping: nil, begin: 1.5, end: 1.8, rows: 20),
      .init(pass: 2, stage: .relate, entityMapping: "YToY", begin: 1.8, end: 2, rows: 10),
    ])
    var report = report([]).report
    report.steps = [step]
    let figures: [PassFigures.Place: PassFigures] = [
      .init(step: 1, pass: 1): .init(peakMemory: 1 << 20, diskBytes: 3 << 20),
      .init(step: 1, pass: 2): .init(peakMemory: 2 << 20, diskBytes: 5 << 20),
    ]
    func lines() -> [OutcomeLines.Line] {
      OutcomeLines(report: report, figures: figures).before.filter { $0.event.hasSuffix("-done") }
    }
    #expect(
      lines().map { LogLine.format([("event", $0.event)] + $0.fields) } == [
        "event=pass-done step=1/1 from=A to=B pass=1/2 name=Uno rows=60 source=90 made=60 shared=0 withoutValue=0 "
          + "filtered=30 refused=0 leftOut=0 further=0 seconds=1.5 rowsPerSecond=60 peakMiB=1.0 diskBytes=3145728",
        "event=pass-done step=1/1 from=A to=B pass=2/2 name=Dos rows=16 source=20 made=15 shared=1 withoutValue=0 "
          + "filtered=0 refused=4 leftOut=0 further=0 seconds=0.5 rowsPerSecond=60 peakMiB=2.0 diskBytes=5242880",
        "event=step-done step=1/1 from=A to=B rows=76 source=110 made=75 shared=1 withoutValue=0 "
          + "filtered=30 refused=4 leftOut=0 further=0 seconds=2.5 rowsPerSecond=48 peakMiB=2.0 diskBytes=5242880",
      ])
    #expect(lines().map(\.pass) == ["Uno", "Dos", nil])
    #expect(
      lines().map(\.words) == [
        "step 1/1, pass 1/2 “Uno”: 60 migrated, 30 filtered; 1.5 s, 60 rows read/s, 1.0 MiB of memory, "
          + "3.0 MiB on disk.",
        "step 1/1, pass 2/2 “Dos”: 16 migrated, 4 refused; 0.5 s, 60 rows read/s, 2.0 MiB of memory, "
          + "5.0 MiB on disk.",
        "step 1/1: 76 migrated, 30 filtered, 4 refused; 2.5 s, 48 rows read/s, 2.0 MiB of memory, 5.0 MiB on disk.",
      ])
    // A short step isn't written to the journal, and the speed of a resumed step isn't known.
    (report.steps[0].seconds, report.steps[0].resumedChunks) = (0.5, 3)
    #expect(lines().allSatisfy { $0.words == nil && !$0.fields.contains { $0.0 == "rowsPerSecond" } })
  }
}
