internal import DecantConsole
internal import DecantMapping
internal import DecantMigration
internal import DecantModel
internal import FileNames

/// The report of `decant check` as text for people.
enum CatalogueText {
  private static let width = 80

  static func lines(_ report: CatalogueReport) -> [String] {
    var lines: [String] = []
    for family in report.families { lines += self.lines(family) + [""] }
    return lines + [counted(report.families.count, "family", "families") + ": " + counts(report.count)]
  }

  private static func lines(_ family: FamilyReport) -> [String] {
    var lines = ["Family \(PlainText.of(family.name)): \(counts(family.count))"]
    if !family.versions.isEmpty { lines += versions(family) }
    let mappingModels = family.pairs.flatMap { pair in pair.mappingModels.map { (pair, $0) } }
    if !mappingModels.isEmpty {
      var table = TextTable(rightAligned: [2], indent: 2)
      table.add(["Mapping model", "Versions", "Entity mappings", "Runs"])
      for (pair, model) in mappingModels {
        table.add([
          name(model), "\(pair.source) → \(pair.destination)", grouped(model.entityMappings.count),
          runs(model),
        ])
      }
      // Long names of versions leave no room for columns.
      lines +=
        isNarrow(table.lines)
        ? table.lines : mappingModels.flatMap { paragraph($0.1, $0.0) }
    }
    lines += policies(family)
    for finding in family.findings {
      let place =
        finding.file.map { path in
          path == family.path
            ? ""
            : (path.hasPrefix(family.path + "/") ? String(path.dropFirst(family.path.count + 1)) : path)
              + (finding.line.map { ", line \($0)" } ?? "") + ": "
        } ?? ""
      let text = PlainText.of("\(finding.severity.rawValue): \(place)\(finding.message)")
      lines.append("  " + TextWrap.wrap(text, width: width, indent: 4, first: 2))
      lines += finding.excerpt.map { "    " + PlainText.of($0) }
    }
    return lines
  }

  private static func versions(_ family: FamilyReport) -> [String] {
    func table(_ cells: (FamilyReport.Version) -> [String]) -> [String] {
      var table = TextTable(indent: 2)
      table.add(["Version", "Path to the target"])
      for version in family.versions { table.add(cells(version)) }
      return table.lines(width: width)
    }
    // Long names of equal versions fit only into the last column, which is wrapped.
    let tables = [
      table { [$0.name + equal($0), pathToTarget($0)] }, table { [$0.name, pathToTarget($0) + equal($0)] },
    ]
    return tables.first(where: isNarrow)
      ?? family.versions.map { version in
        let text = "Version \(version.name)\(equal(version)): \(pathToTarget(version))"
        return "  " + TextWrap.wrap(PlainText.of(text), width: width, indent: 4, first: 2)
      }
  }

  private static func isNarrow(_ lines: [String]) -> Bool {
    lines.flatMap { $0.split(separator: "\n") }.allSatisfy { DisplayWidth.columns(of: String($0)) <= width }
  }

  /// The paths of the policies' files have lines of their own, because they are too long for a column.
  private static func policies(_ family: FamilyReport) -> [String] {
    guard !family.policies.isEmpty else { return [] }
    var table = TextTable(indent: 2)
    table.add(["Policy", "Kind", "Found in", "Entity mappings"])
    for policy in family.policies {
      table.add([
        policy.name, kind(policy.kind), file(policy) ?? "-", Quantity.list(policy.entityMappings, shown: 3),
      ])
    }
    var lines = table.lines(width: width)
    if !isNarrow(lines) {
      // Long names leave no room for columns.
      lines = family.policies.map { policy in
        let text =
          "Policy \(policy.name): \(kind(policy.kind)), \(file(policy).map { "found in \($0)" } ?? "not found"); "
          + Quantity.list(policy.entityMappings, shown: 3)
        return "  " + TextWrap.wrap(PlainText.of(text), width: width, indent: 4, first: 2)
      }
    }
    var paths: [String] = []
    for path in family.policies.compactMap(\.path) where !paths.contains(path) { paths.append(path) }
    return lines
      + paths.map { "  in " + TextWrap.shortenedStart(PlainText.of($0), to: width - 5) }
  }

  private static func file(_ policy: FamilyReport.Policy) -> String? {
    policy.path.map { PathText.name(of: $0).text }
  }

  private static func paragraph(
    _ model: FamilyReport.MappingModelFacts, _ pair: FamilyReport.Pair
  ) -> [String] {
    let facts = [
      counted(model.entityMappings.count, "entity mapping"), runs(model),
    ].filter { !$0.isEmpty }.joined(separator: ", ")
    let text = "Mapping model \(name(model)): \(pair.source) → \(pair.destination); \(facts)"
    return ["  " + TextWrap.wrap(PlainText.of(text), width: width, indent: 4, first: 2)]
  }

  private static func kind(_ kind: FamilyReport.Policy.Kind) -> String {
    switch kind {
    case .className: "class"
    case .program: "program"
    case .functions: "functions"
    }
  }

  /// The mapping model's name, and the file's name if it differs, because `family.json5` uses the file's name.
  private static func name(_ model: FamilyReport.MappingModelFacts) -> String {
    let file = PathText.name(of: model.path).text
    return MappingModelFile.endings.contains { model.name + $0 == file }
      ? model.name : "\(model.name) (\(file))"
  }

  private static func equal(_ version: FamilyReport.Version) -> String {
    let others = version.names.filter { $0 != version.name }
    return (others.isEmpty ? "" : " (equal: \(Quantity.list(others, shown: 2)))")
  }

  private static func pathToTarget(_ version: FamilyReport.Version) -> String {
    switch version.reach {
    case .isTarget: return "is the target"
    case .unreached: return "none"
    case .newer where version.steps.isEmpty: return "none; it seems to be newer than the target"
    case .newer, .reached:
      let steps = version.steps.map { step in
        "\(step.destination) "
          + (step.mappingModels.isEmpty ? "(inferred)" : "(\(step.mappingModels.joined(separator: ", ")))")
      }
      return steps.joined(separator: ", then ") + (version.reach == .newer ? "; it seems to be newer" : "")
    }
  }

  private static func runs(_ model: FamilyReport.MappingModelFacts) -> String {
    let rows = model.entityMappings.count { if case .rows? = $0.way { true } else { false } }
    let sets = model.entityMappings.count { $0.way == .set }
    let parts = [sets > 0 ? "\(sets) as a set" : nil, rows > 0 ? "\(rows) row by row" : nil].compactMap { $0 }
    return parts.joined(separator: ", ")
  }

  private static func counts(_ count: (FamilyReport.Finding.Severity) -> Int) -> String {
    let parts = FamilyReport.Finding.Severity.allCases.filter { count($0) > 0 }.map {
      counted(count($0), $0.rawValue)
    }
    return parts.isEmpty ? "no problem" : parts.joined(separator: ", ")
  }
}
