internal import DecantMigration

/// A migration's plan for people.
enum PlanText {
  static func lines(_ plan: MigrationPlan) -> [String] {
    func quoted(_ name: String) -> String { "“\(PlainText.of(name))”" }
    /// What has no version's name stands without quotes.
    func version(_ name: String) -> String {
      plan.sourceOrigin == "own-model" && name == plan.sourceVersion ? PlainText.of(name) : quoted(name)
    }
    let others = plan.sourceVersionNames.filter { $0 != plan.sourceVersion }
    var head = TextTable()
    head.add(["Store", "\(plan.store), \(Quantity.count(plan.rows, "row"))"])
    head.add(["Family", plan.family])
    head.add(["Version", version(plan.sourceVersion) + alias(others)])
    guard !plan.steps.isEmpty else {
      head.add(["Target", "\(quoted(plan.targetVersion)): reached already, there is nothing to do"])
      return head.lines + ReportText.warnings(plan.warnings) + ReportText.notes(plan.notes)
    }
    head.add(["Target", "\(quoted(plan.targetVersion)) in \(Quantity.count(plan.steps.count, "step"))"])
    head.add(["Disk", "about \(Quantity.bytes(plan.diskBytes)) of free space beside the output"])
    var lines = head.lines
    for (index, step) in plan.steps.enumerated() {
      var title = "\(version(step.source)) to \(quoted(step.destination))"
      if plan.steps.count > 1 { title = "Step \(index + 1) of \(plan.steps.count): \(title)" }
      lines += [
        "",
        TextWrap.wrap(
          title + ", " + step.passes.map(PlainText.of).joined(separator: ", ")
            + ", framework \(step.framework)",
          width: 80, indent: 2),
      ]
      var table = TextTable(rightAligned: [2], indent: 2)
      table.add(["Entity mapping", "Type", "Rows"])
      for mapping in step.entityMappings {
        table.add([mapping.name, mapping.type, mapping.rows.map { Quantity.count($0) } ?? ""])
      }
      lines += table.lines
      lines += step.entityMappings.flatMap(details)
    }
    return lines + ReportText.losses(plan.losses) + ReportText.warnings(plan.warnings)
      + ReportText.notes(plan.notes)
  }

  /// What an entity mapping of a mapping model leaves out or merges.
  private static func details(_ mapping: MigrationPlan.EntityMappingPlan) -> [String] {
    guard let pass = mapping.pass else { return [] }
    let parts = [
      mapping.filter.map { "where \(PlainText.of($0))" },
      mapping.uniqueBy.map { "one object for each value of \(PlainText.of($0))" },
    ].compactMap { $0 }
    guard !parts.isEmpty else { return [] }
    return [
      TextWrap.wrap(
        "\(PlainText.of(mapping.name)) of \(PlainText.of(pass)): " + parts.joined(separator: "; "), width: 80,
        indent: 2)
    ]
  }

  /// Other names of a version, at most three of them.
  private static func alias(_ names: [String]) -> String {
    guard !names.isEmpty else { return "" }
    let shown = names.prefix(3).map { "“\(PlainText.of($0))”" }.joined(separator: ", ")
    return " (equal: \(shown)" + (names.count > 3 ? " and \(names.count - 3) more)" : ")")
  }
}
