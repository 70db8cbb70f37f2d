package import DecantModel
package import DecantStore

/// Small models and their statements.
package enum Layouts {
  package static func statements(
    _ entities: [Entity], framework: Int = 1344, evidence: [String: [String]]? = nil
  ) throws -> [String] {
    try SchemaStatements(layout(entities, framework: framework, evidence: evidence)).all
  }

  package static func layout(
    _ entities: [Entity], framework: Int = 1344, evidence: [String: [String]]? = nil
  ) throws -> StoreLayout {
    try StoreLayout(
      ManagedObjectModel(entities: entities), framework: FrameworkVersion(framework),
      evidence: evidence.map { SchemaEvidence(tables: $0) })
  }

  /// The first statement that begins with `start` and a space; `nil` if there is none.
  package static func statement(_ start: String, _ entities: [Entity], framework: Int = 1344) throws -> String?
  {
    try statements(entities, framework: framework).first { $0.hasPrefix(start + " ") }
  }

  package static func entity(
    _ name: String, below parent: String? = nil, isAbstract: Bool = false,
    _ attributes: [(String, AttributeType)] = [],
    _ relationships: [Relationship] = []
  ) -> Entity {
    Entity(
      name: name, superentityName: parent, isAbstract: isAbstract,
      attributes: attributes.map { Attribute(name: $0.0, type: $0.1, isOptional: true) },
      relationships: relationships)
  }

  package static func toOne(_ name: String, _ destination: String, _ inverse: String? = nil) -> Relationship {
    Relationship(name: name, destinationEntityName: destination, inverseName: inverse, isOptional: true)
  }

  package static func toMany(
    _ name: String, _ destination: String, _ inverse: String? = nil, isOrdered: Bool = false
  ) -> Relationship {
    Relationship(
      name: name, destinationEntityName: destination, inverseName: inverse, isOptional: true,
      isOrdered: isOrdered,
      maximumCount: 0)
  }
}
