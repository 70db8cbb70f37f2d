internal import CSQLite
package import DecantSQLite
package import PredicateFormat

/// The SQL functions in the statements of `SourceSQL` and `AttributeFit`.
///
/// Only statements can call them, schemas can't (`SQLITE_DIRECTONLY`). An error of the evaluator ends the statement,
/// and the error's text becomes SQLite's message.
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
  ///   - job: The text that identifies the job. `uuid()` derives identifiers from this text and the source object.
  ///   - functions: The functions that aren't part of the predicate language. Evaluation row by row must use the same
  ///     table.
  package static func register(
    in database: SQLiteDatabase, now: Double, job: String = "", functions: FunctionTable = .library
  ) throws(SQLiteError) {
    let context = EvaluationContext(now: now, job: job, functions: functions)
    // Registering a function again makes SQLite recompile all statements, so only the context is replaced.
    if let known = database.connection.functionState(ResidueState.self) {
      known.context = context
      return
    }
    let state = ResidueState(context)
    try registerConversions(in: database)
    try registerErrors(in: database)
    try ResidueFunctions.register(state, in: database)
    try GatheringFunctions.register(in: database)
    try FitFunction.register(in: database)
    try NativeFunction.register(in: database)
    database.connection.setFunctionState(state)
  }

  /// The context in which a connection's functions are evaluated, for evaluation row by row.
  ///
  /// It has no object and no variables.
  package static func context(in database: SQLiteDatabase) -> EvaluationContext {
    database.connection.functionState(ResidueState.self)?.context ?? EvaluationContext(functions: .library)
  }

  private static func registerConversions(in database: SQLiteDatabase) throws(SQLiteError) {
    let flags = SQLFunction.flags | SQLITE_DETERMINISTIC
    try SQLFunction.register(real, arguments: 1, flags: flags, in: database) { context, _, values in
      guard case .integer(let bits) = SQLFunction.value(values, 0) else { return }
      sqlite3_result_double(context, Double(bitPattern: UInt64(bitPattern: bits)))
    }
    try SQLFunction.register(tagged, arguments: 2, flags: flags, in: database) { context, _, values in
      SQLFunction.answer(context) {
        guard let code = LeafCode(SQLFunction.text(values, 0)) else { throw TaggedValue.Malformed() }
        return try TaggedValue.sqlite(try code.value(SQLFunction.value(values, 1)))
      }
    }
    try SQLFunction.register(plain, arguments: 1, flags: flags, in: database) { context, _, values in
      SQLFunction.answer(context) {
        try PlainValue.sqlite(try TaggedValue.value(SQLFunction.value(values, 0)))
      }
    }
  }

  /// Registers the functions that end a statement with an error.
  ///
  /// They aren't declared as deterministic, so that SQLite never calls them before a row needs them.
  private static func registerErrors(in database: SQLiteDatabase) throws(SQLiteError) {
    try SQLFunction.register(misfit, arguments: 3, in: database) { context, _, values in
      let error = AttributeColumn.Misfit(
        label: SQLFunction.text(values, 0), type: SQLFunction.text(values, 1),
        found: SQLFunction.value(values, 2).kind)
      sqlite3_result_error(context, "\(error)", -1)
    }
    try SQLFunction.register(unknownKey, arguments: 3, in: database) { context, _, values in
      let key = SQLFunction.value(values, 2).integer ?? 0
      let object = SQLObject(root: SQLFunction.text(values, 0), key: key)
      let text = "the object “\(object.label)” has no key “\(SQLFunction.text(values, 1))”"
      sqlite3_result_error(context, text, -1)
    }
  }
}
