internal import CSQLite
internal import Foundation

/// Arguments and results of functions that SQLite calls.
package enum SQLFunction {
  package static let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY

  /// The call of a function, or of an aggregate for one row.
  package typealias Call =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  /// Registers a function for a connection.
  ///
  /// - Parameters:
  ///   - count: The number of arguments; -1 for any number.
  ///   - state: The object that the function finds with `sqlite3_user_data`. The connection keeps it.
  package static func register(
    _ name: String, arguments count: Int32, flags: Int32 = SQLFunction.flags, state: AnyObject? = nil,
    in database: SQLiteDatabase, _ call: Call
  ) throws(SQLiteError) {
    try check(name, in: database) {
      sqlite3_create_function_v2(
        database.handle, name, count, flags, state.map { Unmanaged.passRetained($0).toOpaque() }, call, nil,
        nil,
        // SQLite also calls this if it refuses the function, so the state is always released.
        { pointer in
          if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
        })
    }
  }

  /// Registers an aggregate for a connection.
  ///
  /// - Parameters:
  ///   - count: The number of arguments; -1 for any number.
  ///   - finish: Gives the result after the last row.
  package static func registerAggregate(
    _ name: String, arguments count: Int32, in database: SQLiteDatabase, step: Call,
    finish: @convention(c) (OpaquePointer?) -> Void
  ) throws(SQLiteError) {
    try check(name, in: database) {
      sqlite3_create_function_v2(database.handle, name, count, flags, nil, nil, step, finish, nil)
    }
  }

  private static func check(
    _ name: String, in database: SQLiteDatabase, _ register: () -> Int32
  ) throws(SQLiteError) {
    try database.alone { () throws(SQLiteError) in
      let code = register()
      guard code == SQLITE_OK else { throw database.error(code, in: "the function \(name)") }
    }
  }

  package static func value(_ values: UnsafeMutablePointer<OpaquePointer?>?, _ place: Int) -> SQLiteValue {
    guard let value = values?[place] else { return .null }
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT: return .text(text(values, place))
    case SQLITE_BLOB:
      guard let bytes = sqlite3_value_blob(value) else { return .blob(Data()) }
      return .blob(Data(bytes: bytes, count: Int(sqlite3_value_bytes(value))))
    default: return .null
    }
  }

  package static func text(_ values: UnsafeMutablePointer<OpaquePointer?>?, _ place: Int) -> String {
    guard let value = values?[place], let bytes = sqlite3_value_text(value) else { return "" }
    let count = Int(sqlite3_value_bytes(value))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  package static func answer(_ context: OpaquePointer?, _ value: SQLiteValue) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(var text):
      text.withUTF8 { bytes in
        guard let count = Int32(exactly: bytes.count) else { return sqlite3_result_error_toobig(context) }
        let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
        start.map { decant_sqlite3_result_text_copy(context, $0, count) } ?? empty(context)
      }
    case .blob(let data):
      data.withUnsafeBytes { bytes in
        guard let count = Int32(exactly: bytes.count) else { return sqlite3_result_error_toobig(context) }
        if count == 0 {
          sqlite3_result_zeroblob(context, 0)
        } else {
          decant_sqlite3_result_blob_copy(context, bytes.baseAddress, count)
        }
      }
    }
  }

  private static func empty(_ context: OpaquePointer?) { decant_sqlite3_result_text_copy(context, "", 0) }

  /// Returns the result of some work to SQLite; if the work throws, the statement ends with this error.
  package static func answer(_ context: OpaquePointer?, _ work: () throws -> SQLiteValue) {
    do {
      answer(context, try work())
    } catch {
      sqlite3_result_error(context, "\(error)", -1)
    }
  }
}
