internal import DecantModel
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore

/// Compares the pairs of one relationship as sets, whatever their storage is, and the order of the pairs.
struct PairCheck {
  private let stores: StorePair
  private let property: StoreLayout.Property
  private let origins: PairOrigins

  init(_ stores: StorePair, property: StoreLayout.Property) {
    self.stores = stores
    self.property = property
    origins = PairOrigins(of: property, stores: stores)
  }

  /// The relationships to check: those with a to-one column, those with a column in their targets' table, and the
  /// second relationship of each join table.
  ///
  /// This covers all stored pairs. Both ends of a one-to-one relationship have a column, so both are checked.
  static func properties(of layout: StoreLayout) -> [StoreLayout.Property] {
    let columns = layout.tables.flatMap(\.columns).compactMap { column -> StoreLayout.Property? in
      switch column.role {
      case .toOne(let property), .owner(let property): property
      default: nil
      }
    }
    return columns + layout.joinTables.map(\.second.relationship)
  }

  func run(_ findings: inout Findings) throws(SQLiteError) {
    guard
      let storage = RelationshipStorage(
        of: property.name, entity: property.entity, in: stores.destinationLayout), stores.has(storage),
      stores.judgement?.isJudged(property) != false
    else { return }
    findings.compared.relationships += 1
    // A policy may have made and deleted objects, so only the common rows are compared.
    if stores.judgement?.hasPolicies == true { findings.rowsDiffer = true }
    // A missing table is reported by the schema check.
    let tables = origins.list.flatMap { [$0.owners.destinationTable, $0.targets.destinationTable] }
    guard tables.allSatisfy({ stores.has("Z_PK", in: $0) }) else { return }
    for origin in origins.list {
      try countExpected(origin, &findings)
      try compareLost(origin, storage, &findings)
    }
    try compareSurplus(storage, &findings)
    try countOpen(storage, &findings)
    for origin in origins.list where !origin.isSecond {
      try OrderCheck(stores, property: property, origin: origin, storage: storage).run(&findings)
    }
  }

  /// Counts pairs of the source: those that the destination must have, and those that a migration leaves out.
  private func countExpected(_ origin: PairOrigin, _ findings: inout Findings) throws(SQLiteError) {
    let storage = origin.storage
    let (own, other) = (origin.owners, origin.targets)
    let row = try stores.database.rows(
      "SELECT count(*), ifnull(sum(o.Z_PK IS NULL OR t.Z_PK IS NULL), 0), "
        + "ifnull(sum(o.Z_ENT IN \(own.numbers.list) AND t.Z_ENT IN \(other.numbers.list) "
        + "AND \(areJudged("o.Z_PK", "t.Z_PK"))), 0), "
        + "ifnull(sum(o.Z_ENT NOT IN \(own.numbers.list) AND t.Z_PK IS NOT NULL), 0) "
        + "FROM source.\(quoted(storage.table)) AS s "
        + "LEFT JOIN source.\(quoted(own.table)) AS o ON o.Z_PK = s.\(quoted(storage.owner)) "
        + "LEFT JOIN source.\(quoted(other.table)) AS t ON t.Z_PK = s.\(quoted(storage.target)) "
        + "WHERE s.\(quoted(storage.owner)) IS NOT NULL AND s.\(quoted(storage.target)) IS NOT NULL"
    ).first?.map { Int(clamping: $0.integer ?? 0) }
    guard let row, row.count == 4 else { return }
    findings.compared.pairs += row[2]
    guard stores.judgement == nil else { return }
    findings.expect(.dangling, entity: property.entity, property: property.name, count: row[1])
    // A pair isn't counted here if its owner isn't one of this origin's objects.
    findings.expect(
      .targetGone, entity: property.entity, property: property.name, count: row[0] - row[1] - row[2] - row[3])
  }

  private func note(
    _ kind: Verification.Difference.Kind, _ query: String, _ owner: String, _ target: String,
    _ findings: inout Findings
  ) throws(SQLiteError) {
    let count = try stores.count(query)
    guard count > 0 else { return }
    findings.add(
      kind, entity: property.entity, property: property.name, count: count,
      examples: try stores.examples(owner, target, from: query))
  }

  private var targetEntity: String? {
    stores.lineage.destination.relationship(property.name, of: property.entity)?.destinationEntityName
  }

  private func areJudged(_ owner: String, _ target: String) -> String {
    "\(stores.isJudged(owner, of: property.entity)) AND \(stores.isJudged(target, of: targetEntity ?? ""))"
  }

  /// Counts the pairs that can't be judged, because a policy may have set any pairs of one of the two objects.
  ///
  /// `PolicyPairs` reports the pairs of objects whose targets an entity mapping gives.
  private func countOpen(_ storage: RelationshipStorage, _ findings: inout Findings) throws(SQLiteError) {
    guard stores.judgement?.hasUnjudged == true, let ends = origins.ends else { return }
    let (owner, target) = ("d.\(quoted(storage.owner))", "d.\(quoted(storage.target))")
    let layout = stores.destinationLayout
    var query =
      "FROM main.\(quoted(storage.table)) AS d WHERE \(owner) IS NOT NULL AND \(target) IS NOT NULL "
      + "AND NOT (\(areJudged(owner, target))\(areThere(ends, owner, target))) "
      + "AND NOT \(PolicyPairs.isKnown(owner, at: property, in: layout))"
    if let other = layout.model.inverse(of: property) {
      query += " AND NOT \(PolicyPairs.isKnown(target, at: other, in: layout))"
    }
    findings.expect(
      .unjudgedPairs, entity: property.entity, property: property.name, count: try stores.count(query))
  }

  /// The further condition that both objects of a pair are in the source.
  private func areThere(_ ends: (owners: String, targets: String), _ owner: String, _ target: String) -> String
  {
    [(ends.owners, owner), (ends.targets, target)].map { table, key in
      " AND EXISTS (SELECT 1 FROM source.\(quoted(table)) AS o WHERE o.Z_PK = \(key))"
    }.joined()
  }

  private func holds(_ storage: RelationshipStorage, owner: String, target: String, as row: String = "d")
    -> String
  {
    "\(row).\(quoted(storage.owner)) = \(owner) AND \(row).\(quoted(storage.target)) = \(target)"
  }

  private func compareLost(
    _ origin: PairOrigin, _ storage: RelationshipStorage, _ findings: inout Findings
  ) throws(SQLiteError) {
    let owner = "s.\(quoted(origin.storage.owner))"
    let target = "s.\(quoted(origin.storage.target))"
    let rows = "main.\(quoted(storage.table)) AS d"
    var lost =
      "\(origin.living) AND NOT EXISTS (SELECT 1 FROM \(rows) WHERE \(holds(storage, owner: owner, target: target)))"
      + (findings.rowsDiffer ? origin.inDestination : "") + " AND \(areJudged(owner, target))"
    let displaced = displacing(origin, storage, owner: owner, target: target)
    if !displaced.isEmpty {
      let isDisplaced = "(\(displaced.joined(separator: " OR ")))"
      findings.expect(
        .displaced, entity: property.entity, property: property.name,
        count: try stores.count("\(lost) AND \(isDisplaced)"))
      lost += " AND NOT \(isDisplaced)"
    }
    guard let single = storage.single else {
      return try note(.lostPair, lost, owner, target, &findings)
    }
    // A row with room for one partner may have another partner.
    let key = single.keyIsOwner ? owner : target
    let replaced =
      "EXISTS (SELECT 1 FROM \(rows) WHERE d.Z_PK = \(key) AND d.\(quoted(single.column)) IS NOT NULL)"
    try note(.changedTarget, "\(lost) AND \(replaced)", owner, target, &findings)
    try note(.lostPair, "\(lost) AND NOT \(replaced)", owner, target, &findings)
  }

  /// The conditions under which a pair was displaced.
  ///
  /// Such a pair has an object that may have only one partner now, and that has another partner. The pair with the
  /// other partner has the larger key, or belongs to the leading end of a union (`RelationshipOrigin.Union`).
  private func displacing(
    _ origin: PairOrigin, _ storage: RelationshipStorage, owner: String, target: String
  ) -> [String] {
    let model = stores.lineage.destination
    // An expected store has only the pairs that are kept.
    guard stores.judgement == nil, let relationship = model.relationship(property.name, of: property.entity)
    else { return [] }
    let inverse = model.inverse(of: relationship)?.relationship
    let kept =
      "EXISTS (SELECT 1 FROM source.\(quoted(origin.storage.table)) AS k JOIN main.\(quoted(storage.table)) AS d "
      + "ON d.\(quoted(storage.owner)) = k.\(quoted(origin.storage.owner)) "
      + "AND d.\(quoted(storage.target)) = k.\(quoted(origin.storage.target)) WHERE "
    var conditions: [String] = []
    let (first, second) = ("k.\(quoted(origin.storage.owner))", "k.\(quoted(origin.storage.target))")
    if storage.kind == .owners, origin.storage.kind != .owners {
      conditions.append("\(kept)\(first) = \(owner) AND \(second) > \(target))")
    }
    if storage.kind == .targets || inverse?.isToMany == false, origin.storage.kind != .targets {
      conditions.append("\(kept)\(second) = \(target) AND \(first) > \(owner))")
    }
    guard origin.isSecond else { return conditions }
    for leading in origins.list where !leading.isSecond {
      let kept =
        "EXISTS (SELECT 1 FROM source.\(quoted(leading.storage.table)) AS k JOIN main.\(quoted(storage.table)) AS d "
        + "ON d.\(quoted(storage.owner)) = k.\(quoted(leading.storage.owner)) "
        + "AND d.\(quoted(storage.target)) = k.\(quoted(leading.storage.target)) WHERE "
      if storage.kind == .owners {
        conditions.append("\(kept)k.\(quoted(leading.storage.owner)) = \(owner))")
      }
      if storage.kind == .targets || inverse?.isToMany == false {
        conditions.append("\(kept)k.\(quoted(leading.storage.target)) = \(target))")
      }
    }
    return conditions
  }

  private func compareSurplus(_ storage: RelationshipStorage, _ findings: inout Findings) throws(SQLiteError) {
    let owner = "d.\(quoted(storage.owner))"
    let target = "d.\(quoted(storage.target))"
    var query = "FROM main.\(quoted(storage.table)) AS d WHERE \(owner) IS NOT NULL AND \(target) IS NOT NULL"
    for origin in origins.list {
      let held = holds(origin.storage, owner: owner, target: target, as: "s")
      query += " AND NOT EXISTS (SELECT 1 FROM source.\(quoted(origin.storage.table)) AS s WHERE \(held))"
      if let single = storage.single, origins.list.allSatisfy({ $0.isSecond == origin.isSecond }) {
        // Such a pair is reported as a changed target already.
        let former = single.keyIsOwner ? origin.storage.owner : origin.storage.target
        let compared = origin.living + (findings.rowsDiffer ? origin.inDestination : "")
        query += " AND NOT EXISTS (SELECT 1 \(compared) AND s.\(quoted(former)) = d.Z_PK)"
      }
    }
    if findings.rowsDiffer, let ends = origins.ends { query += areThere(ends, owner, target) }
    query += " AND \(areJudged(owner, target))"
    try note(.surplusPair, query, owner, target, &findings)
  }
}
