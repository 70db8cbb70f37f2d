internal import CSQLite
internal import Foundation

/// The arguments of an SQL function, read in SQLite's own memory.
package struct FunctionArguments {
  private let values: UnsafeMutablePointer<OpaquePointer?>?

  init(_ values: UnsafeMutablePointer<OpaquePointer?>?) { self.values = values }

  package func isNull(_ place: Int) -> Bool { sqlite3_value_type(values?[place]) == SQLITE_NULL }

  package func isInteger(_ place: Int) -> Bool { sqlite3_value_type(values?[place]) == SQLITE_INTEGER }

  /// The argument as a whole number; 0 for NULL.
  package func integer(_ place: Int) -> Int64 { sqlite3_value_int64(values?[place]) }

  package func value(_ place: Int) -> SQLiteValue { SQLFunction.value(values, place) }

  /// The bytes of a text, valid until the closure ends; `nil` for other values.
  package func withText<Result>(
    _ place: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    guard let value = values?[place], sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
    guard let bytes = sqlite3_value_text(value) else { return nil }
    return try body(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
  }
}

extension SQLiteDatabase {
  private final class Body {
    let call: (FunctionArguments) throws -> Int64?

    init(_ call: @escaping (FunctionArguments) throws -> Int64?) { self.call = call }
  }

  /// Registers an SQL function that gives a whole number or NULL for each row.
  ///
  /// A schema can't call it. An error ends the statement, and its text becomes SQLite's message.
  package func register(
    _ name: String, arguments count: Int32, _ call: @escaping (FunctionArguments) throws -> Int64?
  ) throws(SQLiteError) {
    try SQLFunction.register(name, arguments: count, state: Body(call), in: self) { context, _, values in
      guard let body = sqlite3_user_data(context) else { return sqlite3_result_null(context) }
      do {
        let number = try Unmanaged<Body>.fromOpaque(body).takeUnretainedValue().call(FunctionArguments(values))
        if let number { sqlite3_result_int64(context, number) } else { sqlite3_result_null(context) }
      } catch let error as SQLiteError {
        // A full disk in a statement inside the function is reported as a full disk.
        sqlite3_result_error(context, error.message, -1)
        sqlite3_result_error_code(context, error.code)
      } catch {
        sqlite3_result_error(context, "\(error)", -1)
      }
    }
  }
}
