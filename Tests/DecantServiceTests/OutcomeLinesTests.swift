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

  @Test("an entity mapping has a line where not every source object has become an object of its own")
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
      lines.before.map { LogLine.format([("event", $0.event)] + $0.fields) } == [
        "event=counted step=1/1 name=P entityMapping=XToY source=9 made=2 shared=3 withoutValue=1 filtered=1 refused=2 "
          + "leftOut=0 further=0"
      ])
    #expect(
      LogLine.format(lines.done)
        == "rows=10 source=14 made=7 shared=3 withoutValue=1 filtered=1 refused=2 leftOut=0 further=0 losses=0 "
        + "lostValues=0")
  }

  @Test("the journal's sentence says the sum, and how much of it is accepted")
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

  @Test("the names of the store and list with rows of no entity are printed as all names")
  func strays() {
    var stray = report([]).report
    stray.strayRows = .init(
      store: "cafe\u{301}.strays.sqlite", list: "a\u{A0}b.json", rows: 2, tables: [.init(table: "ZX", rows: 2)])
    let line = OutcomeLines(report: stray).before.map { LogLine.format($0.fields) }
    #expect(line == [#"table=ZX rows=2 quarantine="cafe\\xcc\\x81.strays.sqlite""#])
    let text = String(decoding: JobPapers.text(stray), as: UTF8.self)
    #expect(text.contains(#"in cafe\xcc\x81.strays.sqlite; a\xc2\xa0b.json says why"#))
  }

  @Test("for an unchanged store the log has no numbers of objects")
  func current() {
    #expect(LogLine.format(report([], result: .alreadyCurrent).done) == "losses=0 lostValues=0")
  }
}
