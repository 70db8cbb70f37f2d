package import DecantSQLite
package import DecantStore

/// The copy of a source storage's pairs into a join table.
///
/// If the source has an index in the order of the destination table's primary key, the pairs are read in this order.
/// Then the index of the destination table is written from front to back.
package struct JoinCopy {
  let name: String
  let pass: Int
  /// The storage of the pairs, seen so that its owners go into the join table's first column.
  private let storage: RelationshipStorage
  private let join: StoreLayout.JoinTable
  /// Whether the source has an index in the order of the destination's primary key.
  let isIndexed: Bool
  /// The entity mappings whose associations give the keys of both columns; `nil` if the keys stay.
  private let lookups: (first: PassPlan.Mapping, second: PassPlan.Mapping)?

  /// - Parameter storage: The storage of the pairs, seen from the relationship that names the join table.
  init(
    _ name: String, pass: Int = 0, from storage: RelationshipStorage, into join: StoreLayout.JoinTable,
    leadingColumns: [String: Set<String>], lookups: (first: PassPlan.Mapping, second: PassPlan.Mapping)? = nil
  ) {
    self.name = name
    self.pass = pass
    self.storage = storage
    self.join = join
    isIndexed = storage.kind == .join && leadingColumns[storage.table]?.contains(storage.owner) == true
    self.lookups = lookups
  }

  package var sourceTable: String { storage.table }
  package var destinationTable: String { join.name }
  /// The column by which the source is cut into chunks.
  var key: String { isIndexed ? storage.owner : storage.key }

  /// SQL that copies the pairs of a chunk.
  ///
  /// `?1` (exclusive) and `?2` (inclusive) are the bounds of `key`.
  package var statement: String {
    let (owner, target) = ("s." + quoted(storage.owner), "s." + quoted(storage.target))
    let chunk =
      "FROM source.\(quoted(storage.table)) AS s WHERE s.\(quoted(key)) > ?1 AND s.\(quoted(key)) <= ?2"
    let order = isIndexed ? " ORDER BY \(owner), \(target)" : ""
    if let lookups {
      // The order of the source's index is that of the destination table, except for newly assigned keys.
      return Self.inserting(
        into: join, lookups.first.lookingUp(owner), lookups.second.lookingUp(target), chunk + order)
    }
    var columns = [join.first.column, join.second.column]
    var values = [owner, target]
    for (column, order) in [
      (join.second.orderColumn, storage.order), (join.first.orderColumn, storage.inverseOrder),
    ] {
      guard let column, let order else { continue }
      columns.append(column)
      values.append("s." + quoted(order))
    }
    return "INSERT OR IGNORE INTO main.\(quoted(join.name)) (\(columns.map(quoted).joined(separator: ", "))) "
      + "SELECT \(values.joined(separator: ", ")) \(chunk) AND \(owner) IS NOT NULL AND \(target) IS NOT NULL"
      + order
  }

  /// SQL that inserts a pair of two values for each of some rows.
  ///
  /// A row for which a value is NULL gives no pair.
  static func inserting(
    into join: StoreLayout.JoinTable, _ first: String, _ second: String, _ rows: String
  ) -> String {
    "INSERT OR IGNORE INTO main.\(quoted(join.name)) (\(quoted(join.first.column)), "
      + "\(quoted(join.second.column))) SELECT * FROM (SELECT \(first) AS x, \(second) AS y \(rows) "
      // Without a limit, SQLite would call the functions twice: for the condition and for the value.
      + "LIMIT -1) WHERE x IS NOT NULL AND y IS NOT NULL"
  }

  var work: Work { work(action: nil) }

  /// - Parameter action: The action that runs the statement; `nil` if the piece of work itself runs it.
  func work(action: RowAction?) -> Work {
    Work(
      name, stage: .relate, extent: .chunks(table: storage.table, key: key),
      statements: action == nil ? [statement] : [], action: action, pass: pass)
  }

  /// Checks that the source has the given number of pairs.
  ///
  /// The source's pairs are counted in the table itself, because the copy may have been read from a wrong index.
  ///
  /// - Parameter pairs: The number of migrated pairs and of pairs that led to missing objects.
  /// - Throws: `StepFailure.rowsDiffer`, `SQLiteError`.
  package func check(pairs: Int, in database: SQLiteDatabase) throws {
    try Self.check([storage], pairs: pairs, name: name, in: database)
  }

  /// Checks the pairs of several source storages that go into one join table.
  package static func check(
    _ storages: [RelationshipStorage], pairs: Int, name: String, in database: SQLiteDatabase
  ) throws {
    guard !storages.isEmpty else { return }
    let rows = storages.map { storage in
      let (owner, target) = ("s." + quoted(storage.owner), "s." + quoted(storage.target))
      return "SELECT \(owner), \(target) FROM source.\(quoted(storage.table)) AS s NOT INDEXED "
        + "WHERE \(owner) IS NOT NULL AND \(target) IS NOT NULL"
    }.joined(separator: " UNION ALL ")
    let all = try database.integer("SELECT count(*) FROM (\(rows))")
    guard all != pairs else { return }
    // A pair that occurs twice is one row of the join table.
    let distinct = try database.integer("SELECT count(*) FROM (SELECT DISTINCT * FROM (\(rows)))")
    guard distinct != pairs else { return }
    throw StepFailure.rowsDiffer(entityMapping: name, source: all, destination: pairs)
  }
}
