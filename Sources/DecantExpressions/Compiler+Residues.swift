internal import PredicateFormat

extension Compiler {
  /// An expression over operands, for the evaluator.
  mutating func residue(
    of operands: [Operand], _ make: ([FormatExpression]) -> FormatExpression
  ) throws(NotSQL) -> Operand {
    var leaves: [Residue.Leaf] = []
    var holdsObjects = false
    let parts = try parts(operands, &leaves, &holdsObjects)
    return .residue(Residue(expression: make(parts), leaves: leaves, holdsObjects: holdsObjects))
  }

  /// The operands as parts of an expression; their SQL values are added to `leaves`.
  mutating func parts(
    _ operands: [Operand], _ leaves: inout [Residue.Leaf], _ holdsObjects: inout Bool
  ) throws(NotSQL) -> [FormatExpression] {
    var parts: [FormatExpression] = []
    for operand in operands {
      switch operand {
      case .residue(let residue):
        leaves += residue.leaves
        holdsObjects = holdsObjects || residue.holdsObjects
        parts.append(residue.expression)
      case .constant(let value): parts.append(.literal(value))
      default:
        let name = name("v")
        let value = try whole(operand)
        if value.kind == .transformable { throw Self.opaque }
        holdsObjects = holdsObjects || value.isObject || value.mayHoldObjects
        leaves.append(Residue.Leaf(name: name, value: value))
        parts.append(.variable(name))
      }
    }
    return parts
  }

  /// SQL for the value of a residue, which the evaluator computes.
  func evaluated(_ residue: Residue) throws(NotSQL) -> SQLValue {
    let text = residue.expression.description
    guard let read = try? FormatExpression(parsing: text), read == residue.expression else {
      throw NotSQL("“\(residue.expression)” can't be written as a text that gives the same expression")
    }
    let call = try call(ExpressionFunctions.value, text, residue.leaves)
    return SQLValue(call, NativeCalls.kind(of: residue.expression), mayHoldObjects: residue.holdsObjects)
  }

  /// SQL that is 1 or 0: whether a comparison holds, which the evaluator computes.
  func evaluated(_ comparison: Comparison, _ leaves: [Residue.Leaf]) throws(NotSQL) -> String {
    let predicate = FormatPredicate.comparison(comparison)
    let text = predicate.description
    guard let read = try? FormatPredicate(parsing: text), read == predicate else {
      throw NotSQL("“\(predicate)” can't be written as a text that gives the same predicate")
    }
    return try call(ExpressionFunctions.condition, text, leaves)
  }

  private func call(
    _ function: String, _ text: String, _ leaves: [Residue.Leaf]
  ) throws(NotSQL) -> String {
    // SQLite allows 127 arguments.
    guard leaves.count <= 120 else { throw NotSQL("it reads more than 120 values at once") }
    let codes = leaves.map { "\($0.name)=\(LeafCode.code(of: $0.value.kind, in: layout))" }
    let arguments =
      [SQLText.string(text), SQLText.string(codes.joined(separator: " "))] + leaves.map(\.value.text)
    return "\(function)(\(arguments.joined(separator: ", ")))"
  }
}
