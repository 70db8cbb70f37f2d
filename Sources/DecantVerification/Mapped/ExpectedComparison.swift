internal import DecantModel
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore

/// Compares a destination with the expected store, which is attached as `expected`.
struct ExpectedComparison {
  let stores: StorePair
  /// Properties that only a worker's code could compute.
  private let unjudged: Set<StoreLayout.Property>
  private let leftToPolicies: Set<StoreLayout.Property>
  /// Whether a policy ran.
  ///
  /// It may have made further objects.
  let hasPolicies: Bool
  /// Whether a policy may have set values of objects.
  private let hasUnjudged: Bool
  private var layout: StoreLayout { stores.destinationLayout }

  init(_ stores: StorePair, _ expected: ExpectedStore) throws(SQLiteError) {
    self.stores = stores
    unjudged = Set(expected.unjudgedProperties.keys)
    leftToPolicies = expected.propertiesLeftToPolicies
    hasPolicies = expected.hasPolicies
    hasUnjudged = try stores.count("FROM expected.\(ExpectedStore.unjudged)") > 0
  }

  private func note(
    _ kind: Verification.Difference.Kind, entity: String, property: String? = nil, _ query: String,
    _ columns: String..., to findings: inout Findings
  ) throws(SQLiteError) {
    let count = try stores.count(query)
    guard count > 0 else { return }
    let examples = try stores.database.rows(
      "SELECT \(columns.joined(separator: ", ")) \(query) ORDER BY 1 LIMIT 5"
    ).map { $0.map { $0.integer.map(String.init) ?? "nil" }.joined(separator: " → ") }
    findings.add(kind, entity: entity, property: property, count: count, examples: examples)
  }

  /// The condition for an expected object whose values are compared.
  private func isJudged(_ key: String, of root: String) -> String {
    guard hasUnjudged else { return "" }
    let number = layout.entityNumbers[root] ?? 0
    return
      " AND NOT EXISTS (SELECT 1 FROM expected.\(ExpectedStore.unjudged) AS u WHERE u.root = \(number) AND u.key = \(key))"
  }

  // MARK: Objects

  func compare(_ table: StoreLayout.Table, _ findings: inout Findings) throws(SQLiteError) {
    guard stores.has("Z_PK", "Z_ENT", "Z_OPT", in: table.name) else { return }
    let (actual, wanted) = ("main.\(quoted(table.name))", "expected.\(quoted(table.name))")
    let known = findings.differences.count
    for entity in layout.model.family(of: table.rootEntity) where !entity.isAbstract {
      let number = stores.destinationNumber(entity.name)
      try note(
        .lostRow, entity: entity.name,
        "FROM \(wanted) AS e WHERE e.Z_ENT = \(number) AND NOT EXISTS (SELECT 1 FROM \(actual) AS d "
          + "WHERE d.Z_PK = e.Z_PK)", "e.Z_PK", to: &findings)
      let surplus =
        "FROM \(actual) AS d WHERE d.Z_ENT = \(number) AND NOT EXISTS (SELECT 1 FROM \(wanted) AS e "
        + "WHERE e.Z_PK = d.Z_PK)"
      if hasPolicies {
        findings.expect(.madeByPolicy, entity: entity.name, count: try stores.count(surplus))
      } else {
        try note(.unexplainedObject, entity: entity.name, surplus, "d.Z_PK", to: &findings)
      }
      try note(
        .entityNumber, entity: entity.name,
        "FROM \(wanted) AS e JOIN \(actual) AS d ON d.Z_PK = e.Z_PK WHERE e.Z_ENT = \(number) "
          + "AND d.Z_ENT IS NOT \(number)", "e.Z_PK", to: &findings)
      try compareValues(of: entity, table, &findings)
    }
    if findings.differences.count > known { findings.rowsDiffer = true }
    let numbers = layout.model.family(of: table.rootEntity).filter { !$0.isAbstract }
      .map { stores.destinationNumber($0.name) }.list
    try note(
      .entityNumber, entity: table.rootEntity,
      "FROM \(actual) AS d WHERE d.Z_ENT IS NULL OR d.Z_ENT NOT IN \(numbers)", "d.Z_PK", to: &findings)
  }

  /// One scan counts the differences of all attributes.
  ///
  /// Only attributes with differences are read again.
  private func compareValues(
    of entity: Entity, _ table: StoreLayout.Table, _ findings: inout Findings
  ) throws(SQLiteError) {
    let common =
      "FROM main.\(quoted(table.name)) AS d JOIN expected.\(quoted(table.name)) AS e ON e.Z_PK = d.Z_PK "
      + "WHERE e.Z_ENT = \(stores.destinationNumber(entity.name))" + isJudged("e.Z_PK", of: table.rootEntity)
    let attributes = self.attributes(of: entity, table)
    try tellPolicy(of: entity, table, attributes, &findings)
    let columns = (hasPolicies ? [] : [(nil, "Z_OPT")]) + attributes.map { (Optional($0.property), $0.column) }
    let sums = ["count(*)"] + columns.map { "ifnull(sum(\(Self.differs($0.1))), 0)" }
    let statement = try stores.database.prepare("SELECT \(sums.joined(separator: ", ")) \(common)")
    guard try statement.step() else { return }
    findings.compared.rows += statement.integer(0)
    findings.compared.attributes += attributes.count
    findings.compared.values += statement.integer(0) * attributes.count
    let counts = columns.indices.map { statement.integer($0 + 1) }
    for ((property, column), count) in zip(columns, counts) where count > 0 {
      findings.add(
        property == nil ? .saveCount : .changedValue, entity: entity.name, property: property, count: count,
        examples: try stores.examples("d.Z_PK", from: "\(common) AND \(Self.differs(column))"))
    }
  }

  /// Tells which values of the objects that a policy made are as their entity mapping says.
  ///
  /// Other values aren't differences, because a policy may set any value.
  private func tellPolicy(
    of entity: Entity, _ table: StoreLayout.Table, _ attributes: [(property: String, column: String)],
    _ findings: inout Findings
  ) throws(SQLiteError) {
    // What the mapping says of the others isn't known.
    let attributes = attributes.filter {
      !leftToPolicies.contains(.init(entity: entity.name, name: $0.property))
    }
    guard hasUnjudged, !attributes.isEmpty else { return }
    let root = layout.entityNumbers[table.rootEntity] ?? 0
    let sums = ["count(*)"] + attributes.map { "ifnull(sum(\(Self.differs($0.column))), 0)" }
    let statement = try stores.database.prepare(
      "SELECT \(sums.joined(separator: ", ")) FROM expected.\(ExpectedStore.unjudged) AS u "
        + "JOIN expected.\(quoted(table.name)) AS e ON e.Z_PK = u.key "
        + "JOIN main.\(quoted(table.name)) AS d ON d.Z_PK = u.key "
        + "WHERE u.root = \(root) AND u.filled = 1 AND e.Z_ENT = \(stores.destinationNumber(entity.name))")
    guard try statement.step() else { return }
    let others = attributes.indices.map { statement.integer($0 + 1) }
    findings.expect(
      .asMapped, entity: entity.name, count: statement.integer(0) * attributes.count - others.reduce(0, +))
    for (attribute, count) in zip(attributes, others) {
      findings.expect(.setByPolicy, entity: entity.name, property: attribute.property, count: count)
    }
  }

  /// The stored attributes of an entity that can be compared, with their columns.
  private func attributes(
    of entity: Entity, _ table: StoreLayout.Table
  ) -> [(property: String, column: String)] {
    var columns: [(property: String, column: String)] = []
    for attribute in layout.model.attributes(of: entity.name)
    where !attribute.isTransient && !attribute.isDerived
      && !unjudged.contains(.init(entity: entity.name, name: attribute.name))
    {
      guard let column = layout.attributeColumn(attribute.name, of: entity.name),
        stores.has(column, in: table.name)
      else { continue }
      columns.append((attribute.name, column))
    }
    return columns
  }

  private static func differs(_ column: String) -> String {
    let (actual, wanted) = ("d.\(quoted(column))", "e.\(quoted(column))")
    return "(\(actual) IS NOT \(wanted) OR typeof(\(actual)) <> typeof(\(wanted)))"
  }

  // MARK: Relationships

  func compare(_ property: StoreLayout.Property, _ findings: inout Findings) throws(SQLiteError) {
    guard let relationship = layout.model.relationship(property.name, of: property.entity),
      let storage = RelationshipStorage(of: property.name, entity: property.entity, in: layout),
      stores.has(storage),
      let owners = layout.table(of: property.entity),
      let targets = layout.table(of: relationship.destinationEntityName)
    else { return }
    let inverse = layout.model.inverse(of: property)
    guard !([property, inverse].compactMap(\.self).contains(where: isUnjudged)) else { return }
    findings.compared.relationships += 1
    let (owner, target) = (quoted(storage.owner), quoted(storage.target))
    func pairs(_ schema: String, _ row: String) -> String {
      "FROM \(schema).\(quoted(storage.table)) AS \(row) WHERE \(row).\(owner) IS NOT NULL AND \(row).\(target) IS NOT NULL"
    }
    func holds(_ schema: String, _ row: String, as other: String) -> String {
      "EXISTS (SELECT 1 FROM \(schema).\(quoted(storage.table)) AS \(other) WHERE \(other).\(owner) = \(row).\(owner) "
        + "AND \(other).\(target) = \(row).\(target))"
    }
    /// The condition that an object exists; lost and unexplained objects are reported separately.
    func isThere(_ schema: String, _ row: String) -> String {
      let ends = [(owners.name, owner), (targets.name, target)].map { table, column in
        " AND EXISTS (SELECT 1 FROM \(schema).\(quoted(table)) AS o WHERE o.Z_PK = \(row).\(column))"
      }.joined()
      return (findings.rowsDiffer || hasPolicies ? ends : "")
        + isJudged("\(row).\(owner)", of: owners.rootEntity)
        + isJudged("\(row).\(target)", of: targets.rootEntity)
    }
    let judged = try stores.count(pairs("expected", "e") + isThere("main", "e"))
    findings.compared.pairs += judged
    if hasUnjudged {
      // A policy may add pairs of its objects from any mapping. `PolicyPairs` tells those of which a mapping says something.
      var open = "\(pairs("main", "d")) AND NOT (1\(isThere("expected", "d")))"
      open += " AND NOT \(PolicyPairs.isKnown("d.\(owner)", at: property, in: layout))"
      if let inverse {
        open += " AND NOT \(PolicyPairs.isKnown("d.\(target)", at: inverse, in: layout))"
      }
      findings.expect(
        .unjudgedPairs, entity: property.entity, property: property.name, count: try stores.count(open))
    }
    var lost = "\(pairs("expected", "e")) AND NOT \(holds("main", "e", as: "d"))" + isThere("main", "e")
    var surplus = "\(pairs("main", "d")) AND NOT \(holds("expected", "d", as: "e"))" + isThere("expected", "d")
    if let single = storage.single {
      // A row for a single partner may have another one.
      func other(_ schema: String, _ row: String) -> String {
        "EXISTS (SELECT 1 FROM \(schema).\(quoted(storage.table)) AS x WHERE x.Z_PK = \(row).Z_PK "
          + "AND x.\(quoted(single.column)) IS NOT NULL)"
      }
      try note(
        .changedTarget, entity: property.entity, property: property.name, "\(lost) AND \(other("main", "e"))",
        "e.\(owner)", "e.\(target)", to: &findings)
      lost += " AND NOT \(other("main", "e"))"
      surplus += " AND NOT \(other("expected", "d"))"
    }
    try note(
      .lostPair, entity: property.entity, property: property.name, lost, "e.\(owner)", "e.\(target)",
      to: &findings)
    try note(
      .surplusPair, entity: property.entity, property: property.name, surplus, "d.\(owner)", "d.\(target)",
      to: &findings)
    try compareOrder(storage, property, &findings)
    if let inverse, inverse != property { try compareOrder(storage.reversed, inverse, &findings) }
  }

  private func isUnjudged(_ property: StoreLayout.Property) -> Bool {
    unjudged.contains { $0.name == property.name && layout.model.isKind($0.entity, of: property.entity) }
  }

  /// Compares the order of the targets that an owner has in both stores.
  private func compareOrder(
    _ storage: RelationshipStorage, _ property: StoreLayout.Property, _ findings: inout Findings
  ) throws(SQLiteError) {
    guard let order = storage.order.map(quoted) else { return }
    let (table, owner, target) = (quoted(storage.table), quoted(storage.owner), quoted(storage.target))
    let shared =
      "FROM (SELECT \(owner) AS owner FROM main.\(table) WHERE \(owner) IS NOT NULL AND \(target) IS NOT NULL "
      + "GROUP BY 1 HAVING count(DISTINCT \(order)) <> count(*))"
    try note(.orderKey, entity: property.entity, property: property.name, shared, "owner", to: &findings)
    findings.compared.orders += 1
    func place(_ key: String) -> String {
      "row_number() OVER (PARTITION BY d.\(owner) ORDER BY \(key) NULLS LAST, d.\(target))"
    }
    let changed =
      "FROM (SELECT DISTINCT owner FROM (SELECT d.\(owner) AS owner, \(place("d.\(order)")) AS now, "
      + "\(place("e.\(order)")) AS wanted FROM expected.\(table) AS e JOIN main.\(table) AS d "
      + "ON d.\(owner) = e.\(owner) AND d.\(target) = e.\(target)) WHERE now <> wanted)"
    // A policy may have set any order.
    guard !hasUnjudged else { return }
    try note(.changedOrder, entity: property.entity, property: property.name, changed, "owner", to: &findings)
  }
}
