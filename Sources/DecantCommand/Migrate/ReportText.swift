internal import DecantMigration

/// A migration's report for people.
enum ReportText {
  /// - Parameter output: Where the store is now.
  static func lines(_ report: MigrationReport, output: String, bytes: Int) -> [String] {
    switch report.result {
    case .alreadyCurrent:
      var lines = [
        "\(PlainText.of(report.store)) is at version “\(PlainText.of(report.targetVersion))” of family "
          + "“\(PlainText.of(report.family))” already: copied as it is."
      ]
      lines.append("Written: \(PlainText.of(output)) (\(Quantity.bytes(bytes)))")
      return lines + warnings(report.warnings)
    case .migrated:
      var lines = [
        "\(PlainText.of(report.store)), family “\(PlainText.of(report.family))”: “\(PlainText.of(report.sourceVersion))” "
          + "to “\(PlainText.of(report.targetVersion))” in \(Quantity.duration(report.seconds))."
      ]
      lines.append("Written: \(PlainText.of(output)) (\(Quantity.bytes(bytes)))")
      for (index, step) in report.steps.enumerated() {
        lines += self.lines(step, index + 1, of: report.steps.count)
      }
      return lines + losses(report.losses) + warnings(report.warnings)
    }
  }

  private static func lines(_ step: MigrationReport.Step, _ number: Int, of count: Int) -> [String] {
    var title = "“\(PlainText.of(step.sourceVersion))” to “\(PlainText.of(step.destinationVersion))”"
    if count > 1 { title = "Step \(number) of \(count): " + title }
    if !step.passes.isEmpty { title += ", " + step.passes.map(PlainText.of).joined(separator: ", ") }
    var table = TextTable(rightAligned: [1, 2, 3, 4], indent: 2)
    let hasRest = step.entities.contains { $0.filtered > 0 || $0.refused > 0 }
    table.add(["Entity mapping", "Source", "Migrated"] + (hasRest ? ["Filtered", "Refused"] : []))
    for entity in step.entities {
      table.add(
        [entity.entityMapping, Quantity.count(entity.source), Quantity.count(entity.migrated)]
          + (hasRest ? [Quantity.count(entity.filtered), Quantity.count(entity.refused)] : []))
    }
    var lines = ["", title]
    if step.resumedChunks > 0 {
      lines.append(
        "  \(Quantity.count(step.resumedChunks, "chunk")) of an earlier run, \(Quantity.count(step.chunks)) of this one"
      )
    }
    lines += (step.entities.isEmpty ? [] : table.lines)
    if !step.joinRows.isEmpty {
      var joins = TextTable(rightAligned: [1], indent: 2)
      joins.add(["Join table", "Rows"])
      for name in step.joinRows.keys.sorted(by: Quantity.inNumericOrder) {
        joins.add([name, Quantity.count(step.joinRows[name] ?? 0)])
      }
      lines += joins.lines
    }
    return lines
  }

  /// What goes away, a line each, with the rename that would keep it.
  static func losses(_ losses: [MigrationReport.Loss]) -> [String] {
    guard !losses.isEmpty else { return [] }
    var table = TextTable(rightAligned: [2], indent: 2)
    for loss in losses {
      let name = loss.property.map { "\(loss.entity).\($0)" } ?? loss.entity
      let unit = loss.kind == .entity ? "object" : "value"
      table.add(
        [loss.kind.rawValue, name, Quantity.count(loss.values), loss.values == 1 ? unit : unit + "s"]
          + (loss.probableRename.map { ["probably renamed to “\($0)”"] } ?? []))
    }
    var lines = ["", "Lost, because the new version has no place for it"] + table.lines
    if losses.contains(where: { $0.probableRename != nil && $0.values > 0 }) {
      lines.append(
        "  "
          + TextWrap.wrap(
            "If these are renames, state them in “renames” of the family's family.json5, and migrate again.",
            width: 80,
            indent: 2, first: 2))
    }
    return lines
  }

  static func warnings(_ warnings: [String]) -> [String] {
    guard !warnings.isEmpty else { return [] }
    return ["", "Warnings"]
      + warnings.map { "  " + TextWrap.wrap(PlainText.of($0), width: 80, indent: 2, first: 2) }
  }
}
