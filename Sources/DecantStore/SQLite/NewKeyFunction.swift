internal import CSQLite

/// The SQL function through which new primary keys are drawn, so that keys without room end a statement with words.
package enum NewKeyFunction {
  /// Name of the function of one value: gives it back where it can be a new key, NULL for NULL, and else an error.
  package static let name = "decant_new_key"

  /// Keys that can be given out; half of what there is leaves room for everything that counts keys.
  private static let room: ClosedRange<Int64> = 1...Int64.max / 2

  /// Why no key can be given out.
  package struct Exhausted: Error, CustomStringConvertible {
    let next: SQLiteValue?

    package var description: String {
      let words =
        switch next {
        case .integer(let key)?: "\(key)"
        // SQLite goes on with doubles where whole numbers end.
        case .real?: "beyond \(Int64.max)"
        default: "unknown"
        }
      return
        "there are no primary keys left: the next one would be \(words); the source's keys or its Z_PRIMARYKEY are damaged"
    }
  }

  /// - Throws: `Exhausted`.
  package static func checked(_ next: SQLiteValue?) throws(Exhausted) -> Int64 {
    guard case .integer(let key)? = next, room.contains(key) else { throw Exhausted(next: next) }
    return key
  }

  package static func register(in database: SQLiteDatabase) {
    sqlite3_create_function_v2(
      database.handle, name, 1, SQLFunction.flags, nil,
      { context, _, values in
        SQLFunction.answer(context) {
          let value = SQLFunction.value(values, 0)
          return value == .null ? .null : .integer(try NewKeyFunction.checked(value))
        }
      }, nil, nil, nil)
  }
}
