internal import DecantModel
package import DecantSQLite
package import Foundation

/// A store that is being written.
///
/// Before `seal`, a store that isn't in memory is a working file with a rollback journal: if the process is killed, the
/// file keeps all committed transactions.
package final class DestinationStore: Sendable {
  package let database: SQLiteDatabase
  package let layout: StoreLayout
  package let path: String
  let statements: SchemaStatements
  /// Whether the store is built in memory, without a file before `seal`.
  private let isInMemory: Bool

  /// Opens a working file, or makes it with all tables of the layout and no indexes.
  ///
  /// - Parameters:
  ///   - furtherTables: Statements of tables outside the model, such as those of persistent history.
  ///   - workTables: The statements, by table name, of tables that exist only while the file is being written.
  ///   - isOpen: Whether the tables accept rows that break uniqueness constraints, until `constrain` is called.
  ///   - reshaping: The tables that stay, if the file is a copy of the source; else `nil`.
  ///   - isDurable: Whether each commit is on the disk when it returns. If not, a power cut may leave anything in the
  ///     file, until a commit after `makeDurable`.
  ///   - observer: Called about once a second while a statement runs; false ends the statement.
  ///   - beginning: Writes the first rows of a new or reshaped file.
  /// - Throws: `StoreError`; `LayoutError` if the layout has unsettled names.
  package init(
    at path: String, layout: StoreLayout, furtherTables: [String] = [], workTables: [String: String] = [:],
    isOpen: Bool = false, reshaping: Reshaping? = nil, isDurable: Bool = true,
    observer: (@Sendable () -> Bool)? = nil,
    beginning: (SQLiteDatabase) throws(SQLiteError) -> Void = { _ throws(SQLiteError) in }
  ) throws {
    statements = try SchemaStatements(layout)
    self.layout = layout
    self.path = path
    isInMemory = false
    let isNew = !FileManager.default.fileExists(atPath: path)
    do {
      database = try SQLiteDatabase(path, mode: .create)
      database.observe(observer)
      // The format settings write the header at once. The file is still empty, so a power cut loses nothing.
      if isNew { try database.execute("PRAGMA synchronous=OFF; " + EmptyStores.format) }
      // Debian's SQLite overwrites freed pages, and writes their old content to the journal first. With FAST, it only
      // overwrites content that is removed from kept pages. `seal` gives pages that were freed here back to the disk.
      try database.execute(
        "PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=\(isDurable ? "FULL" : "OFF"); PRAGMA cache_size=-4000; "
          + "PRAGMA secure_delete=FAST; PRAGMA temp.secure_delete=OFF")
      if isNew { try createTables(furtherTables, workTables, isOpen: isOpen, beginning) }
      if let reshaping {
        try reshape(reshaping, further: furtherTables, workTables: workTables)
        try beginning(database)
      }
    } catch {
      throw StoreError.sqlite(error)
    }
  }

  /// Creates a small store in memory, with all tables and indexes except unique ones; `seal` writes it to `path`.
  ///
  /// - Parameters:
  ///   - emptyStores: The cache of empty stores.
  ///   - limit: The largest size in bytes. A statement that needs more ends with `SQLITE_FULL`.
  ///   - source: The source, which is attached as “source”, and the kept connections to use; `nil` for none.
  /// - Throws: `StoreError`; `LayoutError` if the layout has unsettled names.
  package init(
    inMemoryFor path: String, layout: StoreLayout, furtherTables: [String], workTables: [String: String],
    emptyStores: EmptyStores, limit: Int, source: (image: StoreImage, connections: KeptConnections)? = nil
  ) throws {
    statements = try SchemaStatements(layout)
    self.layout = layout
    self.path = path
    isInMemory = true
    let work = workTables.keys.sorted().compactMap { workTables[$0] }
    let indexes = statements.indexes.filter { $0.hasPrefix("CREATE INDEX ") }
    do {
      let all = statements.tables + furtherTables + work + indexes
      let empty = try emptyStores.store(creating: all)
      database =
        if let source {
          try source.connections.destination(
            empty, named: path, limit: limit, source: source.image)
        } else {
          try SQLiteDatabase(image: empty.bytes, named: path, limit: limit)
        }
    } catch {
      throw StoreError.sqlite(error)
    }
  }

  private func createTables(
    _ further: [String], _ workTables: [String: String], isOpen: Bool,
    _ beginning: (SQLiteDatabase) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let tables = isOpen ? openTables : statements.tables
    try database.transaction { () throws(SQLiteError) in
      for statement in tables + further { try database.execute(statement) }
      for name in workTables.keys.sorted() { try database.execute(workTables[name] ?? "") }
      try beginning(database)
    }
  }

  /// Makes each commit from now on wait until its data are on the disk; the next commit syncs the whole file.
  package func makeDurable() throws(SQLiteError) { try database.execute("PRAGMA synchronous=FULL") }

  package var tableNames: [String] { statements.tables.map(Self.name) }

  /// Whether any of the layout's indexes exists.
  package func hasIndexes() throws(SQLiteError) -> Bool {
    let existing = try names(of: "index")
    return statements.indexes.contains { existing.contains(Self.name(of: $0)) }
  }

  /// The statements of missing indexes, in creation order.
  package func missingIndexes() throws(SQLiteError) -> [String] {
    // A store in memory has all indexes except unique ones from the start.
    if isInMemory, !statements.indexes.contains(where: { $0.hasPrefix("CREATE UNIQUE ") }) { return [] }
    let existing = try names(of: "index")
    return statements.indexes.filter { !existing.contains(Self.name(of: $0)) }
  }

  /// The name of the object that a statement creates.
  package static func name(of statement: String) -> String {
    // Splits bytes, and only up to the name, because this runs for all indexes of every store.
    let words = statement.utf8.split(separator: UInt8(ascii: " "), maxSplits: 4).map(Substring.init)
    let index = words.first == "CREATE" && words.dropFirst().first == "UNIQUE" ? 3 : 2
    return words.count > index ? String(words[index]) : ""
  }

  /// The table in the statement of an index; `nil` if the statement names none.
  package static func table(ofIndex statement: String) -> String? {
    guard let start = statement.range(of: " ON ") else { return nil }
    return String(statement[start.upperBound...].prefix { $0 != " " && $0 != "(" })
  }

  private func names(of type: String) throws(SQLiteError) -> Set<String> {
    Set(
      try database.rows("SELECT name FROM sqlite_master WHERE type = ?", [.text(type)]).compactMap {
        if case .text(let name)? = $0.first { name } else { nil }
      })
  }

  /// Calls `administer` and then `seal`.
  package func finish(
    metadata: StoreMetadata, maxima: [String: Int], further: [(row: PrimaryKeyRow, maximum: Int)] = [],
    modelCache: Data? = nil, workTables: [String] = [], usesWriteAheadLog: Bool
  ) throws {
    try administer(metadata: metadata, maxima: maxima, further: further, modelCache: modelCache)
    try seal(workTables: workTables, usesWriteAheadLog: usesWriteAheadLog)
  }

  /// Writes entity numbers with their high-water marks, metadata, model cache and triggers.
  ///
  /// This may be repeated.
  ///
  /// - Parameters:
  ///   - maxima: The least high-water mark of each root entity (docs/formats/core-data-sqlite.md 3.2). A larger key in
  ///     the table counts instead.
  ///   - further: Rows of `Z_PRIMARYKEY` outside the model (docs/formats/core-data-sqlite.md 3.3), with their
  ///     high-water marks.
  ///   - modelCache: The content of `Z_MODELCACHE` (docs/formats/core-data-sqlite.md 6.4); `nil` for none. It isn't
  ///     written for a framework without that table.
  package func administer(
    metadata: StoreMetadata, maxima: [String: Int], further: [(row: PrimaryKeyRow, maximum: Int)] = [],
    modelCache: Data? = nil
  ) throws(SQLiteError) {
    let triggers = try names(of: "trigger")
    try database.transaction { () throws(SQLiteError) in
      try database.execute("DELETE FROM Z_PRIMARYKEY; DELETE FROM Z_METADATA")
      let insert = try database.prepare(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)")
      func write(_ row: PrimaryKeyRow, _ maximum: Int) throws(SQLiteError) {
        try insert.run([
          .integer(Int64(row.number)), .text(row.name), .integer(Int64(row.superNumber)),
          .integer(Int64(maximum)),
        ])
      }
      for row in PrimaryKeyRow.rows(of: layout) {
        try write(row, row.superNumber == 0 ? try maximum(of: row.name, atLeast: maxima[row.name] ?? 0) : 0)
      }
      for item in further { try write(item.row, item.maximum) }
      let data = PropertyListWriting.data(metadata.entries)
      try database.prepare("INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)")
        .run([.text(metadata.uuid), .blob(data)])
      if let modelCache, layout.framework.writesModelCache {
        try database.execute("DELETE FROM Z_MODELCACHE")
        try database.prepare("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)").run([.blob(modelCache)])
      }
      for statement in statements.triggers where !triggers.contains(Self.name(of: statement)) {
        try database.execute(statement)
      }
    }
  }

  /// The number of pages that one transaction gives back; a sixteenth of the free pages if that is more.
  ///
  /// If one transaction gave many pages back, its journal would be as large as the freed space.
  private static let pagesAtOnce = 256

  /// Drops the work tables, gives free pages back, and sets the file's final journal mode.
  ///
  /// For a file, this may be repeated. For a store in memory, this works only once: it writes the complete store to
  /// `path`, but doesn't make the file durable.
  ///
  /// - Parameter leastFree: If it is n, free pages are given back only if they are more than 1/n of all pages. If it is
  ///   `nil`, all free pages are given back.
  /// - Throws: `SQLiteError`, `StoreError`.
  package func seal(workTables: [String], usesWriteAheadLog: Bool, leastFree: Int? = nil) throws {
    try database.transaction { () throws(SQLiteError) in
      for table in workTables { try database.execute("DROP TABLE IF EXISTS \(quoted(table))") }
      let free = try pagesToGiveBack(leastFree)
      if free > 0, isInMemory || free <= Self.pagesAtOnce {
        try database.execute("PRAGMA main.incremental_vacuum")
      }
    }
    var free = try pagesToGiveBack(leastFree)
    let pages = max(Self.pagesAtOnce, free / 16)
    while free > 0 {
      try database.execute("PRAGMA main.incremental_vacuum(\(pages))")
      let left = try freePages()
      // If another program has changed the header, SQLite may free no page.
      guard left < free else { break }
      free = left
    }
    if isInMemory { return try write(usesWriteAheadLog: usesWriteAheadLog) }
    _ = try database.rows("PRAGMA main.journal_mode=\(usesWriteAheadLog ? "WAL" : "DELETE")")
  }

  private func pagesToGiveBack(_ leastFree: Int?) throws(SQLiteError) -> Int {
    let free = try freePages()
    guard let leastFree else { return free }
    return try free * leastFree <= database.integer("PRAGMA main.page_count") ? 0 : free
  }

  private func freePages() throws(SQLiteError) -> Int { try database.integer("PRAGMA main.freelist_count") }

  /// Writes the store in memory to its path; the journal mode is in two bytes of the header (SQLite's file format,
  /// 1.3.3).
  private func write(usesWriteAheadLog: Bool) throws {
    try database.withImage { image throws(StoreError) in
      try FileCopy.makeFile(path, holding: image, changing: usesWriteAheadLog ? (18, [2, 2]) : nil)
    }
  }

  private func maximum(of root: String, atLeast: Int) throws(SQLiteError) -> Int {
    guard let table = layout.table(of: root) else { return atLeast }
    return max(atLeast, try database.integer("SELECT max(Z_PK) FROM \(quoted(table.name))"))
  }
}
