internal import DecantEngine
internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import FileNames
internal import Foundation

/// Makes a private copy of a store without its stray rows, and without references to them where a column may be NULL.
struct StrayRemoval {
  let rows: StrayRows
  /// The stray rows' store.
  let aside: String

  private var layout: StoreLayout { rows.layout }

  /// - Parameters:
  ///   - copy: The path of the copy.
  ///   - original: The file that is read.
  ///   - observer: Asked about once a second; false ends the work.
  /// - Returns: What the copy lost besides the stray rows.
  func make(
    _ copy: String, of original: String, observer: (@Sendable () -> Bool)?
  ) throws -> [StrayQuarantine.Loss] {
    try FileCopy.makeFolder(PathText.folder(of: copy))
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(copy + suffix) }
    try FileCopy.copy(original, to: copy) { observer?() ?? true }
    let database = try SQLiteDatabase(copy, mode: .readWrite)
    database.observe(observer)
    // The copy isn't synced: after a crash it is made again.
    try database.execute(
      "PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF; PRAGMA ignore_check_constraints=ON")
    try database.attachImmutable(aside, as: "aside")
    return try database.transaction { () throws(SQLiteError) in
      try dropOddIndexes(in: database)
      var losses: [StrayQuarantine.Loss] = []
      for table in layout.tables { losses += try cut(table, in: database) }
      for join in layout.joinTables { losses += try cut(join, in: database) }
      for found in rows.tables {
        try database.execute("DELETE FROM main.\(quoted(found.table.name)) WHERE \(isStray("Z_PK", found))")
        try raiseMark(of: found, in: database)
      }
      return losses
    }
  }

  /// Drops partial indexes and indexes over expressions.
  ///
  /// Such an index may call functions that don't exist here. No statement of Decant needs such an index.
  private func dropOddIndexes(in database: SQLiteDatabase) throws(SQLiteError) {
    let tables = Set(layout.tables.map(\.name) + layout.joinTables.map(\.name))
    for table in tables.sorted() {
      let odd = try database.rows(
        "SELECT l.name FROM pragma_index_list(?1, 'main') AS l WHERE l.origin = 'c' AND (l.partial = 1 OR EXISTS "
          + "(SELECT 1 FROM pragma_index_xinfo(l.name, 'main') AS x WHERE x.cid = -2))", [.text(table)])
      for row in odd {
        guard case .text(let name)? = row.first else { continue }
        try database.execute("DROP INDEX main.\(quoted(name))")
      }
    }
  }

  private func isStray(_ key: String, _ found: StrayRows.Table) -> String {
    "\(key) IN (SELECT Z_PK FROM aside.\(quoted(found.table.name)))"
  }

  private func found(inTableOf entity: String) -> StrayRows.Table? {
    let name = layout.table(of: entity)?.name
    return rows.tables.first { $0.table.name == name }
  }

  private func cut(
    _ table: StoreLayout.Table, in database: SQLiteDatabase
  ) throws(SQLiteError) -> [StrayQuarantine.Loss] {
    let own = found(inTableOf: table.rootEntity)
    var losses: [StrayQuarantine.Loss] = []
    for reference in StoredReference.all(in: table, of: layout) {
      guard let target = found(inTableOf: reference.target) else { continue }
      let cleared = reference.cleared.map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
      // A column that may not be NULL keeps a dangling reference, which any store may have.
      try database.execute(
        "UPDATE OR IGNORE main.\(quoted(table.name)) SET \(cleared) WHERE \(isStray(quoted(reference.column), target))"
          + (own.map { " AND NOT \(isStray("Z_PK", $0))" } ?? ""))
      losses.append(.init(property: reference.property, arePairs: false, count: database.changes))
    }
    return losses.filter { $0.count > 0 }
  }

  private func cut(
    _ join: StoreLayout.JoinTable, in database: SQLiteDatabase
  ) throws(SQLiteError) -> [StrayQuarantine.Loss] {
    let conditions = [join.first, join.second].compactMap { end -> String? in
      let target = layout.model.relationship(end.relationship.name, of: end.relationship.entity)
      return target.flatMap { found(inTableOf: $0.destinationEntityName) }.map {
        isStray(quoted(end.column), $0)
      }
    }
    guard !conditions.isEmpty else { return [] }
    try database.execute(
      "DELETE FROM main.\(quoted(join.name)) WHERE \(conditions.joined(separator: " OR "))")
    let count = database.changes
    return count == 0 ? [] : [.init(property: join.second.relationship, arePairs: true, count: count)]
  }

  /// Raises the greatest key in `Z_PRIMARYKEY`, so that the stray rows' keys aren't used again.
  private func raiseMark(of found: StrayRows.Table, in database: SQLiteDatabase) throws(SQLiteError) {
    guard let number = layout.entityNumbers[found.table.rootEntity] else { return }
    let last = try database.integer("SELECT max(Z_PK) FROM aside.\(quoted(found.table.name))")
    try database.execute(
      "UPDATE OR IGNORE main.Z_PRIMARYKEY SET Z_MAX = \(last) WHERE Z_ENT = \(number) "
        + "AND (typeof(Z_MAX) <> 'integer' OR Z_MAX < \(last))")
  }
}
