internal import DecantConsole

extension ModelDifference {
  func lines(coloured: Bool, width: Int) -> [String] {
    let text = DifferenceText(coloured: coloured, width: width)
    var lines: [String] = []
    for entity in entities {
      if !lines.isEmpty { lines.append("") }
      lines += text.lines(entity)
    }
    guard !others.isEmpty else { return lines }
    if !lines.isEmpty { lines.append("") }
    for other in others {
      lines.append(
        text.line(
          other.kind, .none, indent: 0, other.name.isEmpty ? other.sort : "\(other.sort) \(other.name)",
          text.text(other)))
    }
    return lines
  }

  /// The changes of entities; `othersJSON` has the other changes.
  var json: JSON {
    .array(
      entities.map { entity in
        .object([
          "change": .string(entity.kind.rawValue), "entity": .string(entity.name),
          "formerName": .optional(entity.formerName), "changesHash": .boolean(entity.changesHash),
          "effect": .string(entity.effect.rawValue), "losesObjects": .boolean(entity.losesObjects),
          "condition": .optional(entity.condition?.rawValue),
          "reasons": .strings(entity.reasons), "details": Self.json(entity.details),
          "properties": .array(
            entity.properties.map {
              .object([
                "change": .string($0.kind.rawValue), "kind": .string($0.sort), "property": .string($0.name),
                "formerName": .optional($0.formerName), "effect": .string($0.effect.rawValue),
                "losesValues": .boolean($0.losesValues), "condition": .optional($0.condition?.rawValue),
                "reasons": .strings($0.reasons),
                "details": Self.json($0.details),
              ])
            }),
        ])
      })
  }

  var othersJSON: JSON {
    .array(
      others.map {
        .object([
          "change": .string($0.kind.rawValue), "kind": .string($0.sort), "name": .string($0.name),
          "effect": .string(ChangeEffect.none.rawValue), "details": Self.json($0.details),
        ])
      })
  }

  var refusalsJSON: JSON {
    .array(
      refusals.map { refusal in
        .object([
          "kind": .string(refusal.kind), "message": .string(refusal.change), "advice": .string(refusal.advice),
          "entities": .strings(refusal.entities),
          "properties": .array(
            refusal.properties.map { .object(["entity": .string($0.entity), "property": .string($0.name)]) }),
        ])
      })
  }

  private static func json(_ details: [Detail]) -> JSON {
    .array(
      details.map {
        .object([
          "what": .string($0.what), "from": .optional($0.from), "to": .optional($0.to),
          "effect": .string($0.effect.rawValue),
        ])
      })
  }
}
