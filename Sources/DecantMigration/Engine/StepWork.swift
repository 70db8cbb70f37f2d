internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// The work of an inferred step: tables, join tables, what the other end knows, order, orphans, derived values.
///
/// It follows from the two layouts and the mapping model alone, so that a resumed run finds the same list.
struct StepWork {
  let pairing: EntityPairing
  let origin: RelationshipOrigin
  /// Source columns that an index of their table begins with: in their order a table can be read cheaply.
  let leadingColumns: [String: Set<String>]

  init(_ pairing: EntityPairing, leadingColumns: [String: Set<String>]) {
    self.pairing = pairing
    origin = RelationshipOrigin(pairing)
    self.leadingColumns = leadingColumns
  }

  /// What fills the tables, before there are indexes; a dangling reference that is part of a uniqueness constraint is
  /// cleared here, so that it breaks none.
  func filling() -> [Work] {
    let tables = pairing.destination.tables
    return tables.compactMap(copy) + pairing.destination.joinTables.flatMap(copies)
      + tables.flatMap(lateFills) + tables.flatMap(unionFills) + tables.flatMap(numberings)
      + pairing.destination.joinTables.flatMap(numberings) + tables.flatMap(times)
      + tables.flatMap { orphans($0, unique: true) }
  }

  /// What looks over the filled tables; the indexes make it quick.
  func checking() -> [Work] {
    let tables = pairing.destination.tables
    return tables.flatMap(displaced) + tables.flatMap(unionLosses)
      + tables.flatMap { orphans($0, unique: false) }
      + pairing.destination.joinTables.map(orphans)
      + tables.flatMap(derived)
  }

  /// The rows of a source table whose entities go into a destination table.
  ///
  /// They are read from the table itself: the check of every page doesn't compare it with its indexes.
  private func copy(_ table: StoreLayout.Table) -> Work? {
    let pairs = pairing.pairs(intoFamilyOf: table.rootEntity)
    guard let first = pairs.first, let sourceTable = pairing.source.table(of: first.source) else { return nil }
    let expressions = ColumnExpressions(pairing, pairs: pairs, sourceTable: sourceTable)
    let filled = table.columns.compactMap { column in
      expressions.expression(for: column).map { (quoted(column.name), $0) }
    }
    let statement =
      "INSERT INTO main.\(quoted(table.name)) (\(filled.map(\.0).joined(separator: ", "))) "
      + "SELECT \(filled.map(\.1).joined(separator: ", ")) FROM source.\(quoted(sourceTable.name)) AS s "
      + "NOT INDEXED WHERE s.Z_PK > ?1 AND s.Z_PK <= ?2 AND s.Z_ENT IN "
      + "(\(pairs.map { String($0.sourceNumber) }.joined(separator: ", "))) ORDER BY s.Z_PK"
    return Work(
      pairs.map(\.mapping.name).joined(separator: "+"), stage: .create,
      extent: .chunks(table: sourceTable.name, key: "Z_PK"), statements: [statement])
  }
}
