internal import CSQLite
internal import FileNames
internal import Foundation

/// A connection to one SQLite file, hardened for files of unknown origin.
///
/// `@unchecked Sendable`: if several queues share the connection, SQLite's serialised mode locks every call; otherwise
/// one queue uses it. Queues don't share statements. An error's message is read under the lock of the call that failed.
package final class SQLiteDatabase: @unchecked Sendable {
  package enum Mode: Sendable {
    /// Reads a file that doesn't change, without a lock. A `-wal` or journal is ignored.
    case immutable
    /// Reads and writes; the file must exist.
    case readWrite
    /// Reads and writes; the file is made if it doesn't exist.
    case create
    /// A separate database in memory. The path is only a name for messages.
    case memory
  }

  package let connection: SQLiteConnection
  package var handle: OpaquePointer { connection.handle }
  package let path: String

  /// Switches off SQLite's memory statistics, which need a lock.
  ///
  /// Call it in a process of Decant's own, before any other call into SQLite.
  package static func countNoMemory() { decant_sqlite3_count_no_memory() }

  /// Opens a file.
  ///
  /// The folders above the file may be links; the file itself must not be a link.
  ///
  /// - Parameter isShared: Whether several queues may use the connection at the same time. If false, SQLite takes three
  ///   locks fewer for each value that is read.
  /// - Throws: `SQLiteError`; often only the first statement finds damage.
  package init(_ path: String, mode: Mode, isShared: Bool = true) throws(SQLiteError) {
    let flags: Int32 =
      switch mode {
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
      // SQLITE_OPEN_MEMORY isn't used, because with it attached databases would be in memory, too.
      case .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
      }
    let name =
      switch mode {
      case .immutable: Self.uri(of: path, immutable: true)
      case .readWrite, .create: Self.uri(of: path, immutable: false)
      case .memory: ":memory:"
      }
    var handle: OpaquePointer?
    let mark = WatchedFiles.mark
    let code = sqlite3_open_v2(
      name, &handle,
      flags | (isShared ? SQLITE_OPEN_FULLMUTEX : SQLITE_OPEN_NOMUTEX) | SQLITE_OPEN_EXRESCODE
        | SQLITE_OPEN_NOFOLLOW, WatchedFiles.name)
    guard code == SQLITE_OK, let handle else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      var error = SQLiteError(code: code, message: message, statement: nil, path: path)
      error.findCause(handle, since: mark)
      sqlite3_close_v2(handle)
      throw error
    }
    connection = SQLiteConnection(handle)
    self.path = path
    try harden()
  }

  /// Uses a connection that is open already.
  package init(_ connection: SQLiteConnection, named path: String) {
    self.connection = connection
    self.path = path
  }

  deinit { connection.home?(connection) }

  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")

  /// The URI of a file for SQLite, so that no character of its path has a special meaning.
  ///
  /// Links above the file are resolved, because SQLite is opened with a flag that allows none.
  private static func uri(of path: String, immutable: Bool) -> String {
    let folder = realpath(PathText.folder(of: path), nil).map { pointer in
      defer { free(pointer) }
      return String(cString: pointer)
    }
    let absolute = folder.map { ($0 == "/" ? "" : $0) + "/" + PathText.name(of: path).text } ?? path
    let escaped = absolute.addingPercentEncoding(withAllowedCharacters: unreserved) ?? absolute
    return "file:\(escaped)\(immutable ? "?immutable=1" : "")"
  }

  /// Allows or refuses statements that write the schema table after `PRAGMA writable_schema=ON`; refused by default.
  ///
  /// Use it only for a file that Decant writes itself.
  package func allowSchemaWrites(_ isAllowed: Bool) {
    _ = decant_sqlite3_set_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, isAllowed ? 0 : 1)
  }

  /// Stops triggers and views of the file from running, distrusts its schema and pages, and sets limits.
  private func harden() throws(SQLiteError) {
    _ = decant_sqlite3_set_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = decant_sqlite3_set_config_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = decant_sqlite3_set_config_flag(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    _ = decant_sqlite3_set_config_flag(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    _ = decant_sqlite3_set_config_flag(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    _ = decant_sqlite3_set_config_flag(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    // Decant's own statements and genuine stores need no more than these limits. Some are SQLite's defaults, which a
    // build of SQLite may have raised. Inline data may be large, so the length of a value is the default.
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1_000_000_000)
    sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, 2_000)
    sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 1_000)
    sqlite3_limit(handle, SQLITE_LIMIT_COMPOUND_SELECT, 500)
    sqlite3_limit(handle, SQLITE_LIMIT_FUNCTION_ARG, 127)
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 2)
    sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 1)
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 16 << 20)
    sqlite3_limit(handle, SQLITE_LIMIT_VDBE_OP, 5_000_000)
    sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000)
    sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, 32_766)
    sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0)
    sqlite3_busy_timeout(handle, 5_000)
    // A file that shrinks while it is mapped would end the process, so no file is mapped. Both settings apply to
    // attached files, too.
    try execute("PRAGMA mmap_size=0; PRAGMA cell_size_check=ON")
  }

  /// Attaches a file that doesn't change, read-only, without its `-wal` or journal.
  package func attachImmutable(_ path: String, as name: String) throws(SQLiteError) {
    connection.isSpoiled = true
    try prepare("ATTACH ? AS \(quoted(name))").run([.text(Self.uri(of: path, immutable: true))])
  }

  /// Attaches an existing file for reading and writing.
  package func attach(_ path: String, as name: String) throws(SQLiteError) {
    connection.isSpoiled = true
    try prepare("ATTACH ? AS \(quoted(name))").run([.text(Self.uri(of: path, immutable: false))])
  }

  package func detach(_ name: String) throws(SQLiteError) {
    try execute("DETACH \(quoted(name))")
  }

  /// Runs one or more statements without parameters.
  package func execute(_ text: String) throws(SQLiteError) {
    try alone { () throws(SQLiteError) in
      let code = sqlite3_exec(handle, text, nil, nil, nil)
      guard code == SQLITE_OK else { throw error(code, in: text) }
    }
  }

  /// Makes a call and reads its error under one lock, so that another queue's statement can't replace the message.
  package func alone<Result>(_ call: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    let mutex = sqlite3_db_mutex(handle)
    sqlite3_mutex_enter(mutex)
    defer { sqlite3_mutex_leave(mutex) }
    connection.callMark = WatchedFiles.mark
    return try call()
  }

  package func prepare(_ text: String) throws(SQLiteError) -> SQLiteStatement {
    try SQLiteStatement(text, in: self)
  }

  /// All rows of a statement, for answers that are known to be small.
  package func rows(_ text: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> [[SQLiteValue]] {
    let statement = try prepare(text)
    for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
    var rows: [[SQLiteValue]] = []
    while try statement.step() { rows.append((0..<statement.columnCount).map { statement.value($0) }) }
    return rows
  }

  /// The first column of the first row as a whole number; 0 without a row.
  package func integer(_ text: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int {
    let statement = try prepare(text)
    for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Whether a statement that would commit is an error.
  package var refusesCommits: Bool {
    get { connection.gate.isClosed }
    set { connection.gate.isClosed = newValue }
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  package var changes: Int { Int(sqlite3_changes64(handle)) }

  /// Runs work that has a deadline; a statement that runs beyond the deadline ends with `SQLiteError.isInterrupt`.
  ///
  /// - Parameters:
  ///   - seconds: The processor time that this thread may use during the work, in seconds. Waiting for a disk doesn't
  ///     count.
  ///   - patience: The clock time of the work, in seconds.
  package func within<Result, Failure: Error>(
    seconds: Double, patience: Double = .infinity, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try connection.deadline.within(seconds: seconds, patience: patience, work)
  }

  /// Calls the observer about once a second while a statement runs; false ends the statement.
  package func observe(_ observer: (@Sendable () -> Bool)?) { connection.deadline.observer = observer }

  /// Interrupts a statement that runs on another thread; it ends with `SQLiteError.isInterrupt`.
  package func interrupt() { sqlite3_interrupt(handle) }

  /// Runs work in one transaction, which is rolled back if the work throws.
  package func transaction<Result>(_ work: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try work()
      try execute("COMMIT")
      return result
    } catch {
      // The transaction may have ended by itself; the first error is reported.
      try? execute("ROLLBACK")
      throw error
    }
  }

  func error(_ code: Int32, in text: String?) -> SQLiteError {
    connection.isSpoiled = true
    let extended = sqlite3_extended_errcode(handle)
    let best = extended & 0xff == code & 0xff ? extended : code
    var error = SQLiteError(
      code: best, message: String(cString: sqlite3_errmsg(handle)), statement: text, path: path)
    if error.isInterrupt { error.interruption = connection.deadline.cause ?? .request }
    error.findCause(handle, since: connection.callMark)
    return error
  }
}

/// A name quoted for use in a statement.
package func quoted(_ name: String) -> String {
  name.utf8.contains(UInt8(ascii: "\"")) ? "\"" + name.replacing("\"", with: "\"\"") + "\"" : "\"\(name)\""
}
