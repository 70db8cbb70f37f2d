internal import DecantEngine
internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import FileNames
internal import Foundation

/// Makes the store of a source's stray rows.
///
/// The new store is of the source's version. It has the unchanged stray rows, and the pairs of join tables that lead to
/// a stray row.
struct StrayStore {
  let rows: StrayRows
  let source: SourceStore
  let files: QuarantineFiles

  private var layout: StoreLayout { rows.layout }

  /// - Parameter observer: Asked about once a second. False ends the work.
  func make(observer: (@Sendable () -> Bool)?) throws {
    files.remove()
    try FileCopy.makeFolder(PathText.folder(of: files.store))
    let store = try DestinationStore(at: files.store, layout: layout, isOpen: true)
    let database = store.database
    database.observe(observer)
    try database.attachImmutable(source.readPath, as: "whole")
    try database.transaction { () throws(SQLiteError) in
      for found in rows.tables {
        try copy(
          found.table.name, where: StrayRows.condition(found.table, in: layout) + " ORDER BY s.Z_PK",
          in: database)
      }
      for join in layout.joinTables {
        let conditions = ends(join).map {
          "s.\(quoted($0.column)) IN (SELECT Z_PK FROM main.\(quoted($0.table)))"
        }
        guard !conditions.isEmpty else { continue }
        try copy(join.name, where: conditions.joined(separator: " OR "), in: database)
      }
    }
    try store.createFulfilledIndexes()
    var own = source.cloudKitTables.isEmpty ? source.metadata : source.metadata.withoutCloudKit
    own.uuid = QuarantineStore.uuid(of: own.uuid, "stray rows")
    try StrayList(rows: rows, database: database, uuid: source.metadata.uuid).write(
      to: files.list, strayStore: own.uuid)
    // An application doesn't need a cache that can't be read.
    let cache = try? source.ownModelCache()?.content
    try store.finish(metadata: own, maxima: [:], modelCache: cache, usesWriteAheadLog: false)
  }

  private func ends(_ join: StoreLayout.JoinTable) -> [(column: String, table: String)] {
    [join.first, join.second].compactMap { end in
      let target = layout.model.relationship(end.relationship.name, of: end.relationship.entity)
      guard let name = target.flatMap({ layout.table(of: $0.destinationEntityName)?.name }),
        rows.tables.contains(where: { $0.table.name == name })
      else { return nil }
      return (end.column, name)
    }
  }

  // MARK: Unchanged rows

  /// A column as its table's own statement defines it.
  private struct Column: Hashable {
    let name: String
    let type: String
    let isKey: Bool
    /// The place in the table's primary key, from 1; 0 without one.
    let keyPlace: Int64

    /// The column's definition; a type whose name isn't plain text is replaced by a type of the same affinity.
    var definition: String {
      let isPlain = type.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789_ (),".unicodeScalars.contains($0))
      }
      return "\(quoted(name)) \(isKey ? "INTEGER PRIMARY KEY" : isPlain ? type : affinity)"
    }

    /// The affinity of `type` by SQLite's rule (“Datatypes In SQLite”, 3.1).
    private var affinity: String {
      let type = type.uppercased()
      if type.contains("INT") { return "INTEGER" }
      if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) { return "TEXT" }
      if type.contains("BLOB") || type.isEmpty { return "BLOB" }
      return ["REAL", "FLOA", "DOUB"].contains(where: type.contains) ? "REAL" : "NUMERIC"
    }
  }

  private func columns(
    of table: String, in schema: String, _ database: SQLiteDatabase
  ) throws(SQLiteError) -> [Column] {
    try database.rows(
      "SELECT name, upper(type), upper(name) = 'Z_PK', pk FROM pragma_table_info(?1, '\(schema)')",
      [.text(table)]
    ).compactMap { row in
      guard case .text(let name) = row[0] else { return nil }
      let type = if case .text(let type) = row[1] { type } else { "" }
      return Column(name: name, type: type, isKey: row[2] == .integer(1), keyPlace: row[3].integer ?? 0)
    }
  }

  /// Copies rows with all their columns.
  ///
  /// If the source's table isn't as Core Data makes it, the table's own definition is used, so that no value changes. A
  /// join table without its primary key is such a table, too: a pair may occur twice in it.
  private func copy(
    _ table: String, where condition: String, in database: SQLiteDatabase
  ) throws(SQLiteError) {
    let own = try columns(of: table, in: "whole", database)
    if Set(own) != Set(try columns(of: table, in: "main", database)) {
      try remake(table, own, in: database)
    }
    let names = own.map { quoted($0.name) }.joined(separator: ", ")
    let statement =
      "INSERT INTO main.\(quoted(table)) (\(names)) SELECT \(names) FROM whole.\(quoted(table)) AS s NOT INDEXED "
      + "WHERE \(condition)"
    try database.execute(statement)
  }

  private func remake(_ table: String, _ columns: [Column], in database: SQLiteDatabase) throws(SQLiteError) {
    try database.execute(
      "DROP TABLE main.\(quoted(table)); CREATE TABLE main.\(quoted(table)) "
        + "(\(columns.map(\.definition).joined(separator: ", ")))")
  }
}
