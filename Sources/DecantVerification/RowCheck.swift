internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Compares the rows and attributes of one destination table with the source's by primary key.
///
/// A row with another entity number is one difference: its values aren't compared.
struct RowCheck {
  private let stores: StorePair
  private let table: StoreLayout.Table
  private var name: String { "main.\(quoted(table.name))" }

  init(_ stores: StorePair, table: StoreLayout.Table) {
    self.stores = stores
    self.table = table
  }

  func run(_ findings: inout Findings) throws(SQLiteError) {
    try countGone(&findings)
    guard stores.has("Z_PK", "Z_ENT", "Z_OPT", in: table.name) else { return }
    for entity in stores.lineage.destination.family(of: table.rootEntity) where !entity.isAbstract {
      try compare(entity, &findings)
    }
    let concrete = stores.lineage.destination.family(of: table.rootEntity).filter { !$0.isAbstract }
    let numbers = concrete.map { stores.destinationNumber($0.name) }.list
    let stray = "FROM \(name) AS d WHERE d.Z_ENT IS NULL OR d.Z_ENT NOT IN \(numbers)"
    try note(.entityNumber, entity: table.rootEntity, stray, &findings)
  }

  private func note(
    _ kind: Verification.Difference.Kind, entity: String, property: String? = nil, _ query: String,
    key: String = "d.Z_PK", _ findings: inout Findings
  ) throws(SQLiteError) {
    let count = try stores.count(query)
    guard count > 0 else { return }
    findings.add(
      kind, entity: entity, property: property, count: count, examples: try stores.examples(key, from: query))
  }

  /// Counts the objects of dropped source entities, only with the first table, so that each object counts once.
  private func countGone(_ findings: inout Findings) throws(SQLiteError) {
    guard table.rootEntity == stores.destinationLayout.tables.first?.rootEntity else { return }
    let living = Set(stores.lineage.pairs.map(\.source))
    for entity in stores.lineage.source.entities where !entity.isAbstract && !living.contains(entity.name) {
      guard let former = stores.sourceLayout.table(of: entity.name) else { continue }
      let count = try stores.count(
        "FROM source.\(quoted(former.name)) WHERE Z_ENT = \(stores.sourceNumber(entity.name))")
      findings.expect(.entityGone, entity: entity.name, count: count)
    }
  }

  private func compare(_ entity: Entity, _ findings: inout Findings) throws(SQLiteError) {
    let number = stores.destinationNumber(entity.name)
    let rows = "FROM \(name) AS d WHERE d.Z_ENT = \(number)"
    let count = try stores.count(rows)
    guard let from = stores.lineage.sourceEntity(of: entity.name),
      let former = stores.sourceLayout.table(of: from)
    else {
      findings.entities.append(
        .init(source: nil, destination: entity.name, sourceRows: 0, destinationRows: count))
      if count > 0 { findings.rowsDiffer = true }
      try note(.surplusRow, entity: entity.name, rows, &findings)
      return
    }
    let source = "source.\(quoted(former.name))"
    let sourceRows = "FROM \(source) AS s WHERE s.Z_ENT = \(stores.sourceNumber(from))"
    let sourceCount = try stores.count(sourceRows)
    // The objects of a step with mapping models are counted for each entity mapping.
    if stores.judgement == nil {
      findings.entities.append(
        .init(source: from, destination: entity.name, sourceRows: sourceCount, destinationRows: count))
    }
    let known = findings.differences.count
    try note(
      .lostRow, entity: entity.name,
      "\(sourceRows) AND NOT EXISTS (SELECT 1 FROM \(name) AS d WHERE d.Z_PK = s.Z_PK) "
        + "AND NOT \(stores.isAside("s.Z_PK", in: table.name))", key: "s.Z_PK", &findings)
    let surplus = "\(rows) AND NOT EXISTS (SELECT 1 FROM \(source) AS s WHERE s.Z_PK = d.Z_PK)"
    if stores.judgement?.hasPolicies == true {
      findings.expect(.madeByPolicy, entity: entity.name, count: try stores.count(surplus))
    } else {
      let kind = stores.judgement == nil ? Verification.Difference.Kind.surplusRow : .unexplainedObject
      try note(kind, entity: entity.name, surplus, &findings)
    }
    try note(
      .entityNumber, entity: entity.name,
      "\(sourceRows) AND EXISTS (SELECT 1 FROM \(name) AS d WHERE d.Z_PK = s.Z_PK AND d.Z_ENT IS NOT \(number))",
      key: "s.Z_PK", &findings)
    if findings.differences.count > known { findings.rowsDiffer = true }
    let common =
      "FROM \(name) AS d JOIN \(source) AS s ON s.Z_PK = d.Z_PK "
      + "WHERE d.Z_ENT = \(number) AND s.Z_ENT = \(stores.sourceNumber(from)) "
      + "AND \(stores.isJudged("s.Z_PK", of: entity.name))"
    try compareValues(of: entity, from: from, common, &findings)
    guard stores.hasAside else { return }
    let aside = "aside.\(quoted(table.name))"
    let asideCount = try stores.count("FROM \(aside) AS d WHERE d.Z_ENT = \(number)")
    guard asideCount > 0 else { return }
    findings.rowsDiffer = true
    findings.expect(.quarantined, entity: entity.name, count: asideCount)
    try note(
      .surplusRow, entity: entity.name,
      "FROM \(aside) AS d WHERE d.Z_ENT = \(number) AND (NOT EXISTS (SELECT 1 FROM \(source) AS s "
        + "WHERE s.Z_PK = d.Z_PK AND s.Z_ENT = \(stores.sourceNumber(from))) "
        + "OR EXISTS (SELECT 1 FROM \(name) AS o WHERE o.Z_PK = d.Z_PK))", &findings)
    try compareValues(
      of: entity, from: from,
      "FROM \(aside) AS d JOIN \(source) AS s ON s.Z_PK = d.Z_PK WHERE d.Z_ENT = \(number) "
        + "AND s.Z_ENT = \(stores.sourceNumber(from))", isAside: true, &findings)
    try AsideReasons(layout: stores.destinationLayout, database: stores.database).run(
      entity, isWhole: false, &findings)
  }

  private struct Comparison {
    let property: String?
    /// `nil` for an expected change: a value whose file is missing.
    let kind: Verification.Difference.Kind?
    /// The condition for a row that differs.
    let condition: String
  }

  /// Whether a count is recomputed from the destination's own rows, see `DerivedCheck`.
  private func isCountedAnew(_ attribute: Attribute, of entity: Entity) -> Bool {
    guard let expression = attribute.derivationExpression, !stores.lineage.isOneVersion,
      case .count? = DerivationKind(expression, entity: entity.name, layout: stores.destinationLayout)
    else { return false }
    return true
  }

  /// One scan counts the differences of all attributes.
  ///
  /// Only attributes with differences are read again.
  private func compareValues(
    of entity: Entity, from: String, _ common: String, isAside: Bool = false, _ findings: inout Findings
  ) throws(SQLiteError) {
    var comparisons: [Comparison] = []
    var attributes = 0
    for attribute in stores.lineage.destination.attributes(of: entity.name) where !attribute.isTransient {
      guard let column = stores.destinationLayout.attributeColumn(attribute.name, of: entity.name),
        stores.has(column, in: table.name), !isCountedAnew(attribute, of: entity),
        stores.judgement?.isJudged(attribute, of: entity) != false,
        let comparison = ValueComparison(
          attribute, origin: stores.lineage.attribute(attribute.name, of: entity.name), column: column,
          sourceColumn: { stores.sourceLayout.attributeColumn($0, of: from) })
      else { continue }
      attributes += 1
      comparisons.append(Comparison(property: attribute.name, kind: .changedValue, condition: comparison.value))
      if let marker = comparison.marker {
        comparisons.append(Comparison(property: attribute.name, kind: .marker, condition: marker))
      }
      if let fileless = comparison.fileless {
        comparisons.append(Comparison(property: attribute.name, kind: nil, condition: fileless))
      }
    }
    try tellPolicy(of: entity, comparisons, &findings)
    if stores.judgement?.hasPolicies != true {
      comparisons.insert(
        Comparison(property: nil, kind: .saveCount, condition: "d.Z_OPT IS NOT s.Z_OPT"), at: 0)
    }
    let (rows, counts) = try count(comparisons, common)
    findings.compared.rows += rows
    findings.compared.attributes += attributes
    findings.compared.values += rows * attributes
    for (comparison, count) in zip(comparisons, counts) where count > 0 {
      guard let kind = comparison.kind else {
        findings.expect(.filelessValue, entity: entity.name, property: comparison.property, count: count)
        continue
      }
      findings.add(
        isAside ? .asideValue : kind, entity: entity.name, property: comparison.property, count: count,
        examples: try stores.examples("d.Z_PK", from: "\(common) AND (\(comparison.condition))"))
    }
  }

  /// The number of rows, and of those that each comparison finds different.
  private func count(_ comparisons: [Comparison], _ rows: String) throws(SQLiteError) -> (Int, [Int]) {
    let sums = ["count(*)"] + comparisons.map { "sum(\($0.condition))" }
    let statement = try stores.database.prepare("SELECT \(sums.joined(separator: ", ")) \(rows)")
    guard try statement.step() else { return (0, comparisons.map { _ in 0 }) }
    return (statement.integer(0), comparisons.indices.map { statement.integer($0 + 1) })
  }

  /// Counts, in the objects that a policy made, the values that are as the entity mapping says, and all other values.
  ///
  /// The other values aren't differences, because a policy may set any value.
  private func tellPolicy(
    of entity: Entity, _ comparisons: [Comparison], _ findings: inout Findings
  ) throws(SQLiteError) {
    guard let judgement = stores.judgement, judgement.hasUnjudged else { return }
    // The values that the entity mapping gives for the other properties aren't known.
    let told = comparisons.filter {
      !judgement.leftToPolicies.contains(.init(entity: entity.name, name: $0.property ?? ""))
    }
    guard !told.isEmpty else { return }
    let root = stores.destinationLayout.rootNumber(of: entity.name) ?? 0
    let (rows, others) = try count(
      told,
      "FROM source.\(Judgement.unjudgedTable) AS u JOIN source.\(quoted(table.name)) AS s ON s.Z_PK = u.key "
        + "JOIN \(name) AS d ON d.Z_PK = u.key WHERE u.root = \(root) AND u.filled = 1 "
        + "AND s.Z_ENT = \(stores.destinationNumber(entity.name))")
    let values = rows * Set(told.map(\.property)).count
    findings.expect(.asMapped, entity: entity.name, count: values - others.reduce(0, +))
    for (comparison, count) in zip(told, others) {
      findings.expect(.setByPolicy, entity: entity.name, property: comparison.property, count: count)
    }
  }
}
