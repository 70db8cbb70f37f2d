import Foundation
import Testing

@testable import DecantReport

@Suite("The page of a report") struct ReportPageTests {
  private static func report(_ change: (inout MigrationReport) -> Void = { _ in }) -> MigrationReport {
    var step = MigrationReport.Step(
      sourceVersion: "Notas 2", destinationVersion: "Notas 3", passes: ["One", "Two"],
      entities: [
        .init(
          entityMapping: "NotaToNota", pass: "One", source: 1_234_567, made: 1_234_000, filtered: 500,
          refused: 67),
        .init(entityMapping: "NotaToCategoria", pass: "Two", source: 10, made: 4, shared: 5, withoutValue: 1),
      ],
      joinRows: ["Z_1NOTAS": 9], inserted: ["Etiqueta": 2], seconds: 83, chunks: 12, resumedChunks: 3,
      quarantine: .init(
        store: "N.quarantine.sqlite", list: "N.quarantine.json", objects: 67,
        reasons: [.init(entity: "Nota", property: "texto", code: 1670, words: "too long", objects: 67)]))
    step.passSeconds = [80, 3]
    step.timeline = .init(
      parts: [
        .init(
          pass: 1, stage: .create, entityMapping: "NotaToNota", begin: 0, end: 60, rows: 1_000_000, chunks: 11),
        .init(pass: 2, stage: .relate, entityMapping: "NotaToCategoria", begin: 60, end: 83),
      ],
      points: (0...20).map { .init(seconds: Double($0) * 4, rows: $0 * 50_000) })
    var report = MigrationReport(
      result: .migrated, store: "Notas.sqlite", family: "Notas", sourceVersion: "Notas 2",
      targetVersion: "Notas 3",
      steps: [step],
      losses: [.init(kind: .attribute, entity: "Nota", property: "color", values: 3, probableRename: "tono")],
      warnings: ["Three values are lost. Look at them."], notes: ["A note."], seconds: 84, decantVersion: "0.1")
    report.job = "20261126-1"
    report.source = .init(bytes: 4096, sha256: String(repeating: "a", count: 64))
    report.destination = .init(bytes: 8192, sha256: String(repeating: "b", count: 64))
    change(&report)
    return report
  }

  private static func page(_ report: MigrationReport) -> String {
    String(decoding: ReportPage.data(report), as: UTF8.self)
  }

  /// Whether each element is closed, in the right order.
  private static func isBalanced(_ page: String) -> Bool {
    var open: [Substring] = []
    for match in page.matches(of: #/<(\/?)([a-z0-9]+)[^>]*?(\/?)>/#) {
      let (_, closing, name, ends) = match.output
      if ["meta", "br"].contains(name) || ends == "/" { continue }
      if closing.isEmpty { open.append(name) } else if open.popLast() != name { return false }
    }
    return open.isEmpty
  }

  @Test("the page has the numbers, the losses, the warnings, the digests and the pictures")
  func content() {
    let page = Self.page(Self.report())
    for text in [
      "1&#8239;234&#8239;567", "NotaToCategoria", "Without value", "Z_1NOTAS", "Inserted by policies",
      "too long",
      "Nota.color", "probably renamed to", "Three values are lost. Look at them.", "A note.",
      String(repeating: "b", count: 64), "1 min 23 s", "12 in the last run, 3 in runs before it",
      "time of the last run", "Timeline",
      "Rows read per second", "creating objects", "N.quarantine.json",
    ] { #expect(page.contains(text), "\(text)") }
    #expect(page.matches(of: #/<rect /#).count == 2)
    #expect(page.contains("<polyline"))
    #expect(Self.isBalanced(page))
    #expect(page.contains("<span>lost and not accepted</span>") && page.contains("3 values"), "\(page)")
    let targets = Self.page(
      Self.report { $0.losses = [.init(kind: .relationship, entity: "Nota", property: "tags", values: 2)] })
    #expect(targets.contains("2 targets"), "\(targets)")
    // If one run did everything, no label speaks of a last run.
    let whole = Self.page(Self.report { $0.steps[0].resumedChunks = 0 })
    #expect(!whole.contains("last run") && whole.contains("<span>time</span>"), "\(whole)")
    // The page loads nothing and runs no script.
    #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("<script"))
    #expect(page.contains("default-src 'none'"))
  }

  @Test("no text of a picture is cut off, even with the font size for narrow screens")
  func texts() throws {
    let page = Self.page(Self.report())
    let size = try #require(page.firstMatch(of: #/svg text \{ font-size: (\d+)px/#).flatMap { Double($0.1) })
    var count = 0
    for picture in page.matches(of: #/<svg viewBox="0 0 720 (\d+)".*?<\/svg>/#) {
      let height = try #require(Double(picture.1))
      for text in picture.0.matches(of: #/<text x="[0-9.]+" y="([0-9.]+)"/#) {
        let baseline = try #require(Double(text.1))
        // Letters reach about three quarters of the font size above the baseline, and a fifth below it.
        #expect(baseline >= 0.75 * size && baseline + 0.2 * size <= height, "\(text.0) of \(height)")
        count += 1
      }
    }
    #expect(count == 7)
  }

  @Test("names can't become markup, change the direction of the text, or hide characters")
  func hostileNames() {
    let name = "<script>alert('x')</script>&\"\u{202e}gnp\u{0}\n"
    let page = Self.page(
      Self.report {
        $0.store = name
        $0.warnings = [name]
        $0.family = name
        $0.steps[0].passes = [name, name]
        $0.steps[0].entities[0].entityMapping = name
        $0.steps[0].timeline?.parts[0].entityMapping = name
        $0.steps[0].joinRows = [name: 1]
        $0.losses[0].entity = name
      })
    // U+0D4E and U+0600 join with the sign after them into one character. The sign is escaped nevertheless.
    let joined = Self.page(
      Self.report { $0.store = "\u{d4e}<form action=x>\u{600}<base href=y>\u{600}\"\u{d4e}'" })
    #expect(!joined.contains("<form") && !joined.contains("<base") && Self.isBalanced(joined))
    #expect(joined.contains("\u{d4e}&lt;form action=x&gt;"))
    #expect(!page.contains("<script") && !page.contains("\u{202e}") && !page.contains("\0"))
    #expect(page.contains("&lt;script&gt;"))
    #expect(Self.isBalanced(page))
  }

  @Test("wrong numbers from another process don't break the page")
  func wrongNumbers() {
    for odd in [Double.nan, .infinity, -.infinity, 1e300, -1, 0] {
      let page = Self.page(
        Self.report {
          $0.seconds = odd
          $0.steps[0].seconds = odd
          $0.steps[0].passSeconds = [odd, odd]
          $0.steps[0].timeline?.parts[0].begin = odd
          $0.steps[0].timeline?.parts[0].pass = .max
          $0.steps[0].timeline?.parts[1].end = odd
          $0.steps[0].timeline?.points[3].seconds = odd
          $0.steps[0].timeline?.points[4].rows = .min
          $0.steps[0].entities[0].source = .max
          $0.steps[0].entities[1].source = .max
        })
      #expect(Self.isBalanced(page), "\(odd)")
      #expect(!page.contains("nan") && !page.contains("inf\""), "\(odd)")
    }
  }

  @Test("a store at its target, and a refused store, have short pages")
  func shortPages() {
    let current = Self.page(
      Self.report {
        $0.result = .alreadyCurrent
        $0.steps = []
        $0.losses = []
        $0.warnings = []
      })
    #expect(
      current.contains("Delivered unchanged") && !current.contains("Warnings") && Self.isBalanced(current))
    let refused = String(
      decoding: RefusalPage.data(
        store: "Notas.sqlite", reason: .dataLoss, message: "Values <would> be lost.",
        details: ["Nota.color: 3"],
        advice: "Say what happens to them.", facts: [("job", "J1"), ("family", nil)]), as: UTF8.self)
    for text in [
      "data-loss", "Values &lt;would&gt; be lost.", "Nota.color: 3", "Say what happens to them.", "J1",
    ] {
      #expect(refused.contains(text), "\(text)")
    }
    #expect(!refused.contains("<dt>family</dt>") && Self.isBalanced(refused))
  }
}
