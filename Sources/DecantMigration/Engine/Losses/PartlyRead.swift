internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Values and pairs that some objects lose, because no entity mapping that takes such an object reads the property.
///
/// Properties that nothing reads are no question if every object of their entity is taken: `UnreadProperties` has them.
struct PartlyRead {
  private(set) var found = MappedLosses.Found()
  private let rows: TakenRows
  private let readers: SourceReaders
  /// What `others` loses has a list of its own.
  private let known: [InferredMapping.Drop]

  init(_ rows: TakenRows, _ models: [MappingModel], _ readers: SourceReaders) {
    self.rows = rows
    self.readers = readers
    known = models.flatMap(\.inferredLosses.drops)
    for entity in source.entities where !entity.isAbstract && !rows.mappings(of: entity.name).isEmpty {
      addAttributes(of: entity)
      for relationship in source.relationships(of: entity.name) where !relationship.isTransient {
        add(relationship, of: entity)
      }
    }
  }

  private var source: ManagedObjectModel { rows.plan.source.model }

  private func isKnown(_ property: String, of entity: String) -> Bool {
    known.contains { $0.property == property && $0.entities.contains(entity) }
  }

  // MARK: Attributes

  private mutating func addAttributes(of entity: Entity) {
    let mappings = rows.mappings(of: entity.name)
    var counts: [(item: LossQuestion.Item, sql: String)] = []
    for attribute in source.attributes(of: entity.name)
    where !attribute.isTransient && !attribute.followsFromOthers && !isKnown(attribute.name, of: entity.name) {
      guard let readers = readers.readers(of: attribute.name, entity: entity.name),
        let column = rows.plan.source.attributeColumn(attribute.name, of: entity.name)
      else { continue }
      let item = LossQuestion.Item(
        kind: .attribute, entity: entity.name, property: attribute.name, cause: .unread)
      do throws(NotSet) {
        if case .sql(let lost) = try lost(of: mappings, isReading: { readers[$0.number] != nil }) {
          counts.append((item, "count(CASE WHEN \(lost) THEN s.\(quoted(column)) END)"))
        }
      } catch {
        found.uncounted.append(UncountedLoss(item: item, reason: error.reason))
      }
    }
    guard let first = mappings.first else { return }
    for start in stride(from: 0, to: counts.count, by: Self.mostColumns) {
      let part = counts[start..<min(start + Self.mostColumns, counts.count)]
      found.questions.append(
        LossQuestion(
          items: part.map(\.item),
          statement: "SELECT \(part.map(\.sql).joined(separator: ", ")) FROM source."
            + "\(quoted(first.sourceTable.name)) AS s NOT INDEXED WHERE s.Z_ENT = \(first.sourceNumber)",
          mappings: mappings))
    }
  }

  private static let mostColumns = 50

  /// Whether a row `s` is taken, and not by an entity mapping that reads.
  private func lost(
    of mappings: [PassPlan.Mapping], isReading: (PassPlan.Mapping) -> Bool
  ) throws(NotSet) -> RowCondition {
    let reading = mappings.filter(isReading)
    let others = mappings.filter { !isReading($0) }
    // With a reader that takes every row, nothing depends on the other filters.
    if others.isEmpty || reading.contains(where: { !$0.mapping.chooses }) { return .never }
    return .all([
      try rows.isTaken("s", byAnyOf: others), try rows.isTaken("s", byAnyOf: reading).negated,
    ])
  }

  // MARK: Relationships

  private mutating func add(_ relationship: Relationship, of entity: Entity) {
    guard let storage = RelationshipStorage(of: relationship.name, entity: entity.name, in: rows.plan.source),
      let own = rows.mappings(of: entity.name).first, !isKnown(relationship.name, of: entity.name)
    else { return }
    let item = LossQuestion.Item(
      kind: .relationship, entity: entity.name, property: relationship.name, cause: .unread)
    var losing: [RowCondition] = []
    var mappings = rows.mappings(of: entity.name)
    var targetTable: String?
    for target in source.family(of: relationship.destinationEntityName) {
      let taking = rows.mappings(of: target.name)
      guard let first = taking.first else { continue }
      do throws(NotSet) {
        guard case .sql(let text) = try lost(relationship, of: entity.name, to: target.name) else { continue }
        losing.append(.sql("(t.Z_ENT = \(first.sourceNumber) AND \(text))"))
      } catch {
        found.uncounted.append(UncountedLoss(item: item, reason: error.reason))
        return
      }
      targetTable = first.sourceTable.name
      mappings += taking
    }
    guard let targetTable else { return }
    found.questions.append(
      LossQuestion(
        items: [item],
        statement: "SELECT count(*) FROM source.\(quoted(storage.table)) AS p "
          + "JOIN source.\(quoted(own.sourceTable.name)) AS o ON o.Z_PK = p.\(quoted(storage.owner)) "
          + "JOIN source.\(quoted(targetTable)) AS t ON t.Z_PK = p.\(quoted(storage.target)) "
          + "WHERE o.Z_ENT = \(own.sourceNumber) AND \(RowCondition.any(losing).text)",
        mappings: mappings))
  }

  /// Whether both ends of a pair are taken, and no relationship mapping keeps the pair.
  ///
  /// The owner's row is `o`, the target's `t`. `never` for pairs that `UnreadProperties` has.
  private func lost(
    _ relationship: Relationship, of owner: String, to target: String
  ) throws(NotSet) -> RowCondition {
    guard let forward = readers.readers(of: relationship.name, entity: owner) else { return .never }
    var backward: [Int: SourceReaders.Use] = [:]
    if let inverse = relationship.inverseName {
      guard let found = readers.readers(of: inverse, entity: target) else { return .never }
      backward = found
    }
    if forward.isEmpty, backward.isEmpty, !rows.isSelective(owner), !rows.isSelective(target) { return .never }
    if keepAll(owner, forward, to: target) || keepAll(target, backward, to: owner) { return .never }
    let kept = RowCondition.any([
      try kept("o", owner, forward, to: "t", target), try kept("t", target, backward, to: "o", owner),
    ])
    guard kept != .always else { return .never }
    let lost = RowCondition.all([
      try rows.isTaken("o", byAnyOf: rows.mappings(of: owner)),
      try rows.isTaken("t", byAnyOf: rows.mappings(of: target)), kept.negated,
    ])
    // A pair that no mapping keeps, with ends that are always taken, is lost in every row.
    return lost == .always ? .sql("1") : lost
  }

  /// Whether each entity mapping of one end gives what every entity mapping of the other end makes.
  private func keepAll(_ entity: String, _ uses: [Int: SourceReaders.Use], to other: String) -> Bool {
    rows.mappings(of: entity).allSatisfy { mapping in
      guard let targets = targets(of: mapping, uses, to: other) else { return uses[mapping.number] != nil }
      return rows.mappings(of: other).allSatisfy { target in targets.contains { $0.number == target.number } }
    }
  }

  /// Whether a relationship mapping of one end's entity mappings gives the other end's objects.
  private func kept(
    _ end: String, _ entity: String, _ uses: [Int: SourceReaders.Use], to other: String, _ otherEntity: String
  ) throws(NotSet) -> RowCondition {
    var conditions: [RowCondition] = []
    for mapping in rows.mappings(of: entity) where uses[mapping.number] != nil {
      var parts = [try rows.isTaken(end, by: mapping)]
      if let targets = targets(of: mapping, uses, to: otherEntity) {
        parts.append(try rows.isTaken(other, byAnyOf: targets))
      }
      conditions.append(.all(parts))
    }
    return .any(conditions)
  }

  /// The entity mappings whose objects the relationship mappings of an entity mapping give.
  ///
  /// `nil` if an expression reads the relationship in another way, or if nothing reads it.
  private func targets(
    of mapping: PassPlan.Mapping, _ uses: [Int: SourceReaders.Use], to other: String
  ) -> [PassPlan.Mapping]? {
    guard case .links(let links)? = uses[mapping.number] else { return nil }
    return links.flatMap { link -> [PassPlan.Mapping] in
      guard
        let relationship = rows.plan.destination.model.relationship(link.relationship, of: mapping.destination),
        !relationship.isTransient
      else { return [] }
      return rows.targets(link.mapping, from: other, into: relationship.destinationEntityName)
    }
  }
}
