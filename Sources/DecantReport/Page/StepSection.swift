/// One step on the page of a report: its objects, its timeline, and what needs attention.
struct StepSection {
  private let number: String

  init(_ report: MigrationReport, _ index: Int) {
    number = report.steps.count > 1 ? "Step \(index + 1) of \(report.steps.count): " : ""
  }

  func add(_ step: MigrationReport.Step, to page: inout Page) {
    page.heading("\(number)“\(step.sourceVersion)” to “\(step.destinationVersion)”")
    page.facts([
      (
        "mapping",
        PageText.of(step.passes.joined(separator: ", then "))
          + (MigrationPlan.wayWords(step.way).map { ", \(PageText.of($0))" } ?? "")
      ),
      (step.resumedChunks > 0 ? "time of the last run" : "time", DurationText.of(step.seconds) + rate(step)),
      ("chunks", chunks(step)),
    ])
    objects(step, &page)
    timeline(step, &page)
    others(step, &page)
    if let quarantine = step.quarantine { add(quarantine, &page) }
    if !step.findings.isEmpty {
      page.add("<h3 class=\"warn\">To check in mapping models</h3>")
      page.list(step.findings.map(\.description))
    }
  }

  private func rate(_ step: MigrationReport.Step) -> String {
    step.rowsReadPerSecond().map { ", \(PageText.number($0)) rows read per second" } ?? ""
  }

  private func chunks(_ step: MigrationReport.Step) -> String? {
    guard step.chunks + step.resumedChunks > 0 else { return nil }
    guard step.resumedChunks > 0 else { return PageText.number(step.chunks) }
    return
      "\(PageText.number(step.chunks)) in the last run, \(PageText.number(step.resumedChunks)) in runs before it"
  }

  /// Adds the table of objects: source = made + shared + without value + filtered + refused + left out.
  private func objects(_ step: MigrationReport.Step, _ page: inout Page) {
    guard !step.entities.isEmpty else { return }
    let counts: [(name: String, value: (MigrationReport.EntityRows) -> Int)] = [
      ("Shared", { $0.shared }), ("Without value", { $0.withoutValue }), ("Filtered", { $0.filtered }),
      ("Refused", { $0.refused }), ("Left out", { $0.leftOut }), ("Further", { $0.further }),
    ]
    let used = counts.filter { count in step.entities.contains { count.value($0) != 0 } }
    let namesPasses = step.passes.count > 1
    let columns =
      (namesPasses ? [Page.Column(name: "Pass")] : []) + [Page.Column(name: "Entity mapping")]
      + (["Source", "Made"] + used.map(\.name)).map { Page.Column(name: $0, isNumber: true) }
    func numbers(_ rows: MigrationReport.EntityRows) -> [String] {
      ([rows.source, rows.made] + used.map { $0.value(rows) }).map(PageText.number)
    }
    var rows = step.entities.map { rows in
      (namesPasses ? [PageText.name(rows.pass ?? "")] : []) + [PageText.name(rows.entityMapping)]
        + numbers(rows)
    }
    if step.entities.count > 1 {
      rows.append(
        (namesPasses ? [""] : []) + ["<b>all</b>"] + numbers(step.entities.sum()).map { "<b>\($0)</b>" })
    }
    page.add("<h3>Objects</h3>")
    page.table(columns, rows)
    page.add(
      "<p class=\"quiet\">Source = made\(used.filter { $0.name != "Further" }.map { " + \($0.name.lowercased())" }.joined())</p>"
    )
  }

  private func timeline(_ step: MigrationReport.Step, _ page: inout Page) {
    guard let picture = TimelinePicture(step) else { return }
    page.add("<h3>Timeline</h3>")
    if step.passes.count > 1 {
      page.add("<p class=\"quiet\">From top to bottom: \(PageText.of(step.passes.joined(separator: ", ")))</p>")
    }
    page.add(picture.lanes)
    page.add(
      "<div class=\"key\">"
        + picture.stages.map { "<span><i class=\"\($0.rawValue)\"></i>\($0.words)</span>" }.joined() + "</div>")
    if let rates = picture.rates {
      page.add("<h3>Rows read per second</h3>")
      page.add(rates)
    }
    if step.passes.count > 1, step.passSeconds.count == step.passes.count {
      page.table(
        [.init(name: "Pass"), .init(name: "Time", isNumber: true)],
        zip(step.passes, step.passSeconds).map { [PageText.name($0), DurationText.of($1)] })
    }
    if step.resumedChunks > 0 {
      page.add(
        "<p class=\"quiet\">The times and pictures are of the last run only. Runs before it had made the other chunks.</p>"
      )
    }
  }

  private func others(_ step: MigrationReport.Step, _ page: inout Page) {
    if !step.joinRows.isEmpty {
      page.table(
        [.init(name: "Join table"), .init(name: "Pairs", isNumber: true)],
        step.joinRows.sorted { $0.key < $1.key }.map { [PageText.name($0.key), PageText.number($0.value)] })
    }
    if !step.inserted.isEmpty {
      page.table(
        [.init(name: "Inserted by policies"), .init(name: "Objects", isNumber: true)],
        step.inserted.sorted { $0.key < $1.key }.map { [PageText.name($0.key), PageText.number($0.value)] })
    }
  }

  private func add(_ quarantine: MigrationReport.Quarantine, _ page: inout Page) {
    page.add("<h3 class=\"warn\">In quarantine</h3>")
    page.add(
      "<p>\(PageText.count(quarantine.objects, "object")) that break rules of the new version: in "
        + "\(PageText.name(quarantine.store)); \(PageText.name(quarantine.list)) says for each object why.</p>")
    page.table(
      [
        .init(name: "Property"), .init(name: "Rule"), .init(name: "Code", isNumber: true),
        .init(name: "Objects", isNumber: true),
      ],
      quarantine.reasons.map {
        [
          PageText.name("\($0.entity).\($0.property)"), PageText.of($0.words), "\($0.code)",
          PageText.number($0.objects),
        ]
      })
  }
}
