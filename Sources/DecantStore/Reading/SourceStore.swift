internal import DecantModel
internal import Foundation
internal import KeyedArchive

/// A Core Data SQLite store opened for reading; the original and everything beside it stay as they are.
public final class SourceStore: Sendable {
  /// The store as it was named.
  public let path: String
  /// What is read: the store itself, or a private copy with the `-wal` or journal folded in.
  public let readPath: String
  public let database: SQLiteDatabase
  public let metadata: StoreMetadata
  /// Columns of every table.
  public let schema: SchemaEvidence
  /// The statements of tables, indexes and triggers by name.
  public let statements: [String: String]
  /// The columns that indexes begin with, by table.
  public let leadingColumns: [String: Set<String>]
  public let usesWriteAheadLog: Bool
  public let pageSize: Int
  /// Oddities worth a line in the report.
  public let warnings: [String]

  /// Opens and checks a store.
  ///
  /// - Parameters:
  ///   - path: The store file, with its `-wal` or `-journal` beside it.
  ///   - scratch: A folder for the private copy, made when one is needed.
  ///   - checksPages: Whether every page is checked first (`PRAGMA quick_check`).
  /// - Throws: `StoreError` that names the file and what is wrong.
  public init(_ path: String, scratch: String, checksPages: Bool = true) throws(StoreError) {
    self.path = path
    let header = try StoreFileHeader(readingFrom: path)
    let siblings = PrivateCopy.Siblings(of: path)
    readPath =
      siblings.isEmpty ? path : try PrivateCopy.make(of: path, siblings: siblings, header: header, in: scratch)
    usesWriteAheadLog = header.usesWriteAheadLog
    pageSize = header.pageSize
    var warnings: [String] = []
    if header.usesWriteAheadLog, siblings.log == nil, !FileManager.default.fileExists(atPath: path + "-wal") {
      warnings.append(
        "The store uses a write-ahead log but came without a -wal file; if the application had not closed it, its "
          + "last changes are missing.")
    }
    if let journal = siblings.journal {
      warnings.append("A rollback journal was left behind and applied: \(journal).")
    }
    let reader = StoreReader(path: path)
    do {
      database = try SQLiteDatabase(readPath, mode: .immutable)
      try database.execute("PRAGMA mmap_size=0; PRAGMA cell_size_check=ON; PRAGMA cache_size=-2000")
      if checksPages { try reader.checkPages(database, log: siblings.log) }
      (schema, statements) = try reader.schema(database)
      leadingColumns = try reader.leadingColumns(database)
    } catch let error as StoreError {
      throw error
    } catch let error as SQLiteError {
      throw reader.judge(error)
    } catch {
      throw .damaged(path: path, findings: ["\(error)"])
    }
    metadata = try reader.metadata(database, schema: schema)
    self.warnings = warnings
  }

  /// The rows of a statement, with damage told as such.
  public func rows(_ text: String) throws(StoreError) -> [[SQLiteValue]] {
    do {
      return try database.rows(text)
    } catch {
      throw StoreReader(path: path).judge(error)
    }
  }
}

/// The parts of opening a store.
private struct StoreReader {
  let path: String

  func judge(_ error: SQLiteError) -> StoreError {
    error.isDamage ? .damaged(path: path, findings: [error.message]) : .sqlite(error)
  }

  func checkPages(_ database: SQLiteDatabase, log: String?) throws(StoreError) {
    let findings: [[SQLiteValue]]
    do { findings = try database.rows("PRAGMA quick_check(10)") } catch { throw judge(error) }
    let texts = findings.compactMap { row in
      if case .text(let text)? = row.first { text } else { nil }
    }
    guard texts != ["ok"] else { return }
    if let log {
      throw .foreignLog(path: path, log: log, reason: "with it the store is damaged (\(texts.first ?? ""))")
    }
    throw .damaged(path: path, findings: texts)
  }

  func schema(_ database: SQLiteDatabase) throws(SQLiteError) -> (SchemaEvidence, [String: String]) {
    var statements: [String: String] = [:]
    var tables: [String: [String]] = [:]
    for row in try database.rows("SELECT type, name, sql FROM sqlite_master ORDER BY rowid") {
      guard case .text(let type) = row[0], case .text(let name) = row[1] else { continue }
      if case .text(let text) = row[2] { statements[name] = text }
      guard type == "table" else { continue }
      let columns = try database.rows("SELECT name FROM pragma_table_info(?)", [.text(name)])
      tables[name] = columns.compactMap { if case .text(let column) = $0[0] { column } else { nil } }
    }
    return (SchemaEvidence(tables: tables), statements)
  }

  func leadingColumns(_ database: SQLiteDatabase) throws(SQLiteError) -> [String: Set<String>] {
    var columns: [String: Set<String>] = [:]
    for row in try database.rows(
      "SELECT m.tbl_name, c.name FROM sqlite_master AS m, pragma_index_info(m.name) AS c "
        + "WHERE m.type = 'index' AND c.seqno = 0")
    {
      if case .text(let table) = row[0], case .text(let column) = row[1] { columns[table, default: []].insert(column) }
    }
    return columns
  }

  func metadata(_ database: SQLiteDatabase, schema: SchemaEvidence) throws(StoreError) -> StoreMetadata {
    for table in ["Z_METADATA", "Z_PRIMARYKEY"] where schema.tables[table] == nil {
      throw .notCoreData(path: path, missing: "table \(table)")
    }
    let rows: [[SQLiteValue]]
    do {
      rows = try database.rows("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 2")
    } catch {
      throw error.isDamage ? judge(error) : .damagedMetadata(path: path, reason: error.message)
    }
    guard let row = rows.first else { throw .damagedMetadata(path: path, reason: "the table is empty") }
    guard case .text(let uuid) = row[0] else { throw .damagedMetadata(path: path, reason: "Z_UUID is no text") }
    guard case .blob(let data) = row[1] else {
      if case .null = row[1] { throw .noVersionHashes(path: path) }
      throw .damagedMetadata(path: path, reason: "Z_PLIST is no property list")
    }
    let list: PropertyList
    do { list = try PropertyList(parsing: data) } catch {
      throw .damagedMetadata(path: path, reason: error.description)
    }
    guard let entries = list.dictionary else {
      throw .damagedMetadata(path: path, reason: "Z_PLIST holds no dictionary")
    }
    let metadata = StoreMetadata(uuid: uuid, entries: entries)
    guard let hashes = entries[StoreMetadata.Key.hashes]?.dictionary, !hashes.isEmpty else {
      throw .noVersionHashes(path: path)
    }
    guard metadata.versionHashes != nil else {
      throw .damagedMetadata(path: path, reason: "a version hash is not of 32 bytes")
    }
    return metadata
  }
}
