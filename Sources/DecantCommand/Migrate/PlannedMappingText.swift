internal import DecantConsole
internal import DecantMigration
internal import DecantModel
internal import DecantReport

/// The plan's lines about one entity mapping of a mapping model.
struct PlannedMappingText {
  private let mapping: MigrationPlan.EntityMappingPlan
  private let isVerbose: Bool

  init(_ mapping: MigrationPlan.EntityMappingPlan, isVerbose: Bool) {
    self.mapping = mapping
    self.isVerbose = isVerbose
  }

  /// Empty for an inferred mapping.
  var lines: [String] {
    guard let pass = mapping.pass else { return [] }
    let properties = mapping.attributes + mapping.relationships
    let shown = isVerbose ? properties : properties.filter { !$0.isRule }
    guard !facts.isEmpty || !shown.isEmpty else { return [] }
    let title = "\(mapping.name) of \(pass)" + (facts.isEmpty ? "" : ": " + facts.joined(separator: "; "))
    var lines = ["  " + TextWrap.wrap(PlainText.of(title), width: 80, indent: 4, first: 2)]
    let attributes = Set(mapping.attributes.map(\.name))
    func value(_ property: MigrationPlan.PropertyPlan) -> String {
      if let path = property.path {
        return property.mapping.map { "the objects that “\($0)” makes of \(path)" }
          ?? "the objects made of \(path)"
      }
      return property.expression ?? (attributes.contains(property.name) ? "its default" : "empty")
    }
    for property in isVerbose ? shown : Array(shown.prefix(8)) {
      let line = PlainText.of("    \(property.name) = \(value(property))")
      lines.append(isVerbose ? line : TextWrap.shortened(line, to: 80))
    }
    if lines.count - 1 < shown.count {
      lines.append("    and \(shown.count - lines.count + 1) more; --verbose shows all")
    }
    return lines
  }

  private var facts: [String] {
    var facts: [String] = []
    if case .rows(let reason) = mapping.way { facts.append("row by row, because of \(reason)") }
    if let filter = mapping.filter { facts.append("where \(filter)") }
    if let unique = mapping.uniqueBy { facts.append("one object for each value of \(unique)") }
    if let rows = mapping.chunkRows { facts.append("chunks of \(counted(rows, "row"))") }
    if !mapping.chunks.isEmpty {
      facts.append(
        "\(counted(mapping.chunks.count, "chunk")): \(mapping.chunks.joined(separator: " | "))")
    }
    return facts
  }
}
