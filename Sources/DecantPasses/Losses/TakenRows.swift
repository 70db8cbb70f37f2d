internal import DecantSQLite

/// The source objects that the entity mappings of a step take, as conditions over rows.
package struct TakenRows {
  let plan: PassPlan
  private let bySource: [String: [PassPlan.Mapping]]

  init(_ plan: PassPlan) {
    self.plan = plan
    bySource = Dictionary(grouping: plan.mappings, by: \.source)
  }

  /// The entity mappings of an entity's own objects.
  func mappings(of entity: String) -> [PassPlan.Mapping] { bySource[entity] ?? [] }

  /// Whether the entity mappings of an entity may leave out some of its objects.
  func isSelective(_ entity: String) -> Bool { mappings(of: entity).allSatisfy(\.mapping.chooses) }

  /// The condition that an entity mapping takes a row.
  ///
  /// - Parameter row: The row's alias.
  /// - Throws: `NotSet` if the filter or `uniqueBy` isn't SQL.
  func isTaken(_ row: String, by mapping: PassPlan.Mapping) throws(NotSet) -> RowCondition {
    guard let filtered = try CreateWork(plan, mapping).filtered() else { return .always }
    let taken = "NOT (\(filtered))"
    guard row != "s" else { return .sql("(\(taken))") }
    return .sql(
      "EXISTS (SELECT 1 FROM source.\(quoted(mapping.sourceTable.name)) AS s WHERE s.Z_PK = \(row).Z_PK AND \(taken))"
    )
  }

  func isTaken(_ row: String, byAnyOf mappings: [PassPlan.Mapping]) throws(NotSet) -> RowCondition {
    var conditions: [RowCondition] = []
    for mapping in mappings { conditions.append(try isTaken(row, by: mapping)) }
    return .any(conditions)
  }
}
