internal import DecantModel
package import DecantSQLite
internal import Foundation
internal import KeyedArchive
internal import Synchronization

/// A Core Data store opened for reading; the original and its siblings are not changed.
package final class SourceStore: Sendable {
  /// The file format of a store.
  package enum Kind: String, Sendable, Hashable {
    case sqlite
    /// NSXMLStoreType; `readPath` is a private SQLite store made from the XML store, with its objects or only with its
    /// metadata.
    case xml

    /// The name in `NSStoreType`.
    package var name: String { self == .sqlite ? "SQLite" : "XML" }
  }

  package let kind: Kind
  /// The path that the caller gave.
  package let path: String
  /// The file that is read: the store itself, or a private file.
  ///
  /// The private file is a copy that contains the `-wal` or journal, a copy from which rows were removed, or an SQLite
  /// store made from an XML store.
  package let readPath: String
  package let database: SQLiteDatabase
  /// The bytes that the database uses, if a small store is read in memory.
  package let image: StoreImage?
  package let metadata: StoreMetadata
  /// The columns of every table, and the statements of the indexes.
  package var schema: SchemaEvidence { told.evidence }
  /// The statements of tables, indexes, views and triggers by name.
  package var statements: [String: String] { told.statements }
  /// Views and triggers that Core Data doesn't make, in order.
  package var viewsAndTriggers: [String] { told.viewsAndTriggers }
  /// The first columns of indexes that aren't partial, by table.
  package let leadingColumns: [String: Set<String>]
  let told: StoreSchema
  package let usesWriteAheadLog: Bool
  package let pageSize: Int
  /// Sentences about oddities of the store, for the report.
  package let warnings: [String]
  /// The processor time that a check may take, in seconds.
  let seconds: Double
  let rowCounts = Mutex<[String: SourceRowCounts]>([:])
  /// The total number of rows, for tables with no other counts yet.
  let totals = Mutex<[String: Int]>([:])
  /// The key distributions that were computed, by table.
  let spreads = Mutex<[String: KeySpread?]>([:])
  /// The parallel checks; `nil` if all checks run before the migration.
  let checks: SourceChecks?
  /// The scan of a small file, made when the store was opened; `nil` for none.
  let scan: StoreScan?
  /// Called about once a second while a statement runs or a check is waited for; false ends the statement or the wait.
  let observer: (@Sendable () -> Bool)?
  /// The `-wal` or journal that the private copy contains; `nil` for none.
  let sibling: String?

  /// Opens and checks a store; a link is refused, because the store's other files are beside the file itself.
  ///
  /// - Parameters:
  ///   - path: The store file, with its `-wal` or `-journal` beside it.
  ///   - scratch: A folder for the private copy, made when needed.
  ///   - checksPages: Whether every page is checked, as `PRAGMA quick_check` does.
  ///   - isCheckedBeside: Whether a large store is checked in parallel with the migration. No result of the migration
  ///     may then be delivered before `finishChecks(while:)` has returned. If `schemas` is given, a small store may be
  ///     read in memory.
  ///   - seconds: The limit of processor time for the checks, in seconds; `nil` for a limit that follows from the
  ///     store's size. The limit of clock time is much longer, because a disk may be slow.
  ///   - needsVersionHashes: Whether a store without version hashes is refused; Mac OS X 10.4 wrote such stores.
  ///   - schemas: The schemas of earlier stores; `nil` for none.
  ///   - observer: Called about once a second while a statement runs; false ends the statement. The connection keeps
  ///     the observer until `database.observe(nil)`.
  /// - Throws: `StoreError` with the file and the fault.
  package convenience init(
    _ path: String, scratch: String, checksPages: Bool = true, isCheckedBeside: Bool = false,
    seconds: Double? = nil, needsVersionHashes: Bool = true, schemas: StoreSchemas? = nil,
    observer: (@Sendable () -> Bool)? = nil
  ) throws(StoreError) {
    try StoreForms.check(path)
    let header = try StoreFileHeader(readingFrom: path)
    let siblings = try StoreSiblings(of: path)
    do throws(StoreError) {
      try self.init(
        path, header: header, siblings: siblings, scratch: scratch, checksPages: checksPages,
        isCheckedBeside: isCheckedBeside, seconds: seconds, needsVersionHashes: needsVersionHashes,
        schemas: schemas, observer: observer)
    } catch {
      guard let sibling = siblings.log ?? siblings.journal else { throw error }
      throw ForeignSibling(path: path, sibling: sibling).judge(error, observer: observer)
    }
  }

  /// If there are siblings, a private copy with their content is read; else the file itself.
  init(
    _ path: String, header: StoreFileHeader, siblings: StoreSiblings, scratch: String, checksPages: Bool,
    isCheckedBeside: Bool = false, seconds: Double?, needsVersionHashes: Bool, schemas: StoreSchemas? = nil,
    observer: (@Sendable () -> Bool)?
  ) throws(StoreError) {
    self.path = path
    kind = .sqlite
    sibling = siblings.log ?? siblings.journal
    let seconds = seconds ?? 60 + (Double(header.size) + Double(siblings.bytes)) / 2e6
    self.seconds = seconds
    var warnings: [String] = []
    /// The size of the file that is read, in bytes.
    let size: Int
    if siblings.isEmpty {
      readPath = path
      size = header.size
      try header.checkSize(path: path)
    } else {
      let copy = try PrivateCopy.make(
        of: path, siblings: siblings, header: header, in: scratch, seconds: seconds)
      readPath = copy.path
      warnings += copy.warnings
      let folded = try StoreFileHeader(readingFrom: copy.path)
      try folded.checkSize(path: path)
      size = folded.size
    }
    usesWriteAheadLog = header.usesWriteAheadLog
    pageSize = header.pageSize
    self.observer = observer
    let reader = StoreReader(path: path, seconds: seconds)
    do {
      let kept =
        isCheckedBeside
        ? schemas?.connections.source(readPath, seconds: seconds, observer: observer) : nil
      database = try kept?.database ?? SQLiteDatabase(readPath, mode: .immutable)
      image = kept?.image
      // A fault of a copy may come from the sibling, so the copy has to be checked at once.
      let isBeside =
        isCheckedBeside && siblings.isEmpty && header.size >= SourceChecks.smallest
      checks = isBeside ? try SourceChecks(readPath) : nil
      let (file, database) = (readPath, database)
      database.observe(observer)
      (told, leadingColumns, scan) = try database.within(seconds: seconds, patience: reader.patience) {
        if kept == nil { try database.execute(ReadSettings.text) }
        let told =
          if let kept, let schemas {
            try schemas.schema(ofForm: kept.form) { () throws(SQLiteError) in
              try reader.schema(database, schemas)
            }
          } else {
            try reader.schema(database, schemas)
          }
        try reader.checkKind(told)
        var scan: StoreScan?
        if checksPages, !isBeside {
          if size < SourceChecks.smallest {
            scan = try reader.scan(file, holding: kept?.image.bytes) {
              let look = { try? ScannedSchema(database, checksTypes: StoreScan.checksTypes) }
              return if let kept, let schemas { schemas.trees(ofForm: kept.form, make: look) } else { look() }
            }
          }
          if scan == nil { try reader.checkPages(database) }
        }
        let columns = try told.leadingColumns { () throws(SQLiteError) in try reader.leadingColumns(database) }
        return (told, columns, scan)
      }
    } catch let error as StoreError {
      throw error
    } catch let error as SQLiteError {
      throw reader.judge(error)
    } catch {
      throw .damaged(path: path, findings: ["\(error)"])
    }
    do throws(StoreError) {
      metadata = try reader.metadata(database, needsVersionHashes: needsVersionHashes)
    } catch {
      // Damage may be the reason for this error, and is then reported instead.
      if checks != nil, checksPages { try reader.bounded(reader.checkPages)(database) }
      throw error
    }
    if header.usesWriteAheadLog, siblings.log == nil, !FileManager.default.fileExists(atPath: path + "-wal") {
      warnings.append(reader.missingLog(isEmpty: reader.isEmpty(told.evidence, database)))
    }
    self.warnings = warnings
    checks?.scan(
      readPath, seconds: seconds, orElse: checksPages ? reader.bounded(reader.checkPages) : nil)
  }

  /// Opens the private SQLite store that was made from an XML store.
  ///
  /// - Parameters:
  ///   - file: The private store, written by Decant itself.
  ///   - path: The XML store.
  package init(
    standIn file: String, for path: String, warnings: [String], observer: (@Sendable () -> Bool)?
  ) throws(StoreError) {
    self.path = path
    kind = .xml
    sibling = nil
    checks = nil
    scan = nil
    image = nil
    self.observer = observer
    readPath = file
    self.warnings = warnings
    seconds = 1e9
    // This is how the framework creates an SQLite store today (docs/formats/core-data-sqlite.md 10).
    usesWriteAheadLog = true
    pageSize = 4096
    let reader = StoreReader(path: path, seconds: 1e9)
    do {
      database = try SQLiteDatabase(file, mode: .immutable)
      database.observe(observer)
      try database.execute("PRAGMA cache_size=-2000")
      told = try reader.schema(database)
      leadingColumns = try reader.leadingColumns(database)
    } catch {
      throw .sqlite(error)
    }
    metadata = try reader.metadata(database, needsVersionHashes: true)
  }

  /// Opens a private copy of a store; rows were removed from the copy.
  ///
  /// Schema and metadata are those of the original.
  private init(copy file: String, of original: SourceStore) throws(StoreError) {
    path = original.path
    kind = original.kind
    sibling = nil
    checks = nil
    scan = nil
    image = nil
    observer = original.observer
    readPath = file
    warnings = original.warnings
    seconds = original.seconds
    usesWriteAheadLog = original.usesWriteAheadLog
    pageSize = original.pageSize
    (told, leadingColumns, metadata) = (original.told, original.leadingColumns, original.metadata)
    do {
      database = try SQLiteDatabase(file, mode: .immutable)
      database.observe(observer)
      try database.execute(ReadSettings.text)
    } catch {
      throw .sqlite(error)
    }
  }

  /// The same store, but its content is read from a private copy from which rows were removed.
  ///
  /// - Parameter file: The copy; it must exist as long as the store is read.
  /// - Throws: `StoreError.sqlite`.
  package func read(from file: String) throws(StoreError) -> SourceStore {
    try SourceStore(copy: file, of: self)
  }

  /// Runs work that reads the store, within the store's time limit.
  ///
  /// - Throws: `StoreError`; damage is reported as such.
  package func bounded<Result>(_ work: () throws -> Result) throws(StoreError) -> Result {
    let reader = StoreReader(path: path, seconds: seconds)
    do {
      return try database.within(seconds: seconds, patience: reader.patience, work)
    } catch let error as StoreError {
      throw error
    } catch let error as SQLiteError {
      throw reader.judge(error)
    } catch {
      throw .damaged(path: path, findings: ["\(error)"])
    }
  }

  /// Runs a check, and finds out whether its failure comes from the `-wal` or journal.
  ///
  /// If the check fails on the copy but not on the file alone, and both have the same UUID, the sibling belongs to
  /// another store.
  ///
  /// - Throws: The check's error, `StoreError.foreignLog`, or the disk error if the disk fails during the second check.
  package func blamingSibling<Result>(
    _ check: (SourceStore) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) {
      return try check(self)
    } catch {
      guard let sibling else { throw error }
      throw ForeignSibling(path: path, sibling: sibling, uuid: metadata.uuid).judge(error, check)
    }
  }

  /// Compares tables with their indexes; `PRAGMA quick_check` doesn't.
  ///
  /// If the store is checked in parallel, this is also done in parallel, and `finishChecks(while:)` reports the error.
  ///
  /// - Throws: `StoreError`: `damaged` names an index that doesn't match its table.
  package func checkIndexes(of tables: [String]) throws(StoreError) {
    try blamingSibling { store throws(StoreError) in try store.checkOwnIndexes(of: tables) }
  }

  private func checkOwnIndexes(of tables: [String]) throws(StoreError) {
    let reader = StoreReader(path: path, seconds: seconds)
    for table in tables {
      try check { database throws(StoreError) in try reader.checkIndexes(of: table, database) }
    }
  }

  /// Converts an error of SQLite; damage is reported as such.
  package func judged(_ error: SQLiteError) -> StoreError {
    StoreReader(path: path, seconds: seconds).judge(error)
  }

  /// The rows of a statement; damage is reported as such.
  package func rows(_ text: String) throws(StoreError) -> [[SQLiteValue]] {
    do {
      return try database.rows(text)
    } catch {
      throw judged(error)
    }
  }
}
