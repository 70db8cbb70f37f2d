internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import PredicateFormat

/// One relationship mapping of a step, with the SQL of the pairs that it gives.
struct MappedLinks {
  let mapping: PassPlan.Mapping
  /// The destination relationship.
  let relationship: Relationship
  /// Whether the relationship mapping empties the relationship.
  let isEmpty: Bool
  /// The source relationships that lead to the targets.
  let path: [String]
  /// The last source relationship of the path and its entity; `nil` for the source object itself.
  let last: (relationship: Relationship, entity: String)?
  private let source: SourcePath
  private let targets: [PassPlan.Mapping]
  private let rows: TakenRows

  /// `nil` for a relationship mapping that sets nothing, or that isn't a path.
  init?(_ row: RelationshipMapping, of mapping: PassPlan.Mapping, _ rows: TakenRows) {
    let plan = rows.plan
    guard mapping.mapping.policy == nil,
      let relationship = plan.destination.model.relationship(row.destinationName, of: mapping.destination),
      !relationship.isTransient, let expression = try? RelationshipExpression(of: row),
      let source = try? SourcePath(expression.path, from: mapping.source, in: plan.source)
    else { return nil }
    self.mapping = mapping
    self.relationship = relationship
    self.source = source
    self.rows = rows
    isEmpty = expression == .empty
    path = expression.path
    var entity = mapping.source
    var last: (Relationship, String)?
    for name in path {
      guard let step = plan.source.model.relationship(name, of: entity) else { return nil }
      last = (step, entity)
      entity = step.destinationEntityName
    }
    self.last = last
    targets =
      switch expression {
      case .empty: []
      case .mapping(let name, _):
        plan.mappings(named: name, from: source.entity, into: relationship.destinationEntityName)
      case .anyMapping: plan.mappings(from: source.entity, into: relationship.destinationEntityName)
      }
  }

  /// The entity mappings whose filters and `uniqueBy` the pairs have.
  var mappings: [PassPlan.Mapping] { [mapping] + targets }

  /// Whether each owner has at most one target.
  var leadsToOne: Bool {
    guard mapping.mapping.uniqueBy == nil else { return false }
    var entity = mapping.source
    for name in path {
      guard let step = rows.plan.source.model.relationship(name, of: entity), !step.isToMany else {
        return false
      }
      entity = step.destinationEntityName
    }
    return true
  }

  /// Whether each target has at most one owner.
  var comesFromOne: Bool {
    guard targets.allSatisfy({ $0.mapping.uniqueBy == nil }) else { return false }
    let model = rows.plan.source.model
    var entity = mapping.source
    for name in path {
      guard let step = model.relationship(name, of: entity) else { return false }
      let isSingle =
        step.inverseName == nil ? step.isToMany : model.inverse(of: step)?.relationship.isToMany == false
      guard isSingle else { return false }
      entity = step.destinationEntityName
    }
    return true
  }

  /// Whether another relationship mapping gives the same pairs from the other end.
  func mirrors(_ other: MappedLinks) -> Bool {
    guard let last, let back = other.last, path.count == 1, other.path.count == 1 else { return false }
    return last.relationship.inverseName == back.relationship.name
      && back.relationship.inverseName == last.relationship.name
  }

  /// The pairs: the owner's entity mapping and identity, the target's entity mapping and identity.
  ///
  /// An identity is two columns: a number for the space of keys, and the key.
  ///
  /// - Parameter isReversed: Whether owner and target change places.
  /// - Throws: `NotSet` for a filter or `uniqueBy` that isn't SQL.
  func pairs(isReversed: Bool) throws(NotSet) -> [String] {
    var statements: [String] = []
    for target in targets {
      let conditions = RowCondition.all([
        try rows.isTaken("s", by: mapping), try rows.isTaken("t", by: target),
      ])
      let own = try identity("s", of: mapping)
      let other = try identity("t", of: target)
      let columns = isReversed ? other + own : own + other
      let names = ["owner_mapping", "owner_space", "owner", "target_mapping", "target_space", "target"]
      statements.append(
        "SELECT \(zip(columns, names).map { "\($0) AS \($1)" }.joined(separator: ", ")) "
          + "FROM source.\(quoted(mapping.sourceTable.name)) AS s \(source.joins.joined(separator: " ")) "
          + "JOIN source.\(quoted(target.sourceTable.name)) AS t ON t.Z_PK = \(source.key) "
          + "WHERE s.Z_ENT = \(mapping.sourceNumber) AND t.Z_ENT = \(target.sourceNumber) AND \(conditions.text)"
      )
    }
    return statements
  }

  private func identity(_ row: String, of mapping: PassPlan.Mapping) throws(NotSet) -> [String] {
    guard mapping.mapping.uniqueBy != nil else {
      let root = rows.plan.source.entityNumbers[mapping.sourceTable.rootEntity] ?? 0
      return [String(mapping.number), String(-root), "\(row).Z_PK"]
    }
    let value = try CreateWork(rows.plan, mapping).uniqueValue()
    let number = String(mapping.number)
    guard row != "s" else { return [number, number, value] }
    return [
      number, number,
      "(SELECT \(value) FROM source.\(quoted(mapping.sourceTable.name)) AS s WHERE s.Z_PK = \(row).Z_PK)",
    ]
  }
}
