internal import DecantEngine
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// The quarantined objects of a step with mapping models, and their source objects from the list.
final class AsideObjects {
  static let table = "Z_EXPECTED_ASIDE"
  static let schema =
    "CREATE TABLE \(table) (source_entity TEXT, source INTEGER, entity TEXT, key INTEGER, mapping INTEGER, "
    + "PRIMARY KEY (source_entity, source, entity, key)) WITHOUT ROWID; "
    + "CREATE INDEX \(table)_MAPPING ON \(table) (mapping, source)"

  private let database: SQLiteDatabase
  private let readPath: String
  /// The quarantine store; held here, so that a private copy of it stays.
  let store: SourceStore
  private let finding: SQLiteStatement
  private let taking: SQLiteStatement
  private let known: SQLiteStatement
  private let listed: SQLiteStatement

  init(
    _ files: QuarantineFiles, of layout: StoreLayout, in database: SQLiteDatabase, scratch: String
  ) throws {
    self.database = database
    store = try Self.open(files.store, of: layout, scratch: scratch)
    readPath = store.readPath
    let insert = try database.prepare(
      "INSERT OR IGNORE INTO main.\(Self.table) (source_entity, source, entity, key) VALUES (?, ?, ?, ?)")
    try AsideList.read(files.list) { entry in
      for source in entry.sources {
        guard let (entity, key) = AsideList.object(source) else { continue }
        try insert.run([.text(entity), .integer(key), .text(entry.entity), .integer(Int64(entry.key))])
      }
    }
    let place = "FROM main.\(Self.table) WHERE source_entity = ?1 AND source = ?2 AND entity = ?3"
    finding = try database.prepare(
      "SELECT key \(place) AND (mapping IS NULL OR mapping = ?4) ORDER BY mapping IS NULL, key LIMIT 1")
    taking = try database.prepare(
      "UPDATE main.\(Self.table) SET mapping = ?4 WHERE source_entity = ?1 AND source = ?2 AND entity = ?3 AND key = ?5"
    )
    known = try database.prepare("SELECT key FROM main.\(Self.table) WHERE mapping = ?1 AND source = ?2")
    listed = try database.prepare(
      "SELECT 1 FROM main.\(Self.table) WHERE source_entity = ?1 AND source = ?2 LIMIT 1")
  }

  func attach() throws(SQLiteError) { try database.attachImmutable(readPath, as: "aside") }

  /// Opens a quarantine store.
  ///
  /// - Throws: `StoreError`, also if the store has another version than the layout's.
  static func open(_ path: String, of layout: StoreLayout, scratch: String) throws -> SourceStore {
    let store = try SourceStore(path, scratch: scratch)
    _ = try store.layout(for: layout.model, version: "the quarantine", acceptsCloudKit: true)
    return store
  }

  /// Takes the quarantined object that a mapping made from a source object, according to the list.
  ///
  /// Later calls for other mappings don't give the same object.
  ///
  /// - Returns: The object's key; `nil` if the list has no such object.
  func take(_ source: Int, of mapping: PassPlan.Mapping) throws(SQLiteError) -> Int? {
    let place: [SQLiteValue] = [
      .text(mapping.source), .integer(Int64(source)), .text(mapping.destination),
      .integer(Int64(mapping.number)),
    ]
    finding.reset()
    for (index, value) in place.enumerated() { try finding.bind(value, at: index + 1) }
    guard try finding.step() else { return nil }
    let key = finding.integer(0)
    finding.reset()
    try taking.run(place + [.integer(Int64(key))])
    return key
  }

  /// Whether the list has an object that was made from a source object.
  func has(_ source: Int64, of entity: String) throws(SQLiteError) -> Bool {
    listed.reset()
    defer { listed.reset() }
    try listed.bind(.text(entity), at: 1)
    try listed.bind(.integer(source), at: 2)
    return try listed.step()
  }

  /// The key of the object that `take` has given for a source object and a mapping; `nil` if there is none.
  func destination(of source: Int, mapping: Int) throws(SQLiteError) -> Int? {
    known.reset()
    defer { known.reset() }
    try known.bind(.integer(Int64(mapping)), at: 1)
    try known.bind(.integer(Int64(source)), at: 2)
    return try known.step() ? known.integer(0) : nil
  }
}
