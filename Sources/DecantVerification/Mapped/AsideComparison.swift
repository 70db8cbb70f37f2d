internal import DecantEngine
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Compares the quarantine store with the expected store of a step, and then deletes its objects from the expected store.
///
/// The destination must have none of them, and no reference to them.
struct AsideComparison {
  private let expected: ExpectedStore
  private var layout: StoreLayout { expected.plan.destination }
  private var database: SQLiteDatabase { expected.database }

  init(_ expected: ExpectedStore) { self.expected = expected }

  func run(_ findings: inout Findings) throws(SQLiteError) {
    for table in layout.tables {
      for entity in layout.model.family(of: table.rootEntity) where !entity.isAbstract {
        try compare(entity, table, &findings)
      }
      try compareReferences(table, &findings)
    }
    for join in layout.joinTables { try comparePairs(join, &findings) }
    try remove(&findings)
  }

  private func note(
    _ kind: Verification.Difference.Kind, entity: String, property: String? = nil, _ query: String,
    _ column: String, _ findings: inout Findings
  ) throws(SQLiteError) {
    let count = try database.integer("SELECT count(*) \(query)")
    guard count > 0 else { return }
    findings.add(
      kind, entity: entity, property: property, count: count,
      examples: try database.rows("SELECT \(column) \(query) ORDER BY 1 LIMIT 5").compactMap {
        $0.first?.integer.map(String.init)
      })
  }

  /// The condition for objects whose values a policy may have set.
  private func isLeft(_ key: String, of table: StoreLayout.Table) -> String {
    let number = layout.entityNumbers[table.rootEntity] ?? 0
    return
      "EXISTS (SELECT 1 FROM main.\(ExpectedStore.unjudged) AS u WHERE u.root = \(number) AND u.key = \(key))"
  }

  // MARK: Values

  private func compare(
    _ entity: Entity, _ table: StoreLayout.Table, _ findings: inout Findings
  ) throws(SQLiteError) {
    let name = quoted(table.name)
    let number = layout.entityNumbers[entity.name] ?? 0
    let aside = "FROM aside.\(name) AS a WHERE a.Z_ENT = \(number)"
    let count = try database.integer("SELECT count(*) \(aside)")
    guard count > 0 else { return }
    findings.expect(.quarantined, entity: entity.name, count: count)
    let strange =
      "\(aside) AND NOT EXISTS (SELECT 1 FROM main.\(name) AS e WHERE e.Z_PK = a.Z_PK AND e.Z_ENT = \(number))"
    if expected.hasPolicies {
      findings.expect(
        .madeByPolicy, entity: entity.name, count: try database.integer("SELECT count(*) \(strange)"))
    } else {
      try note(.unexplainedObject, entity: entity.name, strange, "a.Z_PK", &findings)
    }
    let both =
      "FROM aside.\(name) AS a JOIN main.\(name) AS e ON e.Z_PK = a.Z_PK WHERE e.Z_ENT = \(number) "
      + "AND NOT \(isLeft("a.Z_PK", of: table))"
    for attribute in layout.model.attributes(of: entity.name)
    where !attribute.isTransient && !attribute.isDerived {
      let property = StoreLayout.Property(entity: entity.name, name: attribute.name)
      guard expected.unjudgedProperties[property] == nil,
        let column = layout.attributeColumn(attribute.name, of: entity.name).map(quoted)
      else { continue }
      try note(
        .asideValue, entity: entity.name, property: attribute.name,
        "\(both) AND (a.\(column) IS NOT e.\(column) OR typeof(a.\(column)) <> typeof(e.\(column)))", "a.Z_PK",
        &findings)
    }
    guard expected.unjudgedProperties.isEmpty else { return }
    try AsideReasons(layout: layout, database: database).run(
      entity, isWhole: true, without: isLeft("s.Z_PK", of: table), &findings)
  }

  // MARK: References among the objects

  private func compareReferences(_ table: StoreLayout.Table, _ findings: inout Findings) throws(SQLiteError) {
    for reference in StoredReference.all(in: table, of: layout) {
      guard isJudged(reference.property), let target = layout.table(of: reference.target) else { continue }
      let (name, column) = (quoted(table.name), quoted(reference.column))
      try note(
        .asideValue, entity: reference.property.entity, property: reference.property.name,
        "FROM aside.\(name) AS a JOIN main.\(name) AS e ON e.Z_PK = a.Z_PK WHERE NOT \(isLeft("a.Z_PK", of: table)) "
          + "AND a.\(column) IS NOT (SELECT x.Z_PK FROM aside.\(quoted(target.name)) AS x WHERE x.Z_PK = e.\(column))",
        "a.Z_PK", &findings)
    }
  }

  private func comparePairs(_ join: StoreLayout.JoinTable, _ findings: inout Findings) throws(SQLiteError) {
    let property = join.second.relationship
    guard isJudged(property), let ends = ends(join) else { return }
    let (first, second) = (quoted(join.first.column), quoted(join.second.column))
    func holds(_ schema: String) -> String {
      "EXISTS (SELECT 1 FROM \(schema).\(quoted(join.name)) AS o WHERE o.\(first) = p.\(first) "
        + "AND o.\(second) = p.\(second))"
    }
    let areAside =
      "p.\(first) IN (SELECT Z_PK FROM aside.\(quoted(ends.first))) "
      + "AND p.\(second) IN (SELECT Z_PK FROM aside.\(quoted(ends.second)))"
    for query in [
      "FROM aside.\(quoted(join.name)) AS p WHERE NOT \(holds("main"))",
      "FROM main.\(quoted(join.name)) AS p WHERE \(areAside) AND NOT \(holds("aside"))",
    ] {
      try note(
        .asideValue, entity: property.entity, property: property.name, query, "p.\(first)", &findings)
    }
  }

  private func isJudged(_ property: StoreLayout.Property) -> Bool {
    !expected.hasPolicies && expected.unjudgedProperties[property] == nil
  }

  /// The tables of a join table's two columns.
  private func ends(_ join: StoreLayout.JoinTable) -> (first: String, second: String)? {
    func table(_ end: StoreLayout.JoinEnd) -> String? {
      layout.model.relationship(end.relationship.name, of: end.relationship.entity).flatMap {
        layout.table(of: $0.destinationEntityName)?.name
      }
    }
    guard let first = table(join.first), let second = table(join.second) else { return nil }
    return (first, second)
  }

  // MARK: Going

  private func remove(_ findings: inout Findings) throws(SQLiteError) {
    for table in layout.tables {
      let name = quoted(table.name)
      try database.execute("DELETE FROM main.\(name) WHERE Z_PK IN (SELECT Z_PK FROM aside.\(name))")
    }
    for table in layout.tables {
      for reference in StoredReference.all(in: table, of: layout) {
        guard let target = layout.table(of: reference.target) else { continue }
        let cleared = reference.cleared.map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
        try database.execute(
          "UPDATE main.\(quoted(table.name)) SET \(cleared) WHERE \(quoted(reference.column)) IN "
            + "(SELECT Z_PK FROM aside.\(quoted(target.name)))")
        findings.expect(
          .targetGone, entity: reference.property.entity, property: reference.property.name,
          count: database.changes)
      }
    }
    for join in layout.joinTables {
      guard let ends = ends(join) else { continue }
      try database.execute(
        "DELETE FROM main.\(quoted(join.name)) WHERE \(quoted(join.first.column)) IN "
          + "(SELECT Z_PK FROM aside.\(quoted(ends.first))) OR \(quoted(join.second.column)) IN "
          + "(SELECT Z_PK FROM aside.\(quoted(ends.second)))")
      let property = join.second.relationship
      findings.expect(
        .targetGone, entity: property.entity, property: property.name, count: database.changes)
    }
  }
}
