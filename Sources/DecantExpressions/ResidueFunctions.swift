internal import CSQLite
internal import DecantSQLite
internal import Foundation
internal import PredicateFormat

/// The state of a connection's functions.
///
/// `@unchecked Sendable`: it changes only between statements.
final class ResidueState: @unchecked Sendable {
  var context: EvaluationContext

  init(_ context: EvaluationContext) { self.context = context }
}

/// The SQL functions for a `Residue`, which give the evaluator an expression's text and values, and for `now()`.
enum ResidueFunctions {
  /// A parsed expression or predicate, which SQLite keeps while its text stays the same.
  private final class Prepared<Node> {
    let node: Node
    let leaves: [(name: String, code: LeafCode)]

    init(_ node: Node, codes: String) throws {
      self.node = node
      leaves = try codes.split(separator: " ").map { part in
        let parts = part.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let code = LeafCode(parts[1]) else { throw TaggedValue.Malformed() }
        return (String(parts[0]), code)
      }
    }
  }

  static func register(_ state: ResidueState, in database: SQLiteDatabase) throws(SQLiteError) {
    let flags = SQLFunction.flags | SQLITE_DETERMINISTIC
    try SQLFunction.register(
      ExpressionFunctions.now, arguments: 0, flags: flags, state: state, in: database
    ) { context, _, _ in
      SQLFunction.answer(context) {
        guard let state = ResidueFunctions.state(context) else { throw TaggedValue.Malformed() }
        return .real(state.context.now)
      }
    }
    try SQLFunction.register(
      ExpressionFunctions.value, arguments: -1, flags: flags, state: state, in: database
    ) { context, count, values in
      ResidueFunctions.evaluate(context, count, values, parsing: { try FormatExpression(parsing: $0) }) {
        try TaggedValue.sqlite($0.value(in: $1))
      }
    }
    try SQLFunction.register(
      ExpressionFunctions.condition, arguments: -1, flags: flags, state: state, in: database
    ) { context, count, values in
      ResidueFunctions.evaluate(context, count, values, parsing: { try FormatPredicate(parsing: $0) }) {
        .integer(try $0.holds(in: $1) ? 1 : 0)
      }
    }
  }

  private static func evaluate<Node>(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?,
    parsing parse: (String) throws -> Node, _ answer: (Node, EvaluationContext) throws -> SQLiteValue
  ) {
    SQLFunction.answer(context) {
      let prepared = try prepared(context, values, parse)
      return try answer(prepared.node, try row(context, prepared.leaves, count, values))
    }
  }

  private static func state(_ context: OpaquePointer?) -> ResidueState? {
    sqlite3_user_data(context).map { Unmanaged<ResidueState>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func prepared<Node>(
    _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?,
    _ parse: (String) throws -> Node
  ) throws -> Prepared<Node> {
    if let known = sqlite3_get_auxdata(context, 0) {
      return Unmanaged<Prepared<Node>>.fromOpaque(known).takeUnretainedValue()
    }
    let prepared = try Prepared(try parse(SQLFunction.text(values, 0)), codes: SQLFunction.text(values, 1))
    sqlite3_set_auxdata(
      context, 0, Unmanaged.passRetained(prepared).toOpaque(),
      { pointer in
        if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
      })
    return prepared
  }

  private static func row(
    _ context: OpaquePointer?, _ leaves: [(name: String, code: LeafCode)], _ count: Int32,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) throws -> EvaluationContext {
    guard let state = state(context), leaves.count == Int(count) - 2 else { throw TaggedValue.Malformed() }
    var row = state.context
    for (place, leaf) in leaves.enumerated() {
      row.variables[leaf.name] = try leaf.code.value(SQLFunction.value(values, place + 2))
    }
    return row
  }
}
