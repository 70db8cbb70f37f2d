internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Checks the derived attributes of a table: counts are recomputed, times must be present.
///
/// If both stores have the same version, nothing is checked.
struct DerivedCheck {
  private let stores: StorePair
  private let table: StoreLayout.Table

  init(_ stores: StorePair, table: StoreLayout.Table) {
    self.stores = stores
    self.table = table
  }

  func run(_ findings: inout Findings) throws(SQLiteError) {
    let layout = stores.destinationLayout
    for column in table.columns {
      guard case .attribute(let property) = column.role, stores.has(column.name, in: table.name),
        let attribute = layout.model.attribute(property.name, of: property.entity),
        let expression = attribute.derivationExpression,
        let kind = DerivationKind(expression, entity: property.entity, layout: layout),
        !stores.lineage.isOneVersion
      else { continue }
      let rows = "Z_ENT IN \(layout.entityNumbers(inFamilyOf: property.entity).list)"
      let query: String
      switch kind {
      case .now:
        query = "FROM main.\(quoted(table.name)) AS d WHERE d.\(quoted(column.name)) IS NULL AND d.\(rows)"
      case .count(let child, let key):
        guard stores.has(key, in: child) else { continue }
        query =
          "FROM main.\(quoted(table.name)) AS d LEFT JOIN (SELECT \(quoted(key)) AS owner, count(*) AS number "
          + "FROM main.\(quoted(child)) WHERE \(quoted(key)) IS NOT NULL GROUP BY 1) AS c ON c.owner = d.Z_PK "
          + "WHERE d.\(quoted(column.name)) IS NOT ifnull(c.number, 0) AND d.\(rows)"
      }
      let count = try stores.count(query)
      guard count > 0 else { continue }
      findings.add(
        .derivedValue, entity: property.entity, property: property.name, count: count,
        examples: try stores.examples("d.Z_PK", from: query))
    }
  }
}
