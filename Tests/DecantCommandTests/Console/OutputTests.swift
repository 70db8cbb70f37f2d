import DecantModel
import Foundation
import Testing

@testable import DecantCommand
@testable import DecantConsole
@testable import DecantMigration
@testable import DecantPasses
@testable import DecantReport

@Suite("Output")
struct OutputTests {
  @Test("JSON has sorted keys and escapes what JSON forbids")
  func json() {
    let value = JSON.object([
      "b": .array([.integer(1), .null, .boolean(true), .real(0.5)]), "a": .string("q\"\\\n\u{1}é"),
      "B": .object([:]), "c": .array([]),
    ])
    #expect(
      value.lines.joined(separator: "\n") == """
        {
          "B": {},
          "a": "q\\"\\\\\\n\\u0001é",
          "b": [
            1,
            null,
            true,
            0.5
          ],
          "c": []
        }
        """)
  }

  @Test("columns align by their width on a terminal")
  func table() {
    var table = TextTable(rightAligned: [1], indent: 2)
    table.add(["日本", "1", "x"])
    table.add(["a", "1,000"])
    #expect(table.lines == ["  日本      1  x", "  a     1,000"])
  }

  @Test("if a line is too long, the last column is wrapped, whatever its last word is")
  func wrappedTable() {
    var table = TextTable(indent: 1)
    table.add(["日本", "one two three four five six   "])
    table.add(["a", "short"])
    #expect(table.lines(width: 31) == [" 日本  one two three four five\n       six", " a     short"])
    #expect(table.lines(width: 20).first == " 日本  one two three four five six")
  }

  @Test("text with no-break spaces stays on one line")
  func noBreak() {
    #expect(TextWrap.wrap("in 8.6\u{a0}s.", width: 7) == "in\n8.6 s.")
  }

  @Test("control characters in names are shown as escapes")
  func plainText() {
    #expect(PlainText.of("a\u{1b}[31m\nb\u{202e}") == "a\\u{1b}[31m b\\u{202e}")
  }

  @Test func namesOfFilesAreShownAsTheDaemonShowsThem() {
    let report = MigrationReport(
      result: .migrated, store: "N.sqlite", family: "F", sourceVersion: "A", targetVersion: "B",
      associations: "cafe\u{301}.associations.sqlite", decantVersion: "0")
    let lines = ReportText.lines(report, output: "a\\b\u{A0}c.sqlite", bytes: 1)
    #expect(lines.contains { $0.hasPrefix(#"Written: a\\b\xc2\xa0c.sqlite ("#) }, "\(lines)")
    #expect(lines.contains(#"Associations: cafe\xcc\x81.associations.sqlite, beside it"#), "\(lines)")
  }

  @Test(
    "if a pass took a second, the report has the time and the source rows read per second of each pass",
    arguments: [2.0, 0.5])
  func times(first: Double) {
    var step = MigrationReport.Step(
      sourceVersion: "A", destinationVersion: "B", passes: ["One", "Two"],
      entities: [
        .init(entityMapping: "X", source: 3_000, made: 10, filtered: 2_990),
        .init(entityMapping: "Y", source: 500, made: 500),
      ])
    step.entities[0].pass = "One"
    step.entities[1].pass = "Two"
    step.passSeconds = [first, 0.5]
    step.seconds = first + 0.5
    // Rows that a filter of “One” leaves out are read, too. “Two” reads each row in two stages.
    step.timeline = .init(parts: [
      .init(pass: 1, stage: .create, entityMapping: "X", begin: 0, end: first, rows: 3_000),
      .init(pass: 2, stage: .create, entityMapping: "Y", begin: first, end: first + 0.2, rows: 500),
      .init(pass: 2, stage: .relate, entityMapping: "Y", begin: first + 0.2, end: first + 0.5, rows: 500),
    ])
    let report = MigrationReport(
      result: .migrated, store: "N.sqlite", family: "F", sourceVersion: "A", targetVersion: "B", steps: [step],
      decantVersion: "0")
    let lines = ReportText.lines(report, output: "a", bytes: 1).filter { $0.contains("Time") }
    #expect(
      lines
        == (first < 1
          ? [] : ["  Time of “One”: 2.0 s, 1,500 rows read/s", "  Time of “Two”: 0.5 s, 2,000 rows read/s"]))
    step.resumedChunks = 1
    #expect(step.rowsReadPerSecond() == nil, "an earlier run has read a part of the rows")
    step.resumedChunks = 0
    step.timeline = nil
    #expect(step.rowsReadPerSecond() == nil, "nothing is known of the rows")
  }

  @Test("text wraps at spaces and keeps long words whole")
  func wrap() {
    #expect(TextWrap.wrap("one two three", width: 7) == "one two\nthree")
    #expect(
      TextWrap.wrap("one /a/very/long/path two", width: 6, indent: 2) == "one\n  /a/very/long/path\n  two")
  }

  @Test("quantities are readable")
  func quantities() {
    #expect(
      [0, 999, 1000, 1_234_567, -1234].map { grouped($0) } == [
        "0", "999", "1,000", "1,234,567", "-1,234",
      ])
    #expect([1, 1023, 1024, 1_572_864].map(Quantity.bytes) == ["1 byte", "1,023 bytes", "1.0 KiB", "1.5 MiB"])
    #expect(
      [0.04, 12.3, 65, 7500, .infinity].map(DurationText.of) == [
        "less than 0.1 s", "12 s", "1 min 05 s", "2 h 05 min", "unknown",
      ])
    #expect([0, 12.3].map(Quantity.estimate) == ["less than 0.1 s", "about 12 s"])
  }

  @Test("on a terminal, progress is a bar that fits; elsewhere it is at most one line a second")
  func progress() {
    var lines = ProgressDisplay(isTerminal: false, width: 80)
    #expect(
      lines.text(for: progress(done: 0), at: 0)
        == "decant: “Notes” to “Notes 2”, create NoteToNote, 0 of 500 source objects read (0 %)\n")
    #expect(lines.text(for: progress(done: 200), at: 0.7) == nil)
    #expect(
      lines.text(for: progress(done: 400), at: 2)
        == "decant: “Notes” to “Notes 2”, create NoteToNote, 200 of 500 source objects read (40 %), 200 rows read/s, about 3.0 s left\n"
    )
    // A line with the same text is printed only after ten seconds.
    #expect(lines.text(for: progress(done: 400), at: 3.5) == nil)
    #expect(lines.text(for: progress(done: 400), at: 11.9) == nil)
    #expect(lines.text(for: progress(done: 400), at: 12) != nil)
    #expect(lines.text(for: progress(done: 500), at: 13) != nil)
    #expect(lines.end().isEmpty)
    for width in [30, 60, 80, 200] {
      var bar = ProgressDisplay(isTerminal: true, width: width)
      _ = bar.text(for: progress(done: 0), at: 0)
      let text = bar.text(for: progress(done: 400), at: 2) ?? ""
      #expect(
        text.hasPrefix(width < 100 ? "\r\u{1b}[K[####------]  40 %" : "\r\u{1b}[K[########------------]  40 %"))
      #expect(text.count - 4 < max(width, 29))
      #expect(bar.end() == "\r\u{1b}[K")
      #expect(bar.end().isEmpty)
    }
  }

  @Test(
    "the remaining time is shown for the pass and for all passes, but not for later steps",
    arguments: [
      (1, 2, "about 0.5 s left of the pass, about 3.0 s in all"), (3, 2, "about 0.5 s left of the pass"),
      (3, 1, "about 0.5 s left of the step"),
    ])
  func left(steps: Int, passes: Int, times: String) {
    var lines = ProgressDisplay(isTerminal: false, width: 80)
    var shown = progress(done: 0, steps: steps, passTotal: 500)
    shown.passes = passes
    _ = lines.text(for: shown, at: 0)
    shown.rowsDone = 400
    shown.passRowsDone = 400
    let line = lines.text(for: shown, at: 2) ?? ""
    #expect(line.hasSuffix(" 200 rows read/s, \(times)\n"), "\(line)")
  }

  @Test("80 columns hold pass, the end of the entity mapping's name, filter, chunk, and both times")
  func narrow() {
    func bar(_ change: (inout MigrationProgress) -> Void) -> String {
      var bar = ProgressDisplay(isTerminal: true, width: 80)
      var shown = progress(done: 0, passTotal: 500)
      shown.passes = 3
      change(&shown)
      _ = bar.text(for: shown, at: 0)
      shown.rowsDone = 400
      shown.passRowsDone = 400
      shown.chunks = 12
      return String((bar.text(for: shown, at: 2) ?? "").dropFirst(4))
    }
    #expect(
      bar { _ in } == "[####------]  40 %  pass 1/3  create …teToNote 1/12  pass 0.5 s, all 3.0 s left")
    let long = bar { $0.entityMapping = "AVeryLongNameOfAnEntityMappingToItsOwnEnd" }
    #expect(
      long.contains("pass 1/3  create …") && long.contains("OwnEnd 1/12  pass 0.5 s, all 3.0 s left"), "\(long)"
    )
    #expect(long.count < 80)
    var wide = ProgressDisplay(isTerminal: true, width: 120)
    var filtered = progress(done: 0)
    filtered.filter = "mood != nil"
    #expect(wide.text(for: filtered, at: 0)?.contains("create NoteToNote 1/2 where mood != nil") == true)
    let short = bar { $0.filter = "mood != nil" }
    #expect(short.count < 80 && short.contains("ToNote 1/12"), "\(short)")
  }

  @Test("an estimate is shown after two seconds")
  func estimate() {
    var lines = ProgressDisplay(isTerminal: false, width: 80)
    _ = lines.text(for: progress(done: 0), at: 0)
    #expect(
      lines.text(for: progress(done: 400), at: 1)?.hasSuffix(
        "200 of 500 source objects read (40 %), 400 rows read/s\n")
        == true)
    #expect(lines.text(for: progress(done: 600), at: 2)?.contains("about 1.3 s left") == true)
  }

  @Test(
    "if rows of another kind are left, too, the time is “at least” while they are fewer, else it isn't shown"
  )
  func kinds() {
    var lines = ProgressDisplay(isTerminal: false, width: 80)
    func shown(_ done: Int, _ kind: String, _ left: [String: Int], at time: Double) -> String {
      var shown = progress(done: done)
      (shown.kind, shown.rowsLeftByKind, shown.passRowsLeftByKind) = (kind, left, left)
      return lines.text(for: shown, at: time) ?? ""
    }
    let lists = "relate lists"
    _ = shown(0, "create", ["create": 900, lists: 100], at: 0)
    #expect(shown(450, "create", ["create": 450, lists: 100], at: 3).hasSuffix(", at least 3.0 s left\n"))
    // More lists are left than objects. The time for the objects would go down to 0.
    #expect(!shown(840, "create", ["create": 60, lists: 100], at: 5.6).contains("left"))
    // The speed of lists isn't known, and nothing else is left.
    #expect(!shown(900, lists, [lists: 100], at: 8).contains("left"))
    // 10 lists took 8 s. With the earlier speed of 150 rows/s, the time would be less than a second.
    #expect(shown(910, lists, [lists: 90], at: 16).hasSuffix("about 1 min 12 s left\n"))
    // After the last row, indexes and checks still follow.
    #expect(!shown(1000, lists, [:], at: 88).contains("left"))
  }

  @Test("external files are shown with their number, also on a narrow terminal")
  func files() {
    var progress = progress(done: 1000)
    (progress.stage, progress.entityMapping, progress.chunk, progress.chunks) = (
      .finish, "external files", 0, 0
    )
    (progress.filesDone, progress.filesTotal) = (12_000, 150_000)
    var lines = ProgressDisplay(isTerminal: false, width: 0)
    #expect(
      lines.text(for: progress, at: 0)?.contains("finish external files, 12,000 of 150,000 files") == true)
    for width in [60, 80, 120] {
      var display = ProgressDisplay(isTerminal: true, width: width)
      let bar = display.text(for: progress, at: 0) ?? ""
      #expect(bar.contains("finish external files 12000/150000"), "\(bar)")
    }
  }

  private func progress(done: Int, steps: Int = 1, passTotal: Int = 1000) -> MigrationProgress {
    var progress = MigrationProgress(
      step: 1, steps: steps, sourceVersion: "Notes", destinationVersion: "Notes 2", pass: 1, passes: 1,
      passName: "inferred", stage: .create, entityMapping: "NoteToNote", chunk: 1, chunks: 2, rowsDone: done,
      rowsTotal: 1000, passRowsDone: done, passRowsTotal: passTotal)
    (progress.objectsDone, progress.objectsTotal) = (done / 2, 500)
    return progress
  }

  @Test("losses are listed with probable renames; losses without values are in a sentence")
  func losses() {
    let losses: [MigrationReport.Loss] = [
      .init(kind: .entity, entity: "Old", property: nil, values: 1),
      .init(kind: .attribute, entity: "Note", property: "date", values: 12_345, probableRename: "moment"),
      .init(kind: .relationship, entity: "Note", property: "tags", values: 0),
    ]
    #expect(
      ReportText.losses(losses).joined(separator: "\n") == """

        Lost, because the new version has no place for it
          entity     Old             1  object
          attribute  Note.date  12,345  values
              probably renamed to “moment”
          If these are renames, state them in “renames” of the family's family.json5,
          and migrate again.

        Without a place in the new version, but without a value in this store
          Note.tags
        """)
    #expect(ReportText.losses([]).isEmpty)
    let causes: [MigrationReport.Loss] = [
      .init(kind: .relationship, entity: "Note", property: "tags", values: 2, cause: .order),
      .init(kind: .attribute, entity: "Note", property: "photo", values: 1, cause: .missingFile),
      .init(kind: .relationship, entity: "Note", property: "pages", values: 1, cause: .unlinked),
    ]
    #expect(
      ReportText.losses(causes).joined(separator: "\n") == """

        Lost, because their external files are missing
          attribute  Note.photo  1  value

        Only the order is lost, because the relationship isn't ordered now, or uniqueBy makes its objects
          relationship  Note.tags  2  targets

        Left behind, because no relationship that is filled from this relationship connects owner and target
          relationship  Note.pages  1  target
        """)
  }
}
