internal import DecantConsole
internal import DecantMigration
internal import DecantModel
internal import DecantReport

/// A migration's plan as text for people.
enum PlanText {
  static func lines(_ plan: MigrationPlan, isVerbose: Bool = false) -> [String] {
    func quoted(_ name: String) -> String { "“\(PlainText.of(name))”" }
    /// The version for a sentence; a store's own model has no name, and so no quotes.
    func version(_ name: String) -> String {
      plan.sourceOrigin == "own-model" && name == plan.sourceVersion ? PlainText.of(name) : quoted(name)
    }
    let others = plan.sourceVersionNames.filter { $0 != plan.sourceVersion }
    var head = TextTable()
    head.add(["Store", "\(plan.store), \(counted(plan.rows, "row"))"])
    head.add(["Family", plan.family])
    head.add(["Version", version(plan.sourceVersion) + alias(others)])
    guard !plan.steps.isEmpty else {
      head.add(["Target", "\(quoted(plan.targetVersion)): the store has it already"])
      return head.lines + ReportText.warnings(plan.warnings) + ReportText.notes(plan.notes)
    }
    head.add(["Target", "\(quoted(plan.targetVersion)) in \(counted(plan.steps.count, "step"))"])
    head.add(["Disk", "about \(Quantity.bytes(plan.diskBytes)) of free space beside the output"])
    var lines = head.lines
    for (index, step) in plan.steps.enumerated() {
      var title = "\(version(step.source)) to \(quoted(step.destination))"
      if plan.steps.count > 1 { title = "Step \(index + 1) of \(plan.steps.count): \(title)" }
      lines += [
        "",
        TextWrap.wrap(
          title + ", " + step.passes.map(PlainText.of).joined(separator: ", "), width: 80, indent: 2),
      ]
      lines += table(step) + step.entityMappings.flatMap { PlannedMappingText($0, isVerbose: isVerbose).lines }
      lines += way(step) + ReportText.findings(step.findings)
    }
    return lines + ReportText.losses(plan.losses) + ReportText.warnings(plan.warnings)
      + ReportText.notes(plan.notes)
  }

  private static func way(_ step: MigrationPlan.Step) -> [String] {
    guard let way = step.wayWords, let reason = step.wayReason else { return [] }
    return [TextWrap.wrap("Written \(way): \(PlainText.of(reason)).", width: 80, indent: 2)]
  }

  private static func table(_ step: MigrationPlan.Step) -> [String] {
    let isOfModels = step.entityMappings.contains { $0.pass != nil }
    let columns: [(title: String, number: (MigrationPlan.EntityMappingPlan) -> Int?)] = [
      ("Filtered", \.filtered), ("Without value", \.withoutValue),
    ]
    let shown = columns.filter { column in step.entityMappings.contains { column.number($0) != nil } }
    let hasPasses = step.passes.count > 1
    let first = hasPasses ? 3 : 2
    var table = TextTable(rightAligned: Set(first...(first + shown.count)), indent: 2)
    table.add(
      (hasPasses ? ["Pass"] : []) + ["Entity mapping", "Type", "Rows"] + shown.map(\.title)
        + (isOfModels ? ["Runs"] : []))
    for mapping in step.entityMappings {
      let way = if case .rows = mapping.way { "row by row" } else { "as a set" }
      table.add(
        (hasPasses ? [mapping.pass ?? ""] : [])
          + [mapping.name, mapping.type, mapping.rows.map { grouped($0) } ?? ""]
          + shown.map { $0.number(mapping).map { grouped($0) } ?? "" }
          + (isOfModels ? [mapping.source == nil || mapping.destination == nil ? "" : way] : []))
    }
    return table.lines
  }

  private static func alias(_ names: [String]) -> String {
    guard !names.isEmpty else { return "" }
    let shown = names.prefix(3).map { "“\(PlainText.of($0))”" }.joined(separator: ", ")
    return " (equal: \(shown)" + (names.count > 3 ? " and \(names.count - 3) more)" : ")")
  }
}
