public import Foundation

/// The report of a migrated store as a page for people, `report.html`.
public enum ReportPage {
  /// The page as UTF-8.
  public static func data(_ report: MigrationReport) -> Data {
    var page = Page(title: "\(report.store): \(report.sourceVersion) to \(report.targetVersion)")
    head(report, &page)
    if !report.warnings.isEmpty {
      page.add("<h2 class=\"warn\">Warnings</h2>")
      page.list(report.warnings)
    }
    losses(report, &page)
    for (index, step) in report.steps.enumerated() { StepSection(report, index).add(step, to: &page) }
    asides(report, &page)
    if !report.notes.isEmpty {
      page.heading("Notes")
      page.list(report.notes)
    }
    files(report, &page)
    return Data(page.text.utf8)
  }

  private static func head(_ report: MigrationReport, _ page: inout Page) {
    page.add("<h1>\(PageText.name(report.store))</h1>")
    switch report.result {
    case .migrated:
      page.add(
        "<p><b class=\"good\">Migrated</b> from “\(PageText.name(report.sourceVersion))” to "
          + "“\(PageText.name(report.targetVersion))” of family \(PageText.name(report.family))</p>")
    case .alreadyCurrent:
      page.add(
        "<p><b class=\"good\">Delivered unchanged</b>: the store has the target version "
          + "“\(PageText.name(report.targetVersion))” of family \(PageText.name(report.family)) already</p>")
    }
    let lost = report.realLosses.filter { !$0.accepted }.lostValues
    var tiles = [(DurationText.of(report.seconds), report.isResumed ? "time of the last run" : "time")]
    if let last = report.steps.last {
      let made = last.entities.sum()
      let objects = last.inserted.values.reduce(made.made &+ made.further) { $0 &+ $1 }
      tiles.append((PageText.number(objects), "objects in the new store"))
    }
    if report.result == .migrated {
      tiles.append(
        (
          "<span class=\"\(lost == 0 ? "good" : "bad")\">\(PageText.number(lost))</span>",
          "lost and not accepted"
        ))
    }
    if let source = report.source, let destination = report.destination {
      tiles.append(("\(PageText.size(source.bytes)) → \(PageText.size(destination.bytes))", "store file"))
    }
    page.tiles(tiles)
    page.facts([
      ("drop", report.drop.map(PageText.name)), ("job", report.job.map(PageText.of)),
      ("claimed", report.claimed.map(PageText.of)), ("begun", report.begun.map(PageText.of)),
      ("ended", report.ended.map(PageText.of)),
      ("kind", report.storeType == "SQLite" ? nil : "\(PageText.of(report.storeType)), converted to SQLite"),
      ("associations", report.associations.map(PageText.name)), ("Decant", PageText.of(report.decantVersion)),
    ])
  }

  private static func losses(_ report: MigrationReport, _ page: inout Page) {
    let losses = report.realLosses
    guard !losses.isEmpty else { return }
    page.heading("What is lost")
    page.table(
      [.init(name: "Entity or property"), .init(name: "Number", isNumber: true), .init(name: "Why")],
      losses.map { loss in
        [
          PageText.name(loss.property.map { "\(loss.entity).\($0)" } ?? loss.entity)
            + (loss.version.map { " <span class=\"quiet\">of “\(PageText.name($0))”</span>" } ?? ""),
          PageText.count(loss.values, loss.kind.unit),
          PageText.of(loss.cause.words)
            + (loss.probableRename.map { "; probably renamed to “\(PageText.name($0))”: state it in “renames”" }
              ?? "")
            + (loss.accepted ? " <span class=\"quiet\">(accepted)</span>" : ""),
        ]
      })
  }

  private static func asides(_ report: MigrationReport, _ page: inout Page) {
    guard let strays = report.strayRows else { return }
    page.heading("Rows of no entity")
    let place =
      strays.store.map { "in \(PageText.name($0)); \(PageText.name(strays.list ?? "")) says why" }
      ?? "still in the store"
    page.add("<p>\(PageText.count(strays.rows, "row")), \(place).</p>")
    page.table(
      [.init(name: "Table"), .init(name: "Rows", isNumber: true)],
      strays.tables.map { [PageText.name($0.table), PageText.number($0.rows)] })
  }

  private static func files(_ report: MigrationReport, _ page: inout Page) {
    guard report.source != nil || report.destination != nil else { return }
    page.heading("Files")
    for (title, files) in [("As it was dropped", report.source), ("As it was delivered", report.destination)] {
      guard let files else { continue }
      page.add("<h3>\(title)</h3>")
      func words(_ bytes: Int, _ sha256: String) -> String {
        "\(PageText.size(bytes)) (\(PageText.number(bytes)) bytes)<br><code>\(PageText.of(sha256))</code>"
      }
      page.facts([
        (report.store, words(files.bytes, files.sha256)),
        (report.store + "-wal", files.wal.map { words($0.bytes, $0.sha256) }),
        (report.store + "-journal", files.journal.map { words($0.bytes, $0.sha256) }),
        (
          "external data",
          files.externalFiles > 0
            ? "\(PageText.count(files.externalFiles, "file")), \(PageText.size(files.externalBytes))" : nil
        ),
      ])
    }
    page.add("<p class=\"quiet\">Digests are SHA-256 of each file.</p>")
  }
}
