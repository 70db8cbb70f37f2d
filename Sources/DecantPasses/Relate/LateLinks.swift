internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// The relationship mappings of a policy's entity mapping, as statements over the source rows of a chunk.
///
/// They give the same result as `RowSession.relateByMapping` for each object. This requires that the mapping's objects
/// have none of these relationships yet, and that each object comes from one source object. `conditions` check this.
package struct LateLinks {
  /// A statement that sets the to-one relationships; `nil` if there are none.
  ///
  /// `?1` (exclusive) and `?2` (inclusive) are the bounds of the source keys.
  private let columns: String?
  package let joins: [Join]
  /// Statements that give 0 if the statements of this type can be used.
  package let conditions: [String]
  /// With more runs it would take too long to find out whether a join table has pairs of the mapping's objects.
  private static let fewRuns = 16

  /// The pairs of one relationship in a join table.
  package struct Join {
    /// SQL that inserts the pairs of some owners, with the bounds of the owners' source keys as `?1` and `?2`.
    let statement: String
    /// The copy of all pairs in the order of the join table; `nil` if the source can't be read in that order.
    package let ordered: JoinCopy?
  }

  /// - Parameter leavesOrdered: Whether to leave out the pairs that can be written in order.
  package func statements(leavesOrdered: Bool) -> [String] {
    joins.filter { !leavesOrdered || $0.ordered == nil }.map(\.statement) + [columns].compactMap(\.self)
  }

  /// - Returns: `nil` if a relationship must be set object by object, or if there is no relationship to set.
  package init?(_ plan: PassPlan, _ mapping: PassPlan.Mapping) {
    guard mapping.mapping.uniqueBy == nil, Self.isAlone(mapping.destinationTable, in: plan) else { return nil }
    var columns: [(column: String, value: String)] = []
    var storages: [RelationshipStorage] = []
    var joins: [Join] = []
    for row in mapping.mapping.settingMappings {
      guard let end = LinkEnd(row, of: mapping, plan), Self.isLate(end, in: plan) else { return nil }
      switch end.place.kind {
      case .owners:
        guard let key = end.lookedUpKey else { return nil }
        columns.append((end.place.target, key))
      case .join:
        guard let (join, isNaming) = plan.destination.joinTable(row.destinationName, of: mapping.destination)
        else { return nil }
        storages.append(end.place)
        let keys = (Associations.key(of: "a", for: "s.Z_PK"), end.target.lookingUp(end.path.key))
        let copy = end.copy(in: plan, looksUp: true)
        joins.append(
          Join(
            statement: JoinCopy.inserting(
              into: join, isNaming ? keys.0 : keys.1, isNaming ? keys.1 : keys.0,
              "\(Self.owners(mapping, end.path.joins)) ORDER BY 1, 2"),
            ordered: copy?.isIndexed == true ? copy : nil))
      case .targets: return nil
      }
    }
    var setting: String?
    if !columns.isEmpty {
      let values = columns.enumerated().map { ", \($1.value) AS v\($0)" }.joined()
      let sets = columns.enumerated().map { "\(quoted($1.column)) = x.v\($0)" }.joined(separator: ", ")
      setting =
        "UPDATE main.\(quoted(mapping.destinationTable.name)) SET \(sets) FROM (SELECT "
        + "\(Associations.key(of: "a", for: "s.Z_PK")) AS k\(values) \(Self.owners(mapping))) AS x "
        + "WHERE Z_PK = x.k"
    }
    guard setting != nil || !joins.isEmpty else { return nil }
    self.columns = setting
    self.joins = joins
    var conditions = [
      "SELECT EXISTS (SELECT 1 FROM main.\(Associations.pairs))"
    ]
    if !columns.isEmpty { conditions.append(Self.hasTargets(columns.map(\.column), mapping)) }
    conditions += storages.map { Self.hasPairs($0, mapping) }
    self.conditions = conditions
  }

  /// Whether a table has objects of one entity only.
  ///
  /// Then every object that a policy makes in the table is of the mapped entity.
  private static func isAlone(_ table: StoreLayout.Table, in plan: PassPlan) -> Bool {
    plan.destination.entityNumbers(inFamilyOf: table.rootEntity).count == 1
  }

  private static func isLate(_ end: LinkEnd, in plan: PassPlan) -> Bool {
    // If one entity mapping sets both ends, the relationship mapping that runs later decides, pair by pair.
    let isMappedTwice =
      end.target.number == end.mapping.number
      && end.inverse.map { end.mapping.mapping.sets($0.relationship.name) } == true
    return end.isPlain && !isMappedTwice
      && (end.target.mapping.policy == nil || isAlone(end.target.destinationTable, in: plan))
      && !plan.mappings.contains { isRival($0, of: end.target) }
  }

  /// Whether a policy of another mapping may have made objects in the target's table, from the same source objects.
  private static func isRival(_ other: PassPlan.Mapping, of target: PassPlan.Mapping) -> Bool {
    other.number != target.number && other.mapping.policy != nil
      && other.sourceTable.rootEntity == target.sourceTable.rootEntity
      && other.destinationTable.rootEntity == target.destinationTable.rootEntity
  }

  /// The mapping's source rows of a chunk, with their runs.
  private static func owners(_ mapping: PassPlan.Mapping, _ joins: [String] = []) -> String {
    let all = [Associations.join("a", mapping: mapping.number, source: "s.Z_PK")] + joins
    return "FROM source.\(quoted(mapping.sourceTable.name)) AS s \(all.joined(separator: " ")) "
      // The condition has no entity, because a policy may have associated objects of another entity of the table.
      + "WHERE s.Z_PK > ?1 AND s.Z_PK <= ?2"
  }

  /// SQL: whether an object of the mapping has a target.
  private static func hasTargets(_ columns: [String], _ mapping: PassPlan.Mapping) -> String {
    let taken = columns.map { "d.\(quoted($0)) IS NOT NULL" }.joined(separator: " OR ")
    return "SELECT EXISTS (SELECT 1 FROM main.\(Associations.runs) AS r JOIN "
      + "main.\(quoted(mapping.destinationTable.name)) AS d ON d.Z_PK >= r.destination "
      + "AND d.Z_PK < r.destination + r.length WHERE r.mapping = \(mapping.number) AND (\(taken)))"
  }

  /// SQL: whether a join table has, or may have, pairs of an object of the mapping.
  private static func hasPairs(_ storage: RelationshipStorage, _ mapping: PassPlan.Mapping) -> String {
    let runs = "main.\(Associations.runs) AS r WHERE r.mapping = \(mapping.number)"
    let owner = "j.\(quoted(storage.owner))"
    return "SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM main.\(quoted(storage.table))) THEN 0 "
      + "WHEN (SELECT count(*) FROM (SELECT 1 FROM \(runs) LIMIT \(fewRuns + 1))) > \(fewRuns) THEN 1 "
      + "ELSE EXISTS (SELECT 1 FROM main.\(quoted(storage.table)) AS j WHERE EXISTS (SELECT 1 FROM \(runs) "
      + "AND \(owner) >= r.destination AND \(owner) < r.destination + r.length)) END"
  }
}
