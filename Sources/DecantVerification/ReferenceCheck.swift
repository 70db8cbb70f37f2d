internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Checks references within the destination: their targets and their entity numbers.
struct ReferenceCheck {
  private let stores: StorePair
  private let table: StoreLayout.Table
  private var layout: StoreLayout { stores.destinationLayout }

  init(_ stores: StorePair, table: StoreLayout.Table) {
    self.stores = stores
    self.table = table
  }

  func run(_ findings: inout Findings) throws(SQLiteError) {
    for column in table.columns {
      switch column.role {
      case .toOne(let property):
        guard let relationship = layout.model.relationship(property.name, of: property.entity) else { continue }
        try findOrphans(column.name, table.name, property, to: relationship.destinationEntityName, &findings)
      case .toOneEntity(let property): try compareEntity(column.name, property, &findings)
      case .owner(let property):
        try findOrphans(column.name, table.name, property, to: property.entity, &findings)
      default: continue
      }
    }
    for join in layout.joinTables where join.rootEntity == table.rootEntity {
      for end in [join.first, join.second] {
        let property = end.relationship
        guard let relationship = layout.model.relationship(property.name, of: property.entity) else { continue }
        try findOrphans(end.column, join.name, property, to: relationship.destinationEntityName, &findings)
      }
    }
  }

  private func findOrphans(
    _ column: String, _ table: String, _ property: StoreLayout.Property, to entity: String,
    _ findings: inout Findings
  ) throws(SQLiteError) {
    guard let target = layout.table(of: entity)?.name, stores.has(column, in: table),
      stores.has("Z_ENT", in: target)
    else { return }
    var query =
      "FROM main.\(quoted(table)) AS d WHERE d.\(quoted(column)) IS NOT NULL AND NOT EXISTS "
      + "(SELECT 1 FROM main.\(quoted(target)) AS t WHERE t.Z_PK = d.\(quoted(column)) "
      + "AND t.Z_ENT IN \(layout.entityNumbers(inFamilyOf: entity).list))"
    if stores.lineage.isOneVersion {
      // An unchanged store keeps its dangling references.
      query +=
        " AND NOT EXISTS (SELECT 1 FROM source.\(quoted(table)) AS s WHERE s.rowid = d.rowid "
        + "AND s.\(quoted(column)) = d.\(quoted(column)))"
    }
    let count = try stores.count(query)
    findings.add(
      .orphan, entity: property.entity, property: property.name, count: count,
      examples: count > 0 ? try stores.examples("d.rowid", "d.\(quoted(column))", from: query) : [])
  }

  private func compareEntity(
    _ column: String, _ property: StoreLayout.Property, _ findings: inout Findings
  ) throws(SQLiteError) {
    guard let key = layout.toOneColumn(property.name, of: property.entity),
      let relationship = layout.model.relationship(property.name, of: property.entity),
      let target = layout.table(of: relationship.destinationEntityName)?.name,
      stores.has(key, column, in: table.name), stores.has("Z_ENT", in: target)
    else { return }
    // An unchanged store keeps its entity numbers.
    let query =
      stores.lineage.isOneVersion
      ? "FROM main.\(quoted(table.name)) AS d JOIN source.\(quoted(table.name)) AS s ON s.Z_PK = d.Z_PK "
        + "WHERE d.\(quoted(column)) IS NOT s.\(quoted(column)) AND d.\(quoted(key)) IS s.\(quoted(key))"
      : "FROM main.\(quoted(table.name)) AS d LEFT JOIN main.\(quoted(target)) AS t ON t.Z_PK = d.\(quoted(key)) "
        + "WHERE d.\(quoted(column)) IS NOT t.Z_ENT AND (t.Z_PK IS NOT NULL OR d.\(quoted(key)) IS NULL)"
    let count = try stores.count(query)
    findings.add(
      .entityColumn, entity: property.entity, property: property.name, count: count,
      examples: count > 0 ? try stores.examples("d.Z_PK", from: query) : [])
  }
}
