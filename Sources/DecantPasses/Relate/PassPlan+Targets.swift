internal import DecantExpressions
internal import DecantModel

extension PassPlan {
  /// The entity mappings to whose objects a relationship of a mapping's objects can lead.
  ///
  /// - Throws: `NotSQL` for a path with a step that isn't a stored relationship.
  func targets(
    of expression: RelationshipExpression, _ relationship: Relationship, from mapping: Mapping
  ) throws(NotSQL) -> [Mapping] {
    let end = try SourcePath(expression.path, from: mapping.source, in: source).entity
    let fitting = mappings.filter {
      destination.model.isKind($0.destination, of: relationship.destinationEntityName)
    }
    switch expression {
    case .empty: return []
    case .mapping(let name, _):
      // Keys are unique within a family.
      let root = source.table(of: end)?.rootEntity
      return fitting.filter { $0.mapping.name == name && $0.sourceTable.rootEntity == root }
    case .anyMapping: return fitting.filter { source.model.isKind($0.source, of: end) }
    }
  }
}
