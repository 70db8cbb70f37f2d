internal import CSQLite
internal import DecantSQLite

/// The SQL function that computes a `NativeChain`: the first argument describes the chain, and the others are its
/// inputs.
enum NativeFunction {
  static let name = "decant_native"

  private struct Malformed: Error, CustomStringConvertible {
    let description = "\(NativeFunction.name) was called with something that isn't a chain"
  }

  /// The programs of a connection, by the texts that describe them.
  ///
  /// SQLite forgets a program when the program's statement ends. Each chunk runs its statements again, so the programs
  /// are kept here. Several calls may share a program, because SQLite takes the value of a call before the next call.
  private final class Programs {
    /// By bytes: texts in different normal forms are different chains.
    private var programs: [[UInt8]: NativeProgram] = [:]
    /// The largest number of kept programs; a mapping model has a few for each of its attributes.
    private static let most = 1000

    /// - Returns: `nil` for a text that isn't a chain with that many arguments.
    func program(_ text: String, arguments: Int) -> NativeProgram? {
      let key = Array(text.utf8)
      if let known = programs[key], known.arguments == arguments { return known }
      guard let made = NativeProgram(text, arguments: arguments) else { return nil }
      if programs.count >= Self.most { programs.removeAll() }
      programs[key] = made
      return made
    }
  }

  static func register(in database: SQLiteDatabase) throws(SQLiteError) {
    try SQLFunction.register(
      name, arguments: -1, flags: SQLFunction.flags | SQLITE_DETERMINISTIC, state: Programs(), in: database
    ) { context, count, values in
      do {
        NativeFunction.answer(context, try NativeFunction.program(context, count, values).value(values))
      } catch {
        sqlite3_result_error(context, "\(error)", -1)
      }
    }
  }

  /// The program of a constant argument, which SQLite keeps with the statement.
  private static func program(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) throws -> NativeProgram {
    if let known = sqlite3_get_auxdata(context, 0) {
      return Unmanaged<NativeProgram>.fromOpaque(known).takeUnretainedValue()
    }
    guard count > 0, let state = sqlite3_user_data(context),
      let program = Unmanaged<Programs>.fromOpaque(state).takeUnretainedValue().program(
        SQLFunction.text(values, 0), arguments: Int(count) - 1)
    else { throw Malformed() }
    sqlite3_set_auxdata(
      context, 0, Unmanaged.passRetained(program).toOpaque(),
      { pointer in
        if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
      })
    return program
  }

  private static func answer(_ context: OpaquePointer?, _ cell: NativeProgram.Cell) {
    switch cell {
    case .null: sqlite3_result_null(context)
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(let text):
      let start = UnsafeRawPointer(text.bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
      if let start, !text.bytes.isEmpty {
        decant_sqlite3_result_text_copy(context, start, Int32(clamping: text.bytes.count))
      } else {
        decant_sqlite3_result_text_copy(context, "", 0)
      }
    }
  }
}
