internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// The work of an inferred step.
///
/// The work depends on the step's inputs, but not on the progress, so that a resumed run finds the same list.
package struct StepWork {
  let pairing: EntityPairing
  package let origin: RelationshipOrigin
  /// By source table, the columns that are the first column of an index.
  ///
  /// A table can be read cheaply in the order of such a column.
  let leadingColumns: [String: Set<String>]

  package init(_ pairing: EntityPairing, leadingColumns: [String: Set<String>]) {
    self.pairing = pairing
    origin = RelationshipOrigin(pairing)
    self.leadingColumns = leadingColumns
  }

  /// The work that fills the tables, before the indexes are created.
  ///
  /// Dangling references in a uniqueness constraint are cleared here, so that they break no constraint.
  ///
  /// - Parameter alteration: The tables that stay in a copy of the source; `nil` if all are written anew.
  package func filling(_ alteration: Alteration? = nil) -> [Work] {
    let tables = pairing.destination.tables
    let rows = tables.flatMap { alteration?.table($0.name)?.work ?? copy($0) }
    let pairs = pairing.destination.joinTables.flatMap { alteration?.join($0.name)?.work ?? copies($0) }
    return rows + pairs + tables.flatMap(lateFills) + tables.flatMap(unionFills) + tables.flatMap(numberings)
      + pairing.destination.joinTables.flatMap(numberings) + tables.flatMap(times)
      + tables.flatMap { orphans($0, unique: true) }
  }

  /// The work that checks the filled tables; the indexes make it fast.
  package func checking() -> [Work] {
    let tables = pairing.destination.tables
    return tables.flatMap(displaced) + tables.flatMap(unionLosses)
      + tables.flatMap { orphans($0, unique: false) }
      + pairing.destination.joinTables.map(orphans)
      + tables.flatMap(derived)
  }

  /// Copies the rows of a source table whose entities go into a destination table.
  ///
  /// The statement reads the table without an index, because the check of the source's pages doesn't find an index that
  /// differs from its table.
  private func copy(_ table: StoreLayout.Table) -> [Work] {
    let pairs = pairing.pairs(intoFamilyOf: table.rootEntity)
    guard let first = pairs.first, let sourceTable = pairing.source.table(of: first.source) else { return [] }
    let expressions = ColumnExpressions(pairing, pairs: pairs, sourceTable: sourceTable)
    let filled = table.columns.compactMap { column in
      expressions.expression(for: column).map { (quoted(column.name), $0) }
    }
    let statement =
      "INSERT INTO main.\(quoted(table.name)) (\(filled.map(\.0).joined(separator: ", "))) "
      + "SELECT \(filled.map(\.1).joined(separator: ", ")) FROM source.\(quoted(sourceTable.name)) AS s "
      + "NOT INDEXED WHERE s.Z_PK > ?1 AND s.Z_PK <= ?2 AND s.Z_ENT IN "
      + "(\(pairs.map { String($0.sourceNumber) }.joined(separator: ", "))) ORDER BY s.Z_PK"
    return [
      Work(
        pairs.map(\.mapping.name).joined(separator: "+"), stage: .create,
        extent: .chunks(table: sourceTable.name, key: "Z_PK"), statements: [statement])
    ]
  }
}
