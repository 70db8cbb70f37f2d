internal import DecantConsole
internal import DecantMapping
internal import DecantModel

/// The text of an inferred mapping for `decant infer`.
struct InferredMappingText {
  let mapping: InferredMapping
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let width: Int

  var lines: [String] {
    let moving = mapping.mappingModel.entityMappings.filter { $0.type != .remove }
    var lines: [String] = []
    for entityMapping in moving {
      if !lines.isEmpty { lines.append("") }
      lines += self.lines(entityMapping)
    }
    if !mapping.drops.isEmpty {
      lines += ["", "Lost, if objects have values"]
      lines += mapping.drops.map { wrapped(sentence($0), indent: 4) }
    }
    let limits =
      mapping.narrowings.map {
        "\($0.sourceEntity).\($0.sourceAttribute): a store with values outside \($0.range.lowerBound) to "
          + "\($0.range.upperBound) is refused"
      }
      + mapping.lostTargets.map {
        "\($0.sourceEntity).\($0.sourceRelationship): no longer leads to "
          + $0.targets.map { "“\($0)”" }.joined(separator: ", ")
      }
      + newConstraints.map {
        "\($0.entity): a store with two objects with equal \($0.constraint.joined(separator: " + ")) is refused"
      }
    if !limits.isEmpty { lines += ["", "Limits"] + limits.map { wrapped($0, indent: 4) } }
    return lines
  }

  /// New uniqueness constraints, which the source's objects may violate.
  private var newConstraints: [(entity: String, constraint: [String])] {
    mapping.mappingModel.entityMappings.flatMap { entityMapping -> [(entity: String, constraint: [String])] in
      guard let old = entityMapping.sourceEntityName.flatMap({ source.entity(named: $0) }),
        let new = entityMapping.destinationEntityName.flatMap({ destination.entity(named: $0) })
      else { return [] }
      return new.uniquenessConstraints.filter { !old.uniquenessConstraints.contains($0) }.map { (new.name, $0) }
    }
  }

  private func lines(_ entityMapping: EntityMapping) -> [String] {
    let name = PlainText.of(entityMapping.name)
    let old = entityMapping.sourceEntityName
    let new = entityMapping.destinationEntityName ?? ""
    let isAbstract = destination.entity(named: new)?.isAbstract == true
    switch entityMapping.type {
    case .add: return ["\(name): new" + (isAbstract ? ", abstract" : "")]
    case .copy: return ["\(name): copied unchanged" + (isAbstract ? " (abstract)" : "")]
    default: break
    }
    var lines = [
      "\(name): “\(PlainText.of(old ?? ""))” to “\(PlainText.of(new))”" + (isAbstract ? " (abstract)" : "")
    ]
    var table = TextTable(indent: 2)
    var same: [String] = []
    for row in entityMapping.attributeMappings {
      switch row.value {
      case .source(let name) where name == row.destinationName: same.append(name)
      case .source(let name): table.add([row.destinationName, "← \(name)"])
      case .sourceOrDefault(let name):
        table.add([row.destinationName, "← \(name), and \(defaultValue(row, new)) if it is nil"])
      case .defaultValue: table.add([row.destinationName, "= \(defaultValue(row, new))"])
      case .derived: table.add([row.destinationName, "= computed again"])
      case .expression(let expression): table.add([row.destinationName, "= \(expression)"])
      case .unset: table.add([row.destinationName, "= \(defaultValue(row, new))"])
      }
    }
    for row in entityMapping.relationshipMappings {
      if row.sourceName == row.destinationName {
        same.append(row.destinationName)
      } else {
        table.add([row.destinationName, row.sourceName.map { "← \($0)" } ?? "= empty"])
      }
    }
    lines += table.lines
    if !same.isEmpty {
      lines.append(wrapped("as before: " + same.map(PlainText.of).joined(separator: ", "), indent: 4))
    }
    return lines
  }

  private func defaultValue(_ row: AttributeMapping, _ entity: String) -> String {
    destination.attribute(row.destinationName, of: entity)?.defaultValue.map(ModelTraits.text) ?? "nil"
  }

  private func sentence(_ drop: InferredMapping.Drop) -> String {
    let name = drop.property.map { "\(drop.entity).\($0)" } ?? drop.entity
    let cause =
      switch drop.cause {
      case .gone: "gone"
      case .becameTransient: "no longer stored"
      case .becameDerived: "computed from now on"
      case .becameAbstract: "abstract from now on"
      case .destinationChanged(let from, let to): "leads to “\(to)” instead of “\(from)”"
      }
    let rename = drop.probableRename.map { ", probably renamed to “\($0)”" } ?? ""
    return "\(drop.kind.rawValue) \(name): \(cause)\(rename)"
  }

  private func wrapped(_ text: String, indent: Int) -> String {
    "  " + TextWrap.wrap(PlainText.of(text), width: width, indent: indent, first: 2)
  }
}

extension JSON {
  /// The output of `decant infer --json`.
  init(_ mapping: InferredMapping) {
    self = .object([
      "entityMappings": .array(mapping.mappingModel.entityMappings.map(JSON.init)),
      "drops": .array(
        mapping.drops.map {
          .object([
            "kind": .string($0.kind.rawValue), "entity": .string($0.entity), "property": .optional($0.property),
            "entities": .strings($0.entities), "cause": .string(Self.word($0.cause)),
            "probableRename": .optional($0.probableRename),
          ])
        }),
      "narrowings": .array(
        mapping.narrowings.map {
          .object([
            "entityMapping": .string($0.entityMapping), "entity": .string($0.sourceEntity),
            "sourceAttribute": .string($0.sourceAttribute),
            "destinationAttribute": .string($0.destinationAttribute),
            "minimum": .integer(Int($0.range.lowerBound)), "maximum": .integer(Int($0.range.upperBound)),
          ])
        }),
      "lostTargets": .array(
        mapping.lostTargets.map {
          .object([
            "entityMapping": .string($0.entityMapping), "entity": .string($0.sourceEntity),
            "sourceRelationship": .string($0.sourceRelationship),
            "destinationRelationship": .string($0.destinationRelationship), "targets": .strings($0.targets),
          ])
        }),
    ])
  }

  private init(_ mapping: EntityMapping) {
    var attributes: [String: JSON] = [:]
    for row in mapping.attributeMappings {
      attributes[row.destinationName] =
        switch row.value {
        case .source(let name): .object(["value": .string("source"), "source": .string(name)])
        case .sourceOrDefault(let name):
          .object(["value": .string("sourceOrDefault"), "source": .string(name)])
        case .defaultValue: .object(["value": .string("default"), "source": .null])
        case .derived: .object(["value": .string("derived"), "source": .null])
        case .expression(let expression):
          .object(["value": .string("expression"), "source": .null, "expression": .string("\(expression)")])
        case .unset: .object(["value": .string("default"), "source": .null])
        }
    }
    var relationships: [String: JSON] = [:]
    for row in mapping.relationshipMappings { relationships[row.destinationName] = .optional(row.sourceName) }
    self = .object([
      "name": .string(mapping.name), "type": .string("\(mapping.type)"),
      "source": .optional(mapping.sourceEntityName), "destination": .optional(mapping.destinationEntityName),
      "attributes": .object(attributes), "relationships": .object(relationships),
    ])
  }

  private static func word(_ cause: InferredMapping.Drop.Cause) -> String {
    switch cause {
    case .gone: "gone"
    case .becameTransient: "becameTransient"
    case .becameDerived: "becameDerived"
    case .becameAbstract: "becameAbstract"
    case .destinationChanged: "destinationChanged"
    }
  }
}
