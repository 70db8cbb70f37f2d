internal import DecantModel
package import DecantSQLite
internal import Foundation
internal import KeyedArchive
internal import Synchronization

/// A Core Data SQLite store opened for reading; the original and everything beside it stay as they are.
package final class SourceStore: Sendable {
  /// Which of Core Data's file formats a store is of.
  package enum Kind: String, Sendable, Hashable {
    case sqlite
    /// NSXMLStoreType; `readPath` is a private SQLite store with the same content.
    case xml

    /// The name as `NSStoreType` gives it.
    package var name: String { self == .sqlite ? "SQLite" : "XML" }
  }

  package let kind: Kind
  /// The store as it was named.
  package let path: String
  /// What is read: the store itself, or a private copy with the `-wal` or journal folded in.
  package let readPath: String
  package let database: SQLiteDatabase
  /// What the database reads, where it reads a small store in memory.
  package let image: StoreImage?
  package let metadata: StoreMetadata
  /// Columns of every table.
  package var schema: SchemaEvidence { told.evidence }
  /// The statements of tables, indexes and triggers by name.
  package var statements: [String: String] { told.statements }
  /// The columns that indexes begin with, by table.
  package let leadingColumns: [String: Set<String>]
  /// What the schema tells.
  let told: StoreSchema
  package let usesWriteAheadLog: Bool
  package let pageSize: Int
  /// Oddities worth a line in the report.
  package let warnings: [String]
  /// How long a check may take.
  let seconds: Double
  /// What has been counted, by table.
  let rowCounts = Mutex<[String: SourceRowCounts]>([:])
  /// All rows of tables of which no more is known yet.
  let totals = Mutex<[String: Int]>([:])
  /// How the keys of tables lie that somebody has asked about.
  let spreads = Mutex<[String: KeySpread?]>([:])
  /// What is checked beside the work; `nil` where all checks are made before it.
  let checks: SourceChecks?
  /// Asked about once a second by what waits.
  let observer: (@Sendable () -> Bool)?
  /// The `-wal` or journal that was folded in.
  let sibling: String?

  /// Opens and checks a store; a link is refused, because what belongs to a store lies beside the file itself.
  ///
  /// - Parameters:
  ///   - path: The store file, with its `-wal` or `-journal` beside it.
  ///   - scratch: A folder for the private copy, made when one is needed.
  ///   - checksPages: Whether every page is checked (`PRAGMA quick_check`).
  ///   - isCheckedBeside: Whether the checks of a large store go on beside the work with it: then nothing that was made
  ///     of the store may be let out before `finishChecks(while:)`.
  ///   - seconds: How long the checks may keep a processor busy; `nil` for a time that no sound store of the file's
  ///     size needs. A slow disk has far longer.
  ///   - needsVersionHashes: Whether a store without them is refused; Mac OS X 10.4 wrote such stores.
  ///   - schemas: What the schemas of earlier stores have told; `nil` for nothing.
  ///   - observer: Asked about once a second while a statement runs; false ends it. It stays until
  ///     `database.observe(nil)`.
  /// - Throws: `StoreError` that names the file and what is wrong.
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

  /// Opens a store with these siblings folded in; with none, the file as it is.
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
    if siblings.isEmpty {
      readPath = path
      try header.checkSize(path: path)
    } else {
      let copy = try PrivateCopy.make(
        of: path, siblings: siblings, header: header, in: scratch, seconds: seconds)
      readPath = copy.path
      warnings += copy.warnings
      try StoreFileHeader(readingFrom: copy.path).checkSize(path: path)
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
      // What is wrong with a copy may come from what was folded into it, which has to be judged at once.
      let isBeside =
        isCheckedBeside && siblings.isEmpty && header.size >= SourceChecks.smallest
      checks = isBeside ? try SourceChecks(readPath) : nil
      let database = database
      database.observe(observer)
      (told, leadingColumns) = try database.within(seconds: seconds, patience: reader.patience) {
        if kept == nil { try database.execute(StoreReader.settings) }
        let told =
          if let kept, let schemas {
            try schemas.schema(ofForm: kept.form) { () throws(SQLiteError) in
              try reader.schema(database, schemas)
            }
          } else {
            try reader.schema(database, schemas)
          }
        try reader.checkKind(told)
        if checksPages, !isBeside { try reader.checkPages(database) }
        return (told, try told.leadingColumns { () throws(SQLiteError) in try reader.leadingColumns(database) })
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
      // What is damaged may look like anything else.
      if checks != nil, checksPages { try reader.bounded(reader.checkPages)(database) }
      throw error
    }
    if header.usesWriteAheadLog, siblings.log == nil, !FileManager.default.fileExists(atPath: path + "-wal") {
      warnings.append(reader.missingLog(isEmpty: reader.isEmpty(told.evidence, database)))
    }
    self.warnings = warnings
    if checksPages { checks?.add(reader.bounded(reader.checkPages)) }
  }

  /// Opens a private SQLite store that stands for an XML store.
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
    image = nil
    self.observer = observer
    readPath = file
    self.warnings = warnings
    seconds = 1e9
    // What the framework gives an SQLite store that it makes today (docs/formats/core-data-sqlite.md 10).
    usesWriteAheadLog = true
    pageSize = 4096
    let reader = StoreReader(path: path, seconds: 1e9)
    do {
      database = try SQLiteDatabase(file, mode: .immutable)
      database.observe(observer)
      try database.execute("PRAGMA mmap_size=0; PRAGMA cache_size=-2000")
      told = try reader.schema(database)
      leadingColumns = try reader.leadingColumns(database)
    } catch {
      throw .sqlite(error)
    }
    metadata = try reader.metadata(database, needsVersionHashes: true)
  }

  /// Opens a private copy of a store from which something was taken away; schema and metadata are the store's.
  ///
  /// - Parameter file: The copy, written by Decant itself.
  private init(copy file: String, of original: SourceStore) throws(StoreError) {
    path = original.path
    kind = original.kind
    sibling = nil
    checks = nil
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
      try database.execute(StoreReader.settings)
    } catch {
      throw .sqlite(error)
    }
  }

  /// The store as it is read from a private copy from which something was taken away.
  ///
  /// - Parameter file: The copy; it has to stay as long as the store is read.
  /// - Throws: `StoreError.sqlite`.
  package func read(from file: String) throws(StoreError) -> SourceStore {
    try SourceStore(copy: file, of: self)
  }

  /// Runs work that reads the store, within the time that no sound store of its size needs.
  ///
  /// - Throws: `StoreError`, with damage told as such.
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

  /// Runs a check; where it fails on a copy with a `-wal` or journal folded in but not on the file alone, the sibling
  /// is another store's.
  ///
  /// - Throws: The check's error, or `StoreError.foreignLog`.
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

  /// Compares tables with their indexes, which the check of every page (`PRAGMA quick_check`) doesn't do.
  ///
  /// - Throws: `StoreError.damaged` that names the index.
  package func checkIndexes(of tables: [String]) throws(StoreError) {
    try blamingSibling { store throws(StoreError) in try store.checkOwnIndexes(of: tables) }
  }

  private func checkOwnIndexes(of tables: [String]) throws(StoreError) {
    let reader = StoreReader(path: path, seconds: seconds)
    for table in tables {
      try check { database throws(StoreError) in try reader.checkIndexes(of: table, database) }
    }
  }

  /// An error of SQLite's, with damage told as such.
  package func judged(_ error: SQLiteError) -> StoreError { StoreReader(path: path, seconds: 0).judge(error) }

  /// The rows of a statement, with damage told as such.
  package func rows(_ text: String) throws(StoreError) -> [[SQLiteValue]] {
    do {
      return try database.rows(text)
    } catch {
      throw judged(error)
    }
  }
}
