internal import DecantModel
internal import PredicateFormat

extension EntityMappingText {
  func attributes(_ comments: inout [String]) -> [(String, String)] {
    let byRule = Dictionary((rules?.attributes(index) ?? []).map { ($0.destinationName, $0.value) }) {
      first, _ in first
    }
    let rows = Dictionary(mapping.attributeMappings.map { ($0.destinationName, $0.value) }) { first, _ in first
    }
    var entries: [(String, String)] = []
    for name in Set(rows.keys).union(byRule.keys).sorted(by: NameOrder.ignoringCase) {
      let value = rows[name] ?? .unset
      guard rules == nil || value != byRule[name] ?? .unset, !mapping.unusedRows.contains(name),
        !open.undecided.contains(name)
      else {
        continue
      }
      entries.append((name, text(value, name, &comments)))
    }
    return entries
  }

  private func text(_ value: AttributeMapping.Value, _ name: String, _ comments: inout [String]) -> String {
    switch value {
    case .expression(let expression): return text(expression, "attribute “\(name)”", &comments)
    case .source(let key): return JSON5Text.quoted("\(FormatExpression.source(key))")
    case .sourceOrDefault(let key):
      comments.append(
        JSON5Text.comment("attribute “\(name)”: this row writes nil, not the default, where “\(key)” is nil."))
      return JSON5Text.quoted("\(FormatExpression.source(key))")
    case .defaultValue, .derived, .unset: return "null"
    }
  }

  func relationships(_ comments: inout [String]) -> [(String, String)] {
    let byRule = Dictionary((rules?.relationships(index) ?? []).map { ($0.destinationName, $0.value) }) {
      first, _ in
      first
    }
    let rows = Dictionary(mapping.relationshipMappings.map { ($0.destinationName, $0.value) }) { first, _ in
      first
    }
    var entries: [(String, String)] = []
    for name in Set(rows.keys).union(byRule.keys).sorted(by: NameOrder.ignoringCase) {
      let value = rows[name] ?? .unset
      guard rules == nil || value != byRule[name] ?? .unset, !mapping.unusedRows.contains(name),
        !open.undecided.contains(name)
      else {
        continue
      }
      entries.append((name, text(value, name, &comments)))
    }
    return entries
  }

  private func text(_ value: RelationshipMapping.Value, _ name: String, _ comments: inout [String]) -> String {
    switch value {
    case .expression(let expression):
      return short(expression, name) ?? text(expression, "relationship “\(name)”", &comments)
    case .source(let key): return "{ path: \(JSON5Text.quoted("\(FormatExpression.source(key))")) }"
    case .unset: return "null"
    }
  }

  /// `{ path: …, mapping: … }`, if the rules make the same expression of it.
  private func short(_ expression: FormatExpression, _ name: String) -> String? {
    guard let rules, let lookup = DestinationLookup(expression) else { return nil }
    let path = "\(lookup.sources)"
    guard (try? FormatExpression(parsing: path)) == lookup.sources else { return nil }
    let mapping: EntityMappingDraft.MappingName
    let mappingText: String
    switch lookup.kind {
    case .entityMapping(let maker):
      (mapping, mappingText) = (.named(maker), "mapping: \(JSON5Text.quoted(maker))")
    case .sourceRelationship: (mapping, mappingText) = (.any, "mapping: null")
    }
    let pathText = "path: \(JSON5Text.quoted(path))"
    let candidates: [(EntityMappingDraft.RelationshipValue, String)] = [
      (.rule(path: nil, mapping: mapping), mappingText),
      (.rule(path: lookup.sources, mapping: .rule), pathText),
      (.rule(path: lookup.sources, mapping: mapping), "\(pathText), \(mappingText)"),
    ]
    return candidates.first { rules.value(of: $0.0, name, index) == .expression(expression) }.map {
      "{ \($0.1) }"
    }
  }
}
