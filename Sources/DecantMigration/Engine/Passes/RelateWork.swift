internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import PredicateFormat

/// The relate stage of one entity mapping: each relationship mapping of it that has an expression.
///
/// The pairs of a chunk are looked up through the associations and written whole: what a relationship held before and
/// the expression doesn't give is taken out of it, from either end.
struct RelateWork {
  private let plan: PassPlan
  private let mapping: PassPlan.Mapping

  init(_ plan: PassPlan, _ mapping: PassPlan.Mapping) {
    self.plan = plan
    self.mapping = mapping
  }

  /// What can be done when a pass has created its objects.
  func works(upTo pass: Int) throws(NotSet) -> [Work] {
    try works { $0.pass <= pass }
  }

  /// What leads to objects of later passes, to be done when the last one has ended: it adds to what is there.
  func works(after pass: Int) throws(NotSet) -> [Work] {
    try works(adding: true) { $0.pass > pass }
  }

  private func works(
    adding: Bool = false, where isIncluded: (PassPlan.Mapping) -> Bool
  ) throws(NotSet) -> [Work] {
    var works: [Work] = []
    for row in mapping.mapping.relationshipMappings {
      guard let relationship = plan.destination.model.relationship(row.destinationName, of: mapping.destination),
        !relationship.isTransient, let expression = try expression(row)
      else { continue }
      let targets = self.targets(of: expression, relationship).filter(isIncluded)
      // Nothing to add is nothing to do; nothing to set empties the relationship.
      if adding, targets.isEmpty { continue }
      works.append(try work(expression, relationship, targets, adding: adding))
    }
    return works
  }

  private func expression(_ row: RelationshipMapping) throws(NotSet) -> RelationshipExpression? {
    switch row.value {
    case .unset: return nil
    case .source(let name): return .anyMapping(path: [name])
    case .expression(let expression):
      do throws(NotSQL) {
        return try RelationshipExpression(expression)
      } catch {
        throw notSet(error, row.destinationName)
      }
    }
  }

  private func notSet(_ error: NotSQL, _ property: String) -> NotSet {
    NotSet(entityMapping: mapping.mapping.name, property: property, reason: error.reason)
  }

  /// The mappings whose objects a relationship can lead to.
  private func targets(
    of expression: RelationshipExpression, _ relationship: Relationship
  ) -> [PassPlan.Mapping] {
    switch expression {
    case .empty: []
    case .mapping(let name, _):
      plan.mappings(named: name).filter {
        plan.destination.model.isKind($0.destination, of: relationship.destinationEntityName)
      }
    case .anyMapping(let path):
      (try? SourcePath(path, from: mapping.source, in: plan.source)).map {
        plan.mappings(from: $0.entity, into: relationship.destinationEntityName)
      } ?? []
    }
  }

  private func work(
    _ expression: RelationshipExpression, _ relationship: Relationship, _ targets: [PassPlan.Mapping],
    adding: Bool
  ) throws(NotSet) -> Work {
    guard
      let links = DestinationLinks(
        relationship, of: mapping.destination, in: plan.destination, isSharedOwner: mapping.mapping.uniqueBy != nil)
    else {
      throw NotSet(
        entityMapping: mapping.mapping.name, property: relationship.name, reason: "the relationship isn't stored")
    }
    var statements = [
      "CREATE TEMP TABLE IF NOT EXISTS decant_owners (owner INTEGER PRIMARY KEY)",
      "CREATE TEMP TABLE IF NOT EXISTS decant_pairs (owner INTEGER, target INTEGER, place, source INTEGER, "
        + "PRIMARY KEY (owner, target)) WITHOUT ROWID",
      "DELETE FROM temp.decant_owners", "DELETE FROM temp.decant_pairs",
      "INSERT OR IGNORE INTO temp.decant_owners (owner) SELECT \(Associations.key(of: "a", for: "s.Z_PK")) \(owners())",
    ]
    do throws(NotSQL) {
      statements += try targets.map { target throws(NotSQL) in try pairs(expression, target) }
    } catch {
      throw notSet(error, relationship.name)
    }
    statements += links.statements(adding: adding)
    return Work(
      "\(mapping.mapping.name).\(relationship.name)", stage: .relate,
      extent: .chunks(table: mapping.sourceTable.name, key: "Z_PK"), statements: statements, pass: mapping.pass)
  }

  /// The mapping's source rows of a chunk with their runs.
  private func owners(_ joins: [String] = []) -> String {
    let all = [Associations.join("a", mapping: mapping.number, source: "s.Z_PK")] + joins
    return "FROM source.\(quoted(mapping.sourceTable.name)) AS s \(all.joined(separator: " ")) "
      + "WHERE s.Z_PK > ?1 AND s.Z_PK <= ?2 AND s.Z_ENT = \(mapping.sourceNumber)"
  }

  private func pairs(
    _ expression: RelationshipExpression, _ target: PassPlan.Mapping
  ) throws(NotSQL) -> String {
    let names: [String] =
      switch expression {
      case .empty: []
      case .mapping(_, let path), .anyMapping(let path): path
      }
    let path = try SourcePath(names, from: mapping.source, in: plan.source)
    let joins = path.joins + [Associations.join("t", mapping: target.number, source: path.key)]
    return "INSERT OR IGNORE INTO temp.decant_pairs (owner, target, place, source) "
      + "SELECT \(Associations.key(of: "a", for: "s.Z_PK")), \(Associations.key(of: "t", for: path.key)), "
      + "\(path.place ?? path.key), s.Z_PK \(owners(joins))"
  }
}
