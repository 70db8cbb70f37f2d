internal import CSQLite
package import Foundation

/// A prepared statement: bind, step, read, reset.
package final class SQLiteStatement {
  private let handle: OpaquePointer
  private let kept: KeptStatement?
  private let database: SQLiteDatabase
  package let text: String

  init(_ text: String, in database: SQLiteDatabase) throws(SQLiteError) {
    let (made, kept) = try database.alone { () throws(SQLiteError) -> (OpaquePointer?, KeptStatement?) in
      if let kept = database.connection.takeStatement(text) { return (kept.handle, kept) }
      var handle: OpaquePointer?
      let code = sqlite3_prepare_v3(database.handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
      guard code == SQLITE_OK else { throw database.error(code, in: text) }
      return (handle, handle.flatMap { database.connection.keep($0, text) })
    }
    guard let handle = made else {
      throw SQLiteError(
        code: SQLITE_MISUSE, message: "an empty statement", statement: text, path: database.path)
    }
    self.handle = handle
    self.kept = kept
    self.database = database
    self.text = text
  }

  deinit {
    guard let kept else {
      sqlite3_finalize(handle)
      return
    }
    let mutex = sqlite3_db_mutex(database.handle)
    sqlite3_mutex_enter(mutex)
    kept.giveBack()
    sqlite3_mutex_leave(mutex)
  }

  /// Binds a value to the parameter of that number, from 1.
  package func bind(_ value: SQLiteValue, at index: Int) throws(SQLiteError) {
    try check(code(ofBinding: value, at: Int32(index)))
  }

  /// Checks the result of a bind call.
  ///
  /// The message follows from the result code alone, so no lock is needed.
  private func check(_ code: Int32) throws(SQLiteError) {
    guard code != SQLITE_OK else { return }
    throw SQLiteError(
      code: code, message: String(cString: sqlite3_errstr(code)), statement: text, path: database.path)
  }

  private func code(ofBinding value: SQLiteValue, at index: Int32) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(handle, index)
    case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
    case .real(let real): sqlite3_bind_double(handle, index, real)
    case .text(let text):
      decant_sqlite3_bind_text_copy(handle, index, text, Int32(clamping: text.utf8.count))
    case .blob(let data):
      data.withUnsafeBytes { bytes in
        bytes.isEmpty
          ? sqlite3_bind_zeroblob(handle, index, 0)
          : decant_sqlite3_bind_blob_copy(handle, index, bytes.baseAddress, Int32(clamping: bytes.count))
      }
    }
  }

  /// Binds bytes as a text, whether or not they are UTF-8.
  package func bind(text: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
    guard let bytes = UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self) else {
      return try bind(.text(""), at: index)
    }
    try check(decant_sqlite3_bind_text_copy(handle, Int32(index), bytes, Int32(clamping: text.count)))
  }

  /// Binds a text without a copy; the bytes must stay in place until the statement has run.
  package func bind(textInPlace text: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
    guard text.count > 0, let start = text.baseAddress?.assumingMemoryBound(to: CChar.self) else {
      return try bind(.text(""), at: index)
    }
    try check(sqlite3_bind_text(handle, Int32(index), start, Int32(clamping: text.count), nil))
  }

  /// Goes to the next row; false after the last row.
  package func step() throws(SQLiteError) -> Bool {
    try database.alone { () throws(SQLiteError) in
      switch sqlite3_step(handle) {
      case SQLITE_ROW: return true
      case SQLITE_DONE: return false
      case let code: throw database.error(code, in: text)
      }
    }
  }

  /// Makes the statement ready for another run; parameters stay bound.
  package func reset() { sqlite3_reset(handle) }

  /// Binds the values, runs to the end, and resets.
  package func run(_ values: [SQLiteValue] = []) throws(SQLiteError) {
    for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
    defer { reset() }
    while try step() {}
  }

  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// A value of the current row; columns count from 0.
  package func value(_ column: Int) -> SQLiteValue {
    let column = Int32(column)
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: return .text(string(Int(column)))
    case SQLITE_BLOB: return .blob(data(Int(column)))
    default: return .null
    }
  }

  /// A value in SQLite's own memory, without a copy.
  package enum Cell {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeBufferPointer<UInt8>)
    case blob(UnsafeRawBufferPointer)
  }

  /// Gives access to a value of the current row while the body runs.
  package func withCell(_ column: Int, _ body: (Cell) -> Void) {
    let column = Int32(column)
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: body(.integer(sqlite3_column_int64(handle, column)))
    case SQLITE_FLOAT: body(.real(sqlite3_column_double(handle, column)))
    case SQLITE_TEXT:
      let start = sqlite3_column_text(handle, column)
      let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
      body(.text(UnsafeBufferPointer(start: start, count: count)))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(handle, column)
      let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
      body(.blob(UnsafeRawBufferPointer(start: start, count: count)))
    default: body(.null)
    }
  }

  /// The column as a whole number, 0 for NULL.
  package func integer(_ column: Int) -> Int { Int(sqlite3_column_int64(handle, Int32(column))) }

  /// The column as text, empty for NULL; invalid UTF-8 is repaired.
  package func string(_ column: Int) -> String {
    guard let bytes = sqlite3_column_text(handle, Int32(column)) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// The column's bytes; empty for NULL.
  package func data(_ column: Int) -> Data {
    guard let bytes = sqlite3_column_blob(handle, Int32(column)) else { return Data() }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, Int32(column))))
  }
}
