internal import DecantExpressions
internal import DecantModel
internal import DecantStore

/// The objects to which a relationship mapping leads: those that some entity mappings made from the source objects at
/// the end of a path.
struct LinkTargets {
  let path: SourcePath
  let mappings: [PassPlan.Mapping]
  /// The table of the relationship's destination entity.
  let table: StoreLayout.Table

  /// - Throws: `NotSQL` for a path with a step that isn't a stored relationship, or for a destination entity without
  ///   a table.
  init(
    _ expression: RelationshipExpression, _ relationship: Relationship, from mapping: PassPlan.Mapping,
    _ plan: PassPlan
  ) throws(NotSQL) {
    let path = try SourcePath(expression.path, from: mapping.source, in: plan.source)
    let fitting = plan.mappings.filter {
      plan.destination.model.isKind($0.destination, of: relationship.destinationEntityName)
    }
    guard let table = plan.destination.table(of: relationship.destinationEntityName) else {
      throw NotSQL("“\(relationship.destinationEntityName)” has no table")
    }
    self.path = path
    self.table = table
    switch expression {
    case .empty: mappings = []
    case .mapping(let name, _):
      // Keys are unique only within a table, so the mapping must take objects of the same source table.
      let root = plan.source.table(of: path.entity)?.rootEntity
      mappings = fitting.filter { $0.mapping.name == name && $0.sourceTable.rootEntity == root }
    case .anyMapping: mappings = fitting.filter { plan.source.model.isKind($0.source, of: path.entity) }
    }
  }
}
