internal import DecantConsole
internal import DecantMigration
internal import DecantModel
internal import DecantPasses
internal import DecantReport
internal import FileNames

/// A migration's report as text for people.
enum ReportText {
  /// - Parameters:
  ///   - output: The path of the written store.
  ///   - bytes: The size of the file at this path.
  static func lines(_ report: MigrationReport, output: String, bytes: Int) -> [String] {
    func quoted(_ name: String) -> String { "“\(PlainText.of(name))”" }
    let store = PlainText.of(report.store)
    // A version without a name has no quotes.
    let isOwnModel = report.sourceOrigin == "own-model"
    let source = isOwnModel ? PlainText.of(report.sourceVersion) : quoted(report.sourceVersion)
    let time = DurationText.of(report.seconds).replacing(" ", with: "\u{a0}")
    let sentence =
      switch report.result {
      case .alreadyCurrent:
        "\(store) has version \(quoted(report.targetVersion)) of family \(quoted(report.family)) already; copied "
          + "unchanged."
      case .migrated:
        "\(store), family \(quoted(report.family)): \(source) to \(quoted(report.targetVersion)) "
          + (report.isResumed ? "(the last run took \(time))." : "in \(time).")
      }
    var lines = [
      TextWrap.wrap(sentence, width: 80), "Written: \(PrintedName.of(output)) (\(Quantity.bytes(bytes)))",
    ]
    if let associations = report.associations {
      lines.append("Associations: \(PrintedName.of(associations)), beside it")
    }
    if let strays = report.strayRows, let store = strays.store {
      lines.append(
        TextWrap.wrap(
          "\(counted(strays.rows, "row")) that \(strays.rows == 1 ? "belongs to no entity is" : "belong to no entity are") "
            + "in quarantine: \(PrintedName.of(store)); "
            + "\(PrintedName.of(strays.list ?? "")) says why.", width: 80))
    }
    for (index, step) in report.steps.enumerated() {
      lines += self.lines(step, index + 1, of: report.steps.count, source: index == 0 ? source : nil)
    }
    return lines + losses(report.losses) + warnings(report.warnings) + notes(report.notes)
  }

  /// - Parameter source: The text for the source version; with `nil`, its name is shown.
  private static func lines(
    _ step: MigrationReport.Step, _ number: Int, of count: Int, source: String?
  ) -> [String] {
    var title =
      "\(source ?? "“\(PlainText.of(step.sourceVersion))”") to “\(PlainText.of(step.destinationVersion))”"
    if count > 1 { title = "Step \(number) of \(count): " + title }
    if !step.passes.isEmpty { title += ", " + step.passes.map(PlainText.of).joined(separator: ", ") }
    let table = Self.table(step)
    var lines = ["", TextWrap.wrap(title, width: 80, indent: 2)]
    if let way = MigrationPlan.wayWords(step.way) { lines.append("  Written \(way).") }
    lines += times(step)
    if step.resumedChunks > 0 {
      lines.append(
        "  \(counted(step.resumedChunks, "chunk")) of an earlier run, \(grouped(step.chunks)) of this run"
      )
    }
    lines += (step.entities.isEmpty ? [] : table.lines)
    if !step.joinRows.isEmpty {
      var joins = TextTable(rightAligned: [1], indent: 2)
      joins.add(["Join table", "Rows"])
      for name in step.joinRows.keys.sorted(by: Quantity.inNumericOrder) {
        joins.add([name, grouped(step.joinRows[name] ?? 0)])
      }
      lines += joins.lines
    }
    if !step.inserted.isEmpty {
      var inserted = TextTable(rightAligned: [1], indent: 2)
      inserted.add(["Inserted by policies", "Objects"])
      for name in step.inserted.keys.sorted(by: Quantity.inNumericOrder) {
        inserted.add([name, grouped(step.inserted[name] ?? 0)])
      }
      lines += inserted.lines
    }
    if let aside = step.quarantine {
      lines.append(
        TextWrap.wrap(
          "\(counted(aside.objects, "object")) in quarantine: \(PrintedName.of(aside.store)); "
            + "\(PrintedName.of(aside.list)) says why.", width: 80, indent: 2))
    }
    return lines + findings(step.findings)
  }

  /// The lines about the time; empty if no time is a second or more.
  private static func times(_ step: MigrationReport.Step) -> [String] {
    // A worker of another version may state no times of passes. A resumed step doesn't have all of them.
    let known = step.passes.count > 1 && step.passSeconds.count == step.passes.count && step.resumedChunks == 0
    let times: [(name: String?, number: Int?, seconds: Double)] =
      known
      ? zip(step.passes, step.passSeconds).enumerated().map { ($1.0, $0 + 1, $1.1) }
      : [(nil, nil, step.seconds)]
    guard times.contains(where: { $0.seconds >= 1 }) else { return [] }
    return times.map { time in
      let rate = step.rowsReadPerSecond(pass: time.number).map { ", " + Quantity.rowsRead(perSecond: $0) } ?? ""
      return paragraph(
        "Time\(time.name.map { " of “\(PlainText.of($0))”" } ?? ""): \(DurationText.of(time.seconds))\(rate)")
    }
  }

  private static func table(_ step: MigrationReport.Step) -> TextTable {
    let hasPasses = step.passes.count > 1
    let columns: [(title: String, number: (MigrationReport.EntityRows) -> Int)] = [
      ("Shared", \.shared), ("Without value", \.withoutValue), ("Filtered", \.filtered), ("Refused", \.refused),
      ("Left out", \.leftOut), ("Further", \.further),
    ]
    let shown = columns.filter { column in step.entities.contains { column.number($0) > 0 } }
    let first = hasPasses ? 2 : 1
    var table = TextTable(rightAligned: Set(first..<(first + 2 + shown.count)), indent: 2)
    table.add((hasPasses ? ["Pass"] : []) + ["Entity mapping", "Source", "Made"] + shown.map(\.title))
    for entity in step.entities {
      table.add(
        (hasPasses ? [entity.pass ?? ""] : [])
          + [entity.entityMapping, grouped(entity.source), grouped(entity.made)]
          + shown.map { grouped($0.number(entity)) })
    }
    return table
  }

  static func paragraph(_ text: String) -> String {
    "  " + TextWrap.wrap(text, width: 80, indent: 2, first: 2)
  }

  static func findings(_ findings: [PlanFinding]) -> [String] {
    findings.isEmpty
      ? []
      : ["  To check in mapping models"]
        + findings.map { "    " + TextWrap.wrap(PlainText.of($0.description), width: 80, indent: 6, first: 4) }
  }

  static func warnings(_ warnings: [String]) -> [String] {
    section("Warnings", warnings)
  }

  static func notes(_ notes: [String]) -> [String] { section("Notes", notes) }

  private static func section(_ title: String, _ sentences: [String]) -> [String] {
    guard !sentences.isEmpty else { return [] }
    return ["", title]
      + sentences.map { "  " + TextWrap.wrap(PlainText.of($0), width: 80, indent: 4, first: 2) }
  }
}
