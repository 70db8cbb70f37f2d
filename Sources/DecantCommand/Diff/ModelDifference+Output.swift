extension ModelDifference {
  /// The changes as text, an entity a paragraph.
  func lines(coloured: Bool, width: Int) -> [String] {
    var lines: [String] = []
    for entity in entities {
      if !lines.isEmpty { lines.append("") }
      lines.append(
        mark(entity.kind, coloured) + "entity " + name(entity.name, entity.formerName)
          + (entity.kind == .changed && !entity.changesHash ? " (same version hash)" : ""))
      lines += entity.details.map { "    " + wrapped(text($0), width) }
      for property in entity.properties {
        let title =
          mark(property.kind, coloured) + "\(property.sort) " + name(property.name, property.formerName)
        switch property.kind {
        case .added:
          lines.append("  " + wrapped("\(title): \(introduction(of: property))", width))
        case .removed: lines.append("  " + title)
        case .renamed, .changed:
          let traits = property.details.map { text($0) }.joined(separator: ", ")
          lines.append("  " + wrapped(title + (traits.isEmpty ? "" : ": \(traits)"), width))
        }
      }
    }
    return lines
  }

  /// The changes as JSON.
  var json: JSON {
    .array(
      entities.map { entity in
        .object([
          "change": .string(entity.kind.rawValue), "entity": .string(entity.name),
          "formerName": .optional(entity.formerName), "changesHash": .boolean(entity.changesHash),
          "details": json(entity.details),
          "properties": .array(
            entity.properties.map {
              .object([
                "change": .string($0.kind.rawValue), "kind": .string($0.sort), "property": .string($0.name),
                "formerName": .optional($0.formerName), "details": json($0.details),
              ])
            }),
        ])
      })
  }

  private func json(_ details: [Detail]) -> JSON {
    .array(
      details.map { .object(["what": .string($0.what), "from": .optional($0.from), "to": .optional($0.to)]) })
  }

  private func mark(_ kind: Kind, _ coloured: Bool) -> String {
    let (sign, colour) =
      switch kind {
      case .added: ("+ ", "32")
      case .removed: ("- ", "31")
      case .renamed, .changed: ("~ ", "33")
      }
    return coloured ? "\u{1b}[\(colour)m\(sign)\u{1b}[0m" : sign
  }

  private func name(_ name: String, _ former: String?) -> String {
    PlainText.of(name) + (former.map { " (before: \(PlainText.of($0)))" } ?? "")
  }

  /// A new property in a line: `String, optional` or `to-many Label, inverse notes`.
  private func introduction(of property: Property) -> String {
    let values = Dictionary(property.details.map { ($0.what, $0.to ?? "") }) { first, _ in first }
    let leading = ["type", "cardinality", "destination"]
    let main = leading.compactMap { values[$0] }.joined(separator: " ")
    let rest = property.details.filter { !leading.contains($0.what) }.map {
      ModelTraits.flags.contains($0.what) ? $0.what : "\($0.what) \($0.to ?? "")"
    }
    return PlainText.of(([main] + rest).joined(separator: ", "))
  }

  private func text(_ detail: Detail) -> String {
    let isFlag = ModelTraits.flags.contains(detail.what)
    let text =
      switch (detail.from, detail.to) {
      case (nil, _?) where isFlag: "now \(detail.what)"
      case (_?, nil) where isFlag: "no longer \(detail.what)"
      case (nil, let new?): "now with \(detail.what) \(new)"
      case (let old?, nil): "without \(detail.what) (before: \(old))"
      case (let old, let new): "\(detail.what) \(old ?? "") → \(new ?? "")"
      }
    return PlainText.of(text)
  }

  private func wrapped(_ text: String, _ width: Int) -> String {
    // TextWrap takes leading marks for words; two columns are the indent before them.
    TextWrap.wrap(text, width: width, indent: 6, first: 4)
  }
}
