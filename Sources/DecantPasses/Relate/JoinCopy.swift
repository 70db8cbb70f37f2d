package import DecantSQLite

/// A join table whose pairs are copied unchanged into another one.
package struct JoinCopy {
  let name: String
  let pass: Int
  let sourceTable: String
  /// In the order of the destination's primary key.
  let sourceColumns: (String, String)
  package let destinationTable: String
  let destinationColumns: (String, String)
  /// Whether the source has an index in that order, so that the destination's index is written from front to back.
  let isIndexed: Bool

  var work: Work {
    let (first, second) = ("s." + quoted(sourceColumns.0), "s." + quoted(sourceColumns.1))
    let key = isIndexed ? sourceColumns.0 : "rowid"
    return Work(
      name, stage: .relate, extent: .chunks(table: sourceTable, key: key),
      statements: [
        "INSERT OR IGNORE INTO main.\(quoted(destinationTable)) "
          + "(\(quoted(destinationColumns.0)), \(quoted(destinationColumns.1))) "
          + "SELECT \(first), \(second) FROM source.\(quoted(sourceTable)) AS s "
          + "WHERE s.\(quoted(key)) > ?1 AND s.\(quoted(key)) <= ?2 AND \(first) IS NOT NULL "
          + "AND \(second) IS NOT NULL" + (isIndexed ? " ORDER BY \(first), \(second)" : "")
      ], pass: pass)
  }

  /// Checks: source pairs = migrated + dangling pairs.
  ///
  /// They are counted in the table itself: a wrong index must not confirm its own copy.
  ///
  /// - Throws: `StepFailure.rowsDiffer`, `SQLiteError`.
  package func check(pairs: Int, in database: SQLiteDatabase) throws {
    let rows =
      "SELECT \(quoted(sourceColumns.0)), \(quoted(sourceColumns.1)) FROM source.\(quoted(sourceTable)) NOT INDEXED "
      + "WHERE \(quoted(sourceColumns.0)) IS NOT NULL AND \(quoted(sourceColumns.1)) IS NOT NULL"
    let all = try database.integer("SELECT count(*) FROM (\(rows))")
    guard all != pairs else { return }
    // A pair that occurs twice counts once.
    let distinct = try database.integer("SELECT count(*) FROM (SELECT DISTINCT * FROM (\(rows)))")
    guard distinct != pairs else { return }
    throw StepFailure.rowsDiffer(entityMapping: name, source: all, destination: pairs)
  }
}
