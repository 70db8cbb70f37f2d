import DecantMigration
import DecantReport
import Testing

@testable import DecantService

@Suite("The report files of a job as text")
struct JobPapersTests {
  private let record = JobRecord(
    id: "j1", arrival: 1, state: .queued, drop: "d", form: .loose, members: [], store: "N.sqlite", claimedAt: 0)

  private func lines(_ report: MigrationReport) -> [String] {
    String(decoding: JobPapers.text(JobPapers.signed(report, record)), as: UTF8.self).components(
      separatedBy: "\n")
  }

  @Test("outcomes are listed only if not all objects were made; a property without values is no loss")
  func report() {
    let report = MigrationReport(
      result: .migrated, store: "N.sqlite", family: "F", sourceVersion: "A", targetVersion: "B",
      steps: [
        .init(
          sourceVersion: "A", destinationVersion: "B", passes: ["inferred"],
          entities: [
            .init(entityMapping: "XToX", source: 20, made: 20),
            .init(entityMapping: "YToY", source: 1, made: 1),
            .init(
              entityMapping: "ZToZ", source: 9, made: 2, shared: 3, withoutValue: 1, filtered: 1, refused: 2,
              further: 1),
          ], joinRows: ["Z_1TAGS": 1])
      ],
      losses: [
        .init(kind: .attribute, entity: "X", property: "a", values: 1),
        .init(kind: .attribute, entity: "X", property: "b", values: 0),
      ], associations: "N.associations.sqlite", warnings: ["W"], notes: ["N"], decantVersion: "0")
    let lines = lines(report)
    #expect(lines.contains("Associations are in N.associations.sqlite."))
    let page = String(decoding: JobPapers.page(JobPapers.signed(report, record)), as: UTF8.self)
    #expect(page.contains("<dt>job</dt><dd>j1</dd>") && page.contains("N.associations.sqlite"))
    #expect(lines.contains("  XToX: 20 objects made"))
    #expect(lines.contains("  YToY: 1 object made"))
    #expect(
      lines.contains(
        "  ZToZ: 9 objects = 2 made + 3 shared + 1 without value + 1 filtered + 2 refused; 1 further object made"
      ))
    #expect(lines.contains("  Z_1TAGS: 1 link"))
    #expect(lines.contains("  attribute X.a: 1 value"))
    #expect(!lines.contains { $0.contains("X.b") })
    #expect(lines.suffix(11).prefix(5) == ["Warnings:", "  W", "", "Notes:", "  N"])
  }

  @Test("the time is that of the last run, if an earlier run committed chunks", arguments: [0, 4])
  func resumed(chunks: Int) {
    let report = MigrationReport(
      result: .migrated, store: "N.sqlite", family: "F", sourceVersion: "A", targetVersion: "B",
      steps: [.init(sourceVersion: "A", destinationVersion: "B", passes: ["P"], resumedChunks: chunks)],
      seconds: 36,
      decantVersion: "0")
    #expect(lines(report).contains(chunks == 0 ? "Migrated in 36 s." : "Migrated. The last run took 36 s."))
  }

  @Test(
    "objects that policies left out and inserted are shown, and the pass if there are several"
  )
  func policies() {
    func text(_ passes: [String]) -> [String] {
      lines(
        MigrationReport(
          result: .migrated, store: "N.sqlite", family: "F", sourceVersion: "A", targetVersion: "B",
          steps: [
            .init(
              sourceVersion: "A", destinationVersion: "B", passes: passes,
              entities: [
                .init(entityMapping: "XToX", pass: passes.last, source: 5, made: 2, filtered: 1, leftOut: 2)
              ], inserted: ["Y": 1, "Z": 7])
          ], decantVersion: "0"))
    }
    let one = text(["First"])
    #expect(one.contains("  XToX: 5 objects = 2 made + 1 filtered + 2 left out"), "\(one)")
    #expect(one.contains("  inserted by policies: 1 object of Y"))
    #expect(one.contains("  inserted by policies: 7 objects of Z"))
    #expect(text(["First", "Second"]).contains { $0.hasPrefix("  Second, XToX: 5 objects = ") })
  }

  @Test("a refusal without advice has no empty line, and details are below the message")
  func refusal() {
    func text(_ details: [String], _ advice: String) -> [String] {
      let failure = MigrationFailure(
        FailureReason(word: "r"), .refuse, message: "Message.", details: details, advice: advice)
      return String(decoding: JobPapers.text(RefusalReason(record, failure, at: 0)), as: UTF8.self)
        .components(separatedBy: "\n")
    }
    let failure = MigrationFailure(
      FailureReason(word: "r"), .refuse, message: "Line 1, column 3: bad.", excerpt: ["  a b", "    ^"],
      advice: "Do.")
    let reason = RefusalReason(record, failure, at: 0)
    #expect(reason.details == ["  a b", "    ^"])
    #expect(
      String(decoding: JobPapers.text(reason), as: UTF8.self).contains(
        "Line 1, column 3: bad.\n    a b\n      ^\nDo.\n"))
    #expect(text([], "").prefix(5) == ["Refused: N.sqlite", "", "Message.", "", "reason    r"])
    #expect(text(["One", "Two"], "Do.")[2...6] == ["Message.", "  One", "  Two", "Do.", ""])
  }
}
