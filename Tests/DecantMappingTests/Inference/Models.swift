import DecantModel
import Testing

@testable import DecantMapping

/// A model of these entities.
func model(_ entities: Entity...) throws -> ManagedObjectModel {
  try ManagedObjectModel(entities: entities)
}

/// An entity with attributes and relationships of its own; `was` is its renaming identifier.
func entity(
  _ name: String, under parent: String? = nil, isAbstract: Bool = false, was: String? = nil,
  _ attributes: [Attribute] = [], _ relationships: [Relationship] = []
) -> Entity {
  Entity(
    name: name, superentityName: parent, isAbstract: isAbstract, renamingIdentifier: was,
    attributes: attributes,
    relationships: relationships)
}

/// An optional attribute.
func optional(_ name: String, _ type: AttributeType = .string, was: String? = nil) -> Attribute {
  Attribute(name: name, type: type, isOptional: true, renamingIdentifier: was)
}

/// A required attribute.
func required(
  _ name: String, _ type: AttributeType = .string, default value: AttributeValue? = nil, was: String? = nil
) -> Attribute {
  Attribute(name: name, type: type, renamingIdentifier: was, defaultValue: value)
}

func transient(_ name: String, _ type: AttributeType = .string, isOptional: Bool = true) -> Attribute {
  Attribute(name: name, type: type, isOptional: isOptional, isTransient: true)
}

func toOne(_ name: String, _ destination: String, inverse: String? = nil, was: String? = nil) -> Relationship {
  Relationship(
    name: name, destinationEntityName: destination, inverseName: inverse, isOptional: true, maximumCount: 1,
    renamingIdentifier: was)
}

func toMany(
  _ name: String, _ destination: String, inverse: String? = nil, isOrdered: Bool = false, was: String? = nil
) -> Relationship {
  Relationship(
    name: name, destinationEntityName: destination, inverseName: inverse, isOptional: true,
    isOrdered: isOrdered,
    maximumCount: 0, renamingIdentifier: was)
}

/// One line for each row of the entity mappings, such as `Note.title ← text`.
func lines(_ mapping: InferredMapping) -> [String] {
  mapping.mappingModel.entityMappings.flatMap { entity -> [String] in
    let name = entity.destinationEntityName ?? "–"
    return entity.attributeMappings.map { row in
      switch row.value {
      case .source(let source): "\(name).\(row.destinationName) ← \(source)"
      case .sourceOrDefault(let source): "\(name).\(row.destinationName) ← \(source) or default"
      case .defaultValue: "\(name).\(row.destinationName) ← default"
      case .derived: "\(name).\(row.destinationName) ← derived"
      case .expression(let expression): "\(name).\(row.destinationName) ← \(expression)"
      case .unset: "\(name).\(row.destinationName) ← nothing"
      }
    } + entity.relationshipMappings.map { "\(name).\($0.destinationName) ⇐ \($0.sourceName ?? "none")" }
  }
}

/// The entity mappings as `name type source → destination`.
func mappings(_ mapping: InferredMapping) -> [String] {
  mapping.mappingModel.entityMappings.map {
    "\($0.name) \($0.type) \($0.sourceEntityName ?? "–") → \($0.destinationEntityName ?? "–")"
  }
}

/// The drops as `Note.title [Note]`, with cause and probable rename.
func drops(_ mapping: InferredMapping) -> [String] {
  mapping.drops.map { drop in
    var line =
      drop.entity + (drop.property.map { ".\($0)" } ?? "") + " [\(drop.entities.joined(separator: " "))]"
    if drop.cause != .gone { line += " \(drop.cause)" }
    if let rename = drop.probableRename { line += " → \(rename)?" }
    return line
  }
}

/// The description of the error if no mapping can be inferred; otherwise nil.
func refusal(
  from source: ManagedObjectModel, to destination: ManagedObjectModel, renames: Renames = .none
) -> String? {
  do {
    _ = try InferredMapping.make(from: source, to: destination, renames: renames)
    return nil
  } catch {
    return error.description
  }
}
