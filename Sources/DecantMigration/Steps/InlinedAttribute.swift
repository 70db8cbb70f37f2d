internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// An attribute whose values are in external files of the store, and in rows from some step on.
struct InlinedAttribute: Sendable {
  let entity: String
  let attribute: String
  let column: String
  let table: String
  let number: Int

  static func all(on steps: [PlannedStep]) -> [InlinedAttribute] {
    guard let layout = steps.first?.sourceLayout else { return [] }
    let origins = StoreOrigins(steps: steps)
    var found: [InlinedAttribute] = []
    for (index, step) in steps.enumerated() {
      for mapping in step.mappingModels.flatMap(\.entityMappings) {
        // What a policy makes of a value isn't known, so its entity mapping is skipped.
        guard mapping.calledPolicy == nil, let destination = mapping.destinationEntityName,
          let source = mapping.sourceEntityName,
          let entity = origins.entity(source, step: index), let table = layout.table(of: entity),
          let number = layout.entityNumbers[entity]
        else { continue }
        for row in mapping.attributeMappings {
          guard let former = row.value.sourceAttribute,
            step.destination.model.attribute(row.destinationName, of: destination)?
              .allowsExternalBinaryDataStorage == false,
            let name = origins.attribute(former, of: source, step: index),
            layout.model.attribute(name, of: entity)?.allowsExternalBinaryDataStorage == true,
            let column = layout.attributeColumn(name, of: entity),
            !found.contains(where: { $0.entity == entity && $0.attribute == name })
          else { continue }
          found.append(
            InlinedAttribute(entity: entity, attribute: name, column: column, table: table.name, number: number)
          )
        }
      }
      // Mapping models make new objects, so the values of later steps can't be traced back to the store.
      if step.inferred == nil { break }
    }
    return found
  }
}

extension AttributeMapping.Value {
  /// The source attribute whose value the row copies; `nil` for other values.
  fileprivate var sourceAttribute: String? {
    switch self {
    case .source(let name), .sourceOrDefault(let name): name
    case .expression(let expression): expression.sourceKey
    case .defaultValue, .derived, .unset: nil
    }
  }
}
