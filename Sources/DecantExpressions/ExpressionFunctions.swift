internal import CSQLite
package import DecantSQLite
internal import Foundation
package import PredicateFormat

/// The SQL functions in the statements of `SourceSQL` and `AttributeFit`.
///
/// Only statements can call them, schemas can't (`SQLITE_DIRECTONLY`). An error of the evaluator ends the statement,
/// and its text becomes SQLite's message.
package enum ExpressionFunctions {
  static let real = "decant_real"
  static let now = "decant_now"
  static let misfit = "decant_misfit"
  static let unknownKey = "decant_unknown_key"
  static let value = "decant_value"
  static let condition = "decant_condition"
  static let tagged = "decant_tagged"
  static let plain = "decant_plain"
  static let list = "decant_list"
  static let set = "decant_set"
  static let fit = "decant_fit"

  /// Registers the functions for a connection.
  ///
  /// - Parameters:
  ///   - now: The value of `now()`, in seconds since 2001-01-01 00:00:00 UTC.
  ///   - job: The text that identifies the job. `uuid()` derives identifiers from it and the source object.
  ///   - functions: The functions that aren't part of the predicate language. Evaluation row by row must use the same
  ///     table.
  package static func register(
    in database: SQLiteDatabase, now: Double, job: String = "", functions: FunctionTable = .library
  ) {
    let handle = database.handle
    let context = EvaluationContext(now: now, job: job, functions: functions)
    // Registering a function again makes SQLite recompile all statements.
    if let known = database.connection.functionState(ResidueState.self) {
      known.context = context
      return
    }
    let state = ResidueState(context)
    database.connection.setFunctionState(state)
    registerPlain(handle)
    registerErrors(handle)
    ResidueFunctions.register(handle, state)
    GatheringFunctions.register(handle)
    FitFunction.register(handle)
    NativeFunction.register(handle)
  }

  private static func registerPlain(_ handle: OpaquePointer) {
    let flags = SQLFunction.flags | SQLITE_DETERMINISTIC
    sqlite3_create_function_v2(
      handle, real, 1, flags, nil,
      { context, _, values in
        guard case .integer(let bits) = SQLFunction.value(values, 0) else { return }
        sqlite3_result_double(context, Double(bitPattern: UInt64(bitPattern: bits)))
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      handle, tagged, 2, flags, nil,
      { context, _, values in
        SQLFunction.answer(context) {
          guard let code = LeafCode(SQLFunction.text(values, 0)) else { throw TaggedValue.Malformed() }
          return try TaggedValue.sqlite(try code.value(SQLFunction.value(values, 1)))
        }
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      handle, plain, 1, flags, nil,
      { context, _, values in
        SQLFunction.answer(context) {
          try PlainValue.sqlite(try TaggedValue.value(SQLFunction.value(values, 0)))
        }
      }, nil, nil, nil)
  }

  /// They aren't declared as deterministic, so that SQLite never calls them before a row needs them.
  private static func registerErrors(_ handle: OpaquePointer) {
    sqlite3_create_function_v2(
      handle, misfit, 3, SQLFunction.flags, nil,
      { context, _, values in
        let error = AttributeColumn.Misfit(
          label: SQLFunction.text(values, 0), type: SQLFunction.text(values, 1),
          found: SQLFunction.value(values, 2).kind)
        sqlite3_result_error(context, "\(error)", -1)
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      handle, unknownKey, 3, SQLFunction.flags, nil,
      { context, _, values in
        let key = SQLFunction.value(values, 2).integer ?? 0
        let object = SQLObject(root: SQLFunction.text(values, 0), key: key)
        let text = "the object “\(object.label)” has no key “\(SQLFunction.text(values, 1))”"
        sqlite3_result_error(context, text, -1)
      }, nil, nil, nil)
  }
}

/// Values in a store's form, for callers that don't need kinds.
package enum PlainValue {
  /// A value that can't be stored as one value.
  struct NoValue: Error, CustomStringConvertible {
    let kind: String

    var description: String { "the expression gives \(kind), but one plain value is needed" }
  }

  package static func sqlite(_ value: Value) throws -> SQLiteValue {
    switch value {
    case .null: .null
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .integer(let number): .integer(number)
    case .double(let number), .date(let number): number.isNaN ? .null : .real(number)
    case .decimal(let number): DecimalColumn.stored(number)
    case .string(let text), .url(let text): .text(text)
    case .data(let data): .blob(data)
    case .uuid(let uuid): .blob(UUIDColumn.data(uuid))
    case .array, .set, .dictionary, .object, .className: throw NoValue(kind: value.kind)
    }
  }
}
