internal import CSQLite
internal import DecantSQLite
internal import Foundation
internal import KeyedArchive

/// Reads and checks the parts of a store when it is opened.
struct StoreReader {
  let path: String
  /// The limit of processor time for a check, in seconds.
  let seconds: Double
  /// The limit of clock time for a check, in seconds.
  ///
  /// A check that takes longer ends with `StoreError.tooSlow`.
  var patience: Double { max(600, seconds * 50) }

  func judge(_ error: SQLiteError) -> StoreError {
    switch error.interruption {
    case .time: return .tooSlow(path: path, seconds: Int(patience))
    case .request: return .sqlite(error)
    case .work, nil: break
    }
    if error.isInterrupt {
      return .damaged(
        path: path,
        findings: ["it keeps its reader busy for more than \(Int(seconds)) s, as no sound store does"])
    }
    return error.isDamage ? .damaged(path: path, findings: [error.message]) : .sqlite(error)
  }

  /// The check with the limits `seconds` and `patience`.
  func bounded(_ check: @escaping SourceChecks.Check) -> SourceChecks.Check {
    { database throws(StoreError) in
      try database.within(seconds: seconds, patience: patience) { () throws(StoreError) in try check(database) }
    }
  }

  func checkPages(_ database: SQLiteDatabase) throws(StoreError) {
    try checkPages(database, statement: "PRAGMA quick_check(10)")
  }

  func checkPages(_ database: SQLiteDatabase, statement: String) throws(StoreError) {
    let findings: [[SQLiteValue]]
    let mark = WatchedFiles.mark
    do { findings = try database.rows(statement) } catch { throw judge(error) }
    let texts = findings.compactMap { row in
      if case .text(let text)? = row.first { text } else { nil }
    }
    guard texts != ["ok"] else { return }
    if texts.contains(where: Self.isOfDisk), let failure = WatchedFiles.take(since: mark) {
      throw FileCopy.failure(failure.path, failure.action, failure.code)
    }
    throw .damaged(path: path, findings: texts)
  }

  /// Whether a finding is a read error of the disk.
  ///
  /// The check reports a page that it can't read with the code of the read error. A short read is a fault of the file,
  /// not of the disk.
  private static func isOfDisk(_ finding: String) -> Bool {
    guard let place = finding.range(of: "error code=") else { return false }
    let code = Int32(finding[place.upperBound...].prefix(while: \.isNumber)) ?? 0
    return code & 0xff == SQLITE_IOERR && code != SQLITE_IOERR | 2 << 8
  }

  func checkIndexes(of table: String, _ database: SQLiteDatabase) throws(StoreError) {
    let findings: [String]
    do { findings = try IndexComparison(database: database).findings(of: table) } catch { throw judge(error) }
    guard findings.isEmpty else { throw .damaged(path: path, findings: findings) }
  }

  func schema(_ database: SQLiteDatabase, _ schemas: StoreSchemas? = nil) throws(SQLiteError) -> StoreSchema {
    let rows = try database.rows("SELECT type, name, sql FROM sqlite_master ORDER BY rowid")
    guard let schemas else { return try schema(rows, database) }
    return try schemas.schema(of: rows) { () throws(SQLiteError) in try schema(rows, database) }
  }

  private func schema(
    _ rows: [[SQLiteValue]], _ database: SQLiteDatabase
  ) throws(SQLiteError) -> StoreSchema {
    var statements: [String: String] = [:]
    var tables: [String: [String]] = [:]
    var indexes: [String: String] = [:]
    var twins: [String] = []
    var foreign: [(type: String, name: String)] = []
    for row in rows {
      guard case .text(let type) = row[0], case .text(let name) = row[1] else { continue }
      if case .text(let text) = row[2] {
        // A trigger may have the name of a table.
        if type != "trigger" || statements[name] == nil { statements[name] = text }
        if type == "index" { indexes[name] = text }
      }
      if type == "view" || type == "trigger" { foreign.append((type, name)) }
      guard type == "table" else { continue }
      if tables[name] != nil { twins.append(name) }
      tables[name] = try columns(of: name, statement: statements[name], in: database)
    }
    return StoreSchema(
      SchemaEvidence(tables: tables, indexes: indexes), statements: statements, twinTables: twins,
      viewsAndTriggers: foreign.filter { entry in
        // The triggers of derived attributes are Core Data's own (docs/formats/core-data-sqlite.md 5.6).
        entry.type == "view" || !tables.keys.contains { entry.name.hasPrefix("Z_DA_\($0)_") }
      }.map(\.name).sorted())
  }

  /// The columns of an ordinary table; empty for a virtual table, because its module must not run.
  private func columns(
    of table: String, statement: String?, in database: SQLiteDatabase
  ) throws(SQLiteError) -> [String] {
    guard let statement, Self.isOrdinary(statement) else { return [] }
    return try database.rows("SELECT name FROM pragma_table_info(?)", [.text(table)]).compactMap {
      if case .text(let column) = $0[0] { column } else { nil }
    }
  }

  static func isOrdinary(_ statement: String) -> Bool {
    let words = statement.split(maxSplits: 2, whereSeparator: \.isWhitespace).prefix(2)
    return words.map { $0.uppercased() } == ["CREATE", "TABLE"]
  }

  /// The first columns of indexes that aren't partial, by table.
  ///
  /// A partial index doesn't have all rows.
  func leadingColumns(_ database: SQLiteDatabase) throws(SQLiteError) -> [String: Set<String>] {
    var columns: [String: Set<String>] = [:]
    for row in try database.rows(
      "SELECT m.name, c.name FROM sqlite_master AS m, pragma_index_list(m.name) AS l, pragma_index_info(l.name) AS c "
        + "WHERE m.type = 'table' AND l.partial = 0 AND c.seqno = 0")
    {
      if case .text(let table) = row[0], case .text(let column) = row[1] {
        columns[table, default: []].insert(column)
      }
    }
    return columns
  }

  /// Refuses a database that isn't a Core Data store, before its content is read.
  ///
  /// A database is also refused if it has virtual tables, or tables whose names differ only in Unicode normal form.
  func checkKind(_ told: StoreSchema) throws(StoreError) {
    for table in ["Z_METADATA", "Z_PRIMARYKEY"] where told.evidence.tables[table] == nil {
      throw .notCoreData(path: path, missing: "table \(table)")
    }
    guard told.twinTables.isEmpty else { throw .unknownTables(path: path, tables: told.twinTables) }
    guard told.virtualTables.isEmpty else { throw .unknownTables(path: path, tables: told.virtualTables) }
  }

  /// The largest accepted size of metadata, in bytes.
  private static let maximumMetadata = 64 << 20

  func metadata(
    _ database: SQLiteDatabase, needsVersionHashes: Bool = true
  ) throws(StoreError) -> StoreMetadata {
    let rows: [[SQLiteValue]]
    do {
      rows = try database.within(seconds: seconds, patience: patience) { () throws(SQLiteError) in
        try database.rows(
          "SELECT Z_UUID, CASE WHEN length(Z_PLIST) > \(Self.maximumMetadata) THEN 'too long' ELSE Z_PLIST END "
            + "FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
      }
    } catch {
      throw error.isDamage || error.isInterrupt || error.mayGetBetter
        ? judge(error) : .damagedMetadata(path: path, reason: error.message)
    }
    guard let row = rows.first else { throw .damagedMetadata(path: path, reason: "the table is empty") }
    guard case .text(let uuid) = row[0] else { throw .damagedMetadata(path: path, reason: "Z_UUID isn't text") }
    guard case .blob(let data) = row[1] else {
      if case .null = row[1] {
        guard needsVersionHashes else { return StoreMetadata(uuid: uuid, entries: [:]) }
        throw .noVersionHashes(path: path)
      }
      throw .damagedMetadata(path: path, reason: "Z_PLIST isn't a blob, or is too long")
    }
    let list: PropertyList
    do { list = try PropertyList(parsing: data) } catch {
      throw .damagedMetadata(path: path, reason: error.description)
    }
    guard let entries = list.dictionary else {
      throw .damagedMetadata(path: path, reason: "Z_PLIST has no dictionary")
    }
    let metadata = StoreMetadata(uuid: uuid, entries: entries)
    guard let hashes = entries[StoreMetadata.Key.hashes] else {
      guard needsVersionHashes else { return metadata }
      throw .noVersionHashes(path: path)
    }
    guard let hashes = hashes.dictionary else {
      throw .damagedMetadata(path: path, reason: "the version hashes aren't a dictionary")
    }
    guard !hashes.isEmpty else {
      guard needsVersionHashes else { return metadata }
      throw .noVersionHashes(path: path)
    }
    guard metadata.versionHashes != nil else {
      throw .damagedMetadata(path: path, reason: "a version hash doesn't have 32 bytes")
    }
    return metadata
  }
}
