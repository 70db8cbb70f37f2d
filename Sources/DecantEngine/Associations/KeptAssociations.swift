internal import DecantSQLite
internal import FileNames
package import Foundation

/// The association file, which maps source objects to destination objects (docs/associations.md).
///
/// It is for people and for applications that store URIs of objects.
package enum KeptAssociations {
  /// The file format's version; a program that doesn't know this number can't read the file.
  static let format = 2
  /// The formats that can be read; format 1 has no table `shared`.
  static let readable = 1...format
  /// The tables that a step fills.
  static let stepTables = ["steps", "mappings", "runs", "shared", "pairs"]

  /// The path of an output's association file: beside the output, with the same name but another extension.
  package static func place(beside store: URL) -> URL {
    let stem = store.deletingPathExtension().lastPathComponent
    return store.deletingLastPathComponent().appendingPathComponent(stem + DeliveredNames.associations)
  }

  /// The tables and views for readers; the row of `steps` with the smallest number is the whole chain.
  static let schema = [
    "CREATE TABLE file (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID",
    "CREATE TABLE steps (step INTEGER PRIMARY KEY, source_version TEXT NOT NULL, "
      + "destination_version TEXT NOT NULL, now REAL NOT NULL)",
    "CREATE TABLE mappings (step INTEGER, mapping INTEGER, pass INTEGER NOT NULL, pass_name TEXT NOT NULL, "
      + "name TEXT NOT NULL, source_entity TEXT NOT NULL, destination_entity TEXT NOT NULL, way TEXT NOT NULL, "
      + "policy TEXT, PRIMARY KEY (step, mapping)) WITHOUT ROWID",
    "CREATE TABLE runs (step INTEGER, mapping INTEGER, first INTEGER, length INTEGER NOT NULL, "
      + "destination INTEGER NOT NULL, PRIMARY KEY (step, mapping, first)) WITHOUT ROWID",
    // Blocks of objects that several source objects share (`SharedBlock`).
    "CREATE TABLE shared (step INTEGER, mapping INTEGER, first INTEGER, objects INTEGER NOT NULL, "
      + "destinations TEXT NOT NULL, PRIMARY KEY (step, mapping, first))",
    "CREATE TABLE pairs (step INTEGER, mapping INTEGER, source_entity TEXT, source INTEGER, "
      + "destination_entity TEXT, destination INTEGER, "
      + "PRIMARY KEY (step, mapping, source, source_entity, destination, destination_entity)) WITHOUT ROWID",
    "CREATE VIEW associations AS WITH RECURSIVE whole (step) AS (SELECT min(step) FROM steps), "
      + "expanded (mapping, source, destination, length) AS ("
      + "SELECT mapping, first, destination, length FROM runs WHERE step = (SELECT step FROM whole) UNION ALL "
      + "SELECT mapping, source + 1, destination + 1, length - 1 FROM expanded WHERE length > 1) "
      + "SELECT m.name AS mapping, ifnull(e.source_entity, m.source_entity) AS source_entity, e.source AS source_key, "
      + "ifnull(e.destination_entity, m.destination_entity) AS destination_entity, e.destination AS destination_key "
      + "FROM (SELECT mapping, NULL AS source_entity, source, NULL AS destination_entity, destination FROM expanded "
      + "UNION ALL SELECT b.mapping, NULL, b.first + j.key, NULL, j.value FROM shared AS b, "
      + "json_each(b.destinations) AS j WHERE b.step = (SELECT step FROM whole) AND j.value IS NOT NULL "
      + "UNION ALL SELECT mapping, source_entity, source, destination_entity, destination FROM pairs "
      + "WHERE step = (SELECT step FROM whole)) AS e "
      + "JOIN mappings AS m ON m.step = (SELECT step FROM whole) AND m.mapping = e.mapping",
    "CREATE VIEW uris AS SELECT mapping, "
      + "'x-coredata://' || f.value || '/' || source_entity || '/p' || source_key AS source_uri, "
      + "'x-coredata://' || f.value || '/' || destination_entity || '/p' || destination_key AS destination_uri "
      + "FROM associations, file AS f WHERE f.key = 'store_uuid'",
  ]

  /// The steps in the file, with their digests; the table is dropped when the file is complete.
  static let work = "CREATE TABLE work (step INTEGER PRIMARY KEY, digest TEXT NOT NULL)"

  /// Makes an empty file; it isn't synced to disk.
  static func make(at path: String) throws(SQLiteError) {
    let database = try SQLiteDatabase(path, mode: .create)
    try database.execute("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF")
    try database.transaction { () throws(SQLiteError) in
      for statement in schema + [work] { try database.execute(statement) }
    }
  }
}
