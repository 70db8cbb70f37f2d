internal import CSQLite
internal import DecantModel
internal import DecantSQLite
internal import PredicateFormat

/// `AttributeFit` as a function of SQL.
enum FitFunction {
  /// The prepared fit of a call.
  ///
  /// SQLite keeps the fit for all rows of a statement, because every argument except the value is a constant.
  private final class Prepared {
    let fit: AttributeFit
    /// `nil` if only the value's storage class is known.
    let code: LeafCode?

    init(_ fit: AttributeFit, _ code: LeafCode?) {
      self.fit = fit
      self.code = code
    }
  }

  static func register(in database: SQLiteDatabase) throws(SQLiteError) {
    try SQLFunction.register(
      ExpressionFunctions.fit, arguments: 6, flags: SQLFunction.flags | SQLITE_DETERMINISTIC, in: database
    ) { context, _, values in
      SQLFunction.answer(context) {
        let prepared = try FitFunction.prepared(context, values)
        let stored = SQLFunction.value(values, 5)
        let value = try prepared.code?.value(stored) ?? prepared.fit.plain(stored)
        return try prepared.fit.stored(value)
      }
    }
  }

  private static func prepared(
    _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) throws -> Prepared {
    if let known = sqlite3_get_auxdata(context, 0) {
      return Unmanaged<Prepared>.fromOpaque(known).takeUnretainedValue()
    }
    let number = SQLFunction.value(values, 2).integer.flatMap(Int32.init(exactly:))
    guard let type = number.flatMap(AttributeType.init(rawValue:)) else { throw TaggedValue.Malformed() }
    let code = SQLFunction.text(values, 4)
    let leaf = LeafCode(code)
    guard leaf != nil || code == AttributeFit.plainCode else { throw TaggedValue.Malformed() }
    let attribute = Attribute(
      name: SQLFunction.text(values, 1), type: type,
      allowsExternalBinaryDataStorage: SQLFunction.value(values, 3) == .integer(1))
    let prepared = Prepared(AttributeFit(attribute, entity: SQLFunction.text(values, 0)), leaf)
    sqlite3_set_auxdata(
      context, 0, Unmanaged.passRetained(prepared).toOpaque(),
      { pointer in
        if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
      })
    return prepared
  }
}
