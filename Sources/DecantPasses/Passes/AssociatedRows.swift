package import DecantSQLite

/// Counts the source objects that are associated at the end of the step.
///
/// Policies may delete an object and associate its source object again. They may also associate source objects that
/// they skipped before, or that a filter leaves out.
package struct AssociatedRows {
  let plan: PassPlan
  let database: SQLiteDatabase

  package init(plan: PassPlan, database: SQLiteDatabase) {
    self.plan = plan
    self.database = database
  }

  /// The number of associated source rows that the mapping's filter and `uniqueBy` take.
  ///
  /// If the filter or `uniqueBy` isn't SQL, all associated source rows of the mapping's entity count.
  package func count(of mapping: PassPlan.Mapping) throws -> Int {
    let runs =
      "SELECT max(first) FROM main.\(Associations.runs) WHERE mapping = \(mapping.number) AND first <= s.Z_PK"
    let run =
      "EXISTS (SELECT 1 FROM main.\(Associations.runs) AS a WHERE a.mapping = \(mapping.number) AND a.first = (\(runs)) "
      + "AND s.Z_PK - a.first < a.length)"
    let pair =
      "EXISTS (SELECT 1 FROM main.\(Associations.pairs) AS p WHERE p.mapping = \(mapping.number) "
      + "AND p.source = s.Z_PK)"
    let filtered = try? CreateWork(plan, mapping).filtered()
    return try database.integer(
      "SELECT count(*) FROM source.\(quoted(mapping.sourceTable.name)) AS s NOT INDEXED "
        + "WHERE s.Z_ENT = \(mapping.sourceNumber)\(filtered.map { " AND NOT (\($0))" } ?? "") AND (\(run) OR \(pair))"
    )
  }

  /// Whether associations may differ from those of the create stage.
  package func isTouched(_ mapping: PassPlan.Mapping) throws -> Bool {
    let counts = RowCounts(database)
    return try counts.rows(RowCounts.leftOut, mapping: mapping.number) > 0
      || counts.rows(RowCounts.deleted, mapping: mapping.number) > 0
  }
}
