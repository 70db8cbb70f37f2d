internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// Makes a private SQLite file from an XML store (NSXMLStoreType), to read from it.
enum XMLStore {
  static let commonTables = [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
  ]

  static func write(_ metadata: StoreMetadata, into database: SQLiteDatabase) throws(SQLiteError) {
    try database.prepare("INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)")
      .run([.text(metadata.uuid), .blob(PropertyListWriting.data(metadata.entries))])
  }

  /// A store that has only the metadata and no entities; this is enough to recognise the version.
  static func outline(
    _ path: String, scratch: String, observer: (@Sendable () -> Bool)?
  ) throws(StoreError) -> SourceStore {
    let reader = try XMLStoreReader(path, pulse: pulse(observer))
    let file = try fresh("outline.sqlite", in: scratch)
    let metadata = try checked(reader)
    do {
      let database = try SQLiteDatabase(file, mode: .create)
      for statement in commonTables { try database.execute(statement) }
      try write(metadata, into: database)
    } catch {
      throw .sqlite(error)
    }
    return try SourceStore(standIn: file, for: path, warnings: [], observer: observer)
  }

  /// A store of that model with all objects of the XML store.
  static func filled(
    _ path: String, model: ManagedObjectModel, version: String, scratch: String,
    observer: (@Sendable () -> Bool)?
  ) throws(StoreError) -> SourceStore {
    let reader = try XMLStoreReader(path, pulse: pulse(observer))
    let file = try fresh("import.sqlite", in: scratch)
    let metadata = try checked(reader)
    let layout: StoreLayout
    do {
      layout = try StoreLayout(model, framework: metadata.framework ?? .current)
    } catch {
      throw .unsupportedModel(path: path, version: version, reason: error.description)
    }
    SQLiteTemporaries.put(into: scratch)
    defer { SQLiteTemporaries.leave(scratch) }
    let warnings = try fill(file, from: reader, layout: layout, observer)
    return try SourceStore(standIn: file, for: path, warnings: warnings, observer: observer)
  }

  /// Fills the file and closes it.
  private static func fill(
    _ file: String, from reader: XMLStoreReader, layout: StoreLayout, _ observer: (@Sendable () -> Bool)?
  ) throws(StoreError) -> [String] {
    let database: SQLiteDatabase
    do { database = try SQLiteDatabase(file, mode: .create) } catch { throw .sqlite(error) }
    database.observe(observer)
    return try XMLImport(reader, layout: layout, database: database).run()
  }

  private static func checked(_ reader: XMLStoreReader) throws(StoreError) -> StoreMetadata {
    let metadata = StoreMetadata(uuid: reader.uuid, entries: reader.metadata)
    guard let hashes = metadata.entries[StoreMetadata.Key.hashes] else {
      throw .noVersionHashes(path: reader.path, kind: .xml)
    }
    guard hashes.dictionary?.isEmpty != true else { throw .noVersionHashes(path: reader.path, kind: .xml) }
    guard metadata.versionHashes != nil else {
      throw .damagedXML(
        path: reader.path, line: 1, reason: "a version hash of the metadata doesn't have 32 bytes")
    }
    return metadata
  }

  /// A free path in the scratch folder; remains of an earlier run are removed.
  private static func fresh(_ name: String, in scratch: String) throws(StoreError) -> String {
    try FileCopy.makeFolder(scratch)
    let file = scratch + "/" + name
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(file + suffix) }
    return file
  }

  /// Calls the observer about once a second.
  private static func pulse(_ observer: (@Sendable () -> Bool)?) -> () -> Bool {
    var next = ContinuousClock.now.advanced(by: .seconds(1))
    return {
      guard let observer, ContinuousClock.now >= next else { return true }
      next = ContinuousClock.now.advanced(by: .seconds(1))
      return observer()
    }
  }
}
