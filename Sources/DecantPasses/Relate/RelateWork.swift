internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// The relate stage of one entity mapping: its relationships, each in the way that a `LinkPlan` gives it.
package struct RelateWork {
  private typealias Targets = [(mapping: PassPlan.Mapping, isAdded: Bool)]

  private let links: LinkPlan
  private var plan: PassPlan { links.plan }
  private var mapping: PassPlan.Mapping { links.mapping }

  init(_ links: LinkPlan) { self.links = links }

  /// The work that compares all relationships with existing pairs.
  package init(_ plan: PassPlan, _ mapping: PassPlan.Mapping) {
    self.init(LinkPlan(plan, mapping, compares: true))
  }

  /// The work that can be done when a pass has created its objects.
  ///
  /// - Throws: `NotSet` if a relationship is set object by object.
  package func works() throws(NotSet) -> [Work] {
    let manner = mapping.mapping.uniqueBy == nil ? DestinationLinks.Manner.whole : .shared
    var works = links.copies.map(\.work)
    for link in links.links {
      switch link.way {
      case .column, .copy, .otherEnd: continue
      case .objectByObject(let reason): throw reason
      case .pairs(let targets, let storage):
        // An owner can occur in later chunks, and the order of the objects decides which pair stays. So this
        // relationship is set object by object.
        if manner == .shared, !link.relationship.isToMany,
          plan.destination.model.isOwnInverse(link.relationship.name, of: mapping.destination)
        {
          throw NotSet(
            entityMapping: mapping.mapping.name, property: link.relationship.name,
            reason: "it is its own inverse, and “uniqueBy” makes its objects")
        }
        // An expression without a value empties the relationship.
        let now = targets.mappings.filter { $0.pass <= mapping.pass }.map { ($0, true) }
        works += work(link.relationship, storage, targets, now, manner: manner)
      }
    }
    return works
  }

  /// The work for relationships to objects of later passes, after the last pass.
  ///
  /// If a later mapping sets the other end, it has already decided the pairs. Then the pairs only get their ordering
  /// keys.
  ///
  /// Relationships whose expressions aren't SQL don't wait: they have been set row by row, as far as possible.
  package func waiting() -> [Work] {
    links.links.flatMap { link -> [Work] in
      guard case .pairs(let targets, let storage) = link.way,
        targets.mappings.contains(where: { $0.pass > mapping.pass })
      else { return [] }
      let inverse = plan.destination.model.inverse(of: link.relationship)?.relationship.name
      let marked = targets.mappings.map { target in
        (target, target.pass > mapping.pass && inverse.map(target.mapping.sets) != true)
      }
      guard
        marked.contains(where: \.1) || (link.relationship.isOrdered && mapping.mapping.uniqueBy == nil)
      else { return [] }
      return work(link.relationship, storage, targets, marked, manner: .waiting)
    }
  }

  private func work(
    _ relationship: Relationship, _ storage: RelationshipStorage, _ targets: LinkTargets, _ marked: Targets,
    manner: DestinationLinks.Manner
  ) -> [Work] {
    let name = "\(mapping.destination).\(relationship.name)"
    let links = DestinationLinks(
      relationship, storage, of: mapping, to: targets.table, in: plan.destination, manner: manner)
    var statements = DestinationLinks.tables
    statements.append("INSERT OR IGNORE INTO temp.decant_owners (owner) SELECT \(owner.key) \(owners())")
    for target in marked { statements += pairs(targets.path, target.mapping, isAdded: target.isAdded) }
    let writing = links.statements
    let displacing = writing.indices.filter { writing[$0].displaces }.map { $0 + statements.count }
    let mapping = self.mapping.mapping.name
    let title = "\(mapping).\(relationship.name)"
    let finding: @Sendable (Int) -> String = { count in
      "“\(mapping)” replaced pairs of “\(name)” that another entity mapping, the other end or another object had "
        + "set: \(count == 1 ? "once" : counted(count, "time"))."
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
    if links.hasFormer { works.append(whole([links.takingOut], finding: finding)) }
    if links.indexing != nil { works.append(whole(links.unindexing)) }
    return works
  }

  private var owner: AssociatedKey { AssociatedKey("a", mapping, source: "s.Z_PK", in: plan) }

  /// The mapping's source rows of a chunk that have an object.
  private func owners(_ joins: [String] = [], where condition: String = "") -> String {
    "FROM source.\(quoted(mapping.sourceTable.name)) AS s \(([owner.join] + joins).joined(separator: " ")) "
      + "WHERE s.Z_PK > ?1 AND s.Z_PK <= ?2 AND s.Z_ENT = \(mapping.sourceNumber)\(owner.condition)\(condition)"
  }

  private func pairs(_ path: SourcePath, _ target: PassPlan.Mapping, isAdded: Bool) -> [String] {
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
    return "INSERT INTO temp.decant_pairs (owner, target, place, source, added) "
      + "SELECT \(owner.key), \(key), \(place), s.Z_PK, \(isAdded ? 1 : 0) "
      + "\(owners(path.joins + [join], where: condition)) ORDER BY s.Z_PK, 3 "
      + "ON CONFLICT (owner, target) DO NOTHING"
  }
}
