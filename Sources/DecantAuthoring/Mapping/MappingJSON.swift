internal import DecantConsole
internal import DecantMapping
internal import PredicateFormat

extension JSON {
  /// The output of `decant mapping --json`.
  init(_ model: MappingModel, _ findings: [MappingFinding], of reading: MappingModelReading) {
    self = .object([
      "name": .string(model.name), "source": .optional(model.sourceVersion),
      "destination": .optional(model.destinationVersion), "order": model.order.map(JSON.integer) ?? .null,
      "validation": .optional(model.validation?.rawValue),
      "acceptStaleHashes": .boolean(model.acceptsStaleHashes),
      "others": .optional(model.others?.rawValue),
      "entityMappings": .array(model.entityMappings.map(Self.mapping)),
      "findings": .array(
        findings.enumerated().map { place, finding in
          // Each call reads the file again, so only the first 50 findings have a line.
          let found = place < 50 ? reading.place(of: finding) : nil
          return .object([
            "severity": .string(finding.severity.rawValue), "file": .optional(finding.path),
            "line": found.map { .integer($0.line) } ?? .null, "excerpt": .strings(found?.excerpt ?? []),
            "entityMapping": .optional(finding.entityMapping),
            "property": .optional(finding.property), "problem": .string(finding.problem),
            "advice": .string(finding.advice),
          ])
        }),
    ])
  }

  private static func mapping(_ mapping: EntityMapping) -> JSON {
    var attributes: [String: JSON] = [:]
    for row in mapping.attributeMappings { attributes[row.destinationName] = value(row.value) }
    var relationships: [String: JSON] = [:]
    for row in mapping.relationshipMappings { relationships[row.destinationName] = value(row.value) }
    return .object([
      "name": .string(mapping.name), "type": .string("\(mapping.type)"),
      "source": .optional(mapping.sourceEntityName), "destination": .optional(mapping.destinationEntityName),
      "filter": .optional(mapping.filter.map { "\($0)" }),
      "uniqueBy": .optional(mapping.uniqueBy.map { "\($0)" }), "policy": policy(of: mapping),
      "chunks": chunks(mapping.chunks), "userInfo": .object(mapping.userInfo.mapValues(JSON.string)),
      "sourceHash": .optional(mapping.sourceHash?.hexadecimal),
      "destinationHash": .optional(mapping.destinationHash?.hexadecimal),
      "sourceExpression": .optional(mapping.sourceExpression.map { "\($0)" }),
      "attributes": .object(attributes), "relationships": .object(relationships),
    ])
  }

  private static func policy(of mapping: EntityMapping) -> JSON {
    switch mapping.policy {
    case nil: .null
    case .className(let name): .string(name)
    case .program(let words):
      .object([
        "program": .strings(words), "timeLimit": mapping.programTimeLimit.map(JSON.real) ?? .null,
      ])
    }
  }

  private static func chunks(_ chunks: EntityMapping.Chunks) -> JSON {
    switch chunks {
    case .automatic: .null
    case .size(let size): .object(["size": .integer(size)])
    case .predicates(let predicates): .strings(predicates.map { "\($0)" })
    }
  }

  private static func value(_ value: AttributeMapping.Value) -> JSON {
    switch value {
    case .expression(let expression): .string("\(expression)")
    case .source(let name), .sourceOrDefault(let name): .string("\(FormatExpression.source(name))")
    case .defaultValue, .derived, .unset: .null
    }
  }

  private static func value(_ value: RelationshipMapping.Value) -> JSON {
    switch value {
    case .expression(let expression): .string("\(expression)")
    case .source(let name): .string("\(FormatExpression.source(name))")
    case .unset: .null
    }
  }
}
