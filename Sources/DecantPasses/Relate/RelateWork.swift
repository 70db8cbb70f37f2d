internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import PredicateFormat

/// The relate stage of one entity mapping: each of its relationship mappings that has an expression.
///
/// The pairs of a chunk are looked up through the associations and written completely. Former pairs that the expression
/// doesn't give are removed, at both ends.
package struct RelateWork {
  private let plan: PassPlan
  private let mapping: PassPlan.Mapping
  /// The relationships that are written without reading existing pairs.
  private let links: DirectLinks

  package init(_ plan: PassPlan, _ mapping: PassPlan.Mapping, links: DirectLinks = .none) {
    self.links = links
    self.plan = plan
    self.mapping = mapping
  }

  /// The work that can be done when a pass has created its objects.
  package func works() throws(NotSet) -> [Work] {
    let manner = mapping.mapping.uniqueBy == nil ? DestinationLinks.Manner.whole : .shared
    let rows = mapping.mapping.relationshipMappings.filter { !links.names.contains($0.destinationName) }
    return links.copies.map(\.work)
      + (try works(rows) { row, relationship throws(NotSet) in
        // An expression without a value empties the relationship.
        let targets = try self.targets(of: row, relationship).filter { $0.pass <= mapping.pass }
        return try work(row, relationship, targets.map { ($0, true) }, manner: manner)
      })
  }

  /// The work for relationships to objects of later passes.
  ///
  /// It runs after the last pass.
  ///
  /// A later mapping that sets the other end has already decided these pairs. They only get their ordering keys.
  ///
  /// Relationships whose expressions aren't SQL don't wait: they have been set row by row, as far as possible.
  func waiting() -> [Work] {
    var all: [Work] = []
    for row in mapping.mapping.relationshipMappings {
      do throws(NotSet) {
        all += try works([row], waiting)
      } catch {
        continue
      }
    }
    return all
  }

  private func waiting(
    _ row: RelationshipExpression, _ relationship: Relationship
  ) throws(NotSet) -> [Work] {
    let targets = try self.targets(of: row, relationship)
    guard targets.contains(where: { $0.pass > mapping.pass }) else { return [] }
    let inverse = plan.destination.model.inverse(of: relationship)?.relationship.name
    let marked = targets.map { target in
      let isMapped = inverse.map(target.mapping.sets) ?? false
      return (target, target.pass > mapping.pass && !isMapped)
    }
    guard marked.contains(where: \.1) || (relationship.isOrdered && mapping.mapping.uniqueBy == nil) else {
      return []
    }
    return try work(row, relationship, marked, manner: .waiting)
  }

  private func works(
    _ rows: [RelationshipMapping],
    _ body: (RelationshipExpression, Relationship) throws(NotSet) -> [Work]
  ) throws(NotSet) -> [Work] {
    var works: [Work] = []
    for row in rows {
      guard
        let relationship = plan.destination.model.relationship(row.destinationName, of: mapping.destination),
        !relationship.isTransient, let expression = try expression(row)
      else { continue }
      works += try body(expression, relationship)
    }
    return works
  }

  private func expression(_ row: RelationshipMapping) throws(NotSet) -> RelationshipExpression? {
    do throws(NotSQL) {
      return try RelationshipExpression(of: row)
    } catch {
      throw notSet(error, row.destinationName)
    }
  }

  private func notSet(_ error: NotSQL, _ property: String) -> NotSet {
    NotSet(entityMapping: mapping.mapping.name, property: property, reason: error.reason)
  }

  /// The mappings whose objects a relationship can lead to.
  private func targets(
    of expression: RelationshipExpression, _ relationship: Relationship
  ) throws(NotSet) -> [PassPlan.Mapping] {
    do throws(NotSQL) {
      return try plan.targets(of: expression, relationship, from: mapping)
    } catch {
      throw notSet(error, relationship.name)
    }
  }

  private func work(
    _ expression: RelationshipExpression, _ relationship: Relationship,
    _ targets: [(mapping: PassPlan.Mapping, isAdded: Bool)], manner: DestinationLinks.Manner
  ) throws(NotSet) -> [Work] {
    let name = "\(mapping.destination).\(relationship.name)"
    guard
      let links = DestinationLinks(
        relationship, of: mapping.destination, in: plan.destination, manner: manner,
        work: "\(mapping.number) \(relationship.name) \(manner)")
    else {
      throw NotSet(
        entityMapping: mapping.mapping.name, property: relationship.name,
        reason: "the relationship isn't stored")
    }
    var statements = DestinationLinks.tables
    statements.append("INSERT OR IGNORE INTO temp.decant_owners (owner) SELECT \(owner.key) \(owners())")
    for target in targets {
      do throws(NotSQL) {
        statements += try pairs(expression, target.mapping, isAdded: target.isAdded)
      } catch {
        throw notSet(error, relationship.name)
      }
    }
    let writing = links.statements
    let displacing = writing.indices.filter { writing[$0].displaces }.map { $0 + statements.count }
    let mapping = self.mapping.mapping.name
    let title = "\(mapping).\(relationship.name)"
    let finding: @Sendable (Int) -> String = { count in
      "“\(mapping)” replaced pairs of “\(name)” that another entity mapping, the other end or another object had "
        + "set: \(count == 1 ? "once" : "\(count) times")."
    }
    let pass = self.mapping.pass
    var setting = Work(
      title, stage: .relate, extent: .chunks(table: self.mapping.sourceTable.name, key: "Z_PK"),
      statements: statements + writing.map(\.sql),
      counted: Set(displacing), pass: pass, chunkRows: self.mapping.chunkRows, finding: finding)
    setting.writesLists = relationship.isToMany
    func whole(_ statements: [String], finding: (@Sendable (Int) -> String)? = nil) -> Work {
      Work(title, stage: .relate, statements: statements, pass: pass, finding: finding)
    }
    let before = links.claiming ?? (links.hasFormer ? links.savingFormer(mapping: self.mapping.number) : nil)
    var works = [links.indexing, before].compactMap(\.self).map { whole($0) } + [setting]
    if links.hasFormer { works.append(whole(links.takingOut, finding: finding)) }
    if links.indexing != nil { works.append(whole(links.unindexing)) }
    return works
  }

  private var owner: AssociatedKey { AssociatedKey("a", mapping, source: "s.Z_PK", in: plan) }

  /// The mapping's source rows of a chunk that have an object.
  private func owners(_ joins: [String] = [], where condition: String = "") -> String {
    "FROM source.\(quoted(mapping.sourceTable.name)) AS s \(([owner.join] + joins).joined(separator: " ")) "
      + "WHERE s.Z_PK > ?1 AND s.Z_PK <= ?2 AND s.Z_ENT = \(mapping.sourceNumber)\(owner.condition)\(condition)"
  }

  private func pairs(
    _ expression: RelationshipExpression, _ target: PassPlan.Mapping, isAdded: Bool
  ) throws(NotSQL) -> [String] {
    let path = try SourcePath(expression.path, from: mapping.source, in: plan.source)
    let key = AssociatedKey("t", target, source: path.key, in: plan)
    var statements = [statement(path, key.join, key: key.key, where: key.condition, isAdded: isAdded)]
    if target.mapping.policy != nil {
      let root = plan.destination.entityNumbers[target.destinationTable.rootEntity] ?? 0
      statements.append(
        statement(
          path, Associations.pairJoin("t", mapping: target.number, root: root, source: path.key),
          key: "t.destination", isAdded: isAdded))
    }
    return statements
  }

  private func statement(
    _ path: SourcePath, _ join: String, key: String, where condition: String = "", isAdded: Bool
  ) -> String {
    let place = path.place.map { "ifnull(\($0), \(Int.max))" } ?? path.key
    return "INSERT INTO temp.decant_pairs (owner, target, place, source, latest, added) "
      + "SELECT \(owner.key), \(key), \(place), s.Z_PK, s.Z_PK, \(isAdded ? 1 : 0) "
      + "\(owners(path.joins + [join], where: condition)) ORDER BY s.Z_PK, 3 "
      + "ON CONFLICT (owner, target) DO UPDATE SET latest = max(latest, excluded.latest)"
  }
}
