internal import DecantModel
internal import PredicateFormat

extension Compiler {
  mutating func call(_ name: String, _ arguments: [FormatExpression]) throws(NotSQL) -> Operand {
    switch (name, arguments.count) {
    case ("now", 0): return .value(SQLValue("\(ExpressionFunctions.now)()", .date))
    case ("random", _), ("random:", _): throw NotSQL("random numbers are drawn row by row")
    case ("distanceToLocation:fromLocation:", _): throw NotSQL("“\(name)” can't be evaluated")
    case ("noindex:", 1): return try operand(arguments[0])
    default: break
    }
    let operands = try self.operands(arguments)
    if operands.count == 2, let text = try arithmetic(name, operands[0], operands[1]) { return .value(text) }
    if let native = NativeCalls.value(name, operands) { return .value(native) }
    var made = try residue(of: operands) { .call(name, $0) }
    // The UUID always depends on the source object, wherever the call is.
    if name == "uuid", case .residue(var residue) = made {
      residue.leaves.append(Residue.Leaf(name: "source", value: SQLValue(base.key, .object(base.entity))))
      made = .residue(residue)
    }
    if case .residue(let residue) = made, residue.holdsObjects, name != "count:" {
      throw NotSQL("“\(name)” is given objects, and a statement can't read their properties")
    }
    return made
  }

  /// Arithmetic with the same results as the evaluator: whole numbers that overflow become doubles, and a division by
  /// zero gives nil.
  private func arithmetic(_ name: String, _ left: Operand, _ right: Operand) throws(NotSQL) -> SQLValue? {
    let signs = ["add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/"]
    guard let sign = signs[name], let left = Self.scalar(left), let right = Self.scalar(right),
      left.isNumeric, right.isNumeric
    else { return nil }
    let isDouble = left.kind == .double || right.kind == .double
    let kind = isDouble ? SQLValue.Kind.double : .number
    return NativeCalls.arithmetic(left, sign, right, kind)
      ?? SQLValue("(\(left.text) \(sign) \(right.text))", kind)
  }

  /// The SQL of one value; `nil` for a collection, for a `Residue`, and for a constant that SQL doesn't have.
  static func scalar(_ operand: Operand) -> SQLValue? {
    switch operand {
    case .value(let value): value
    case .constant(let value): SQLText.constant(value)
    case .row(let route): SQLValue(route.key, .object(route.entity))
    default: nil
    }
  }

  mutating func cast(_ operand: Operand, to type: String) throws(NotSQL) -> Operand {
    if let value = Self.scalar(operand) {
      switch (type, value.kind) {
      case ("NSDate", .date), ("NSString", .string): return .value(value)
      case ("NSDate", .boolean), ("NSDate", .integer), ("NSDate", .double), ("NSDate", .number):
        return .value(NativeCalls.real(value, .date))
      case ("NSNumber", .integer), ("NSNumber", .double), ("NSNumber", .number): return .value(value)
      case ("NSNumber", .date): return .value(SQLValue(value.text, .double, chain: value.chain))
      default: if let cast = NativeCalls.cast(value, to: type) { return .value(cast) }
      }
    }
    return try residue(of: [operand]) { .casting($0[0], type: type) }
  }

  /// One of two values by a condition; only the chosen one is evaluated.
  mutating func choice(_ condition: String, _ first: Operand, _ second: Operand) throws(NotSQL) -> Operand {
    let one = try whole(first)
    let other = try whole(second)
    let kind = sharedKind(one.kind, other.kind)
    if kind == nil, one.kind == .transformable || other.kind == .transformable { throw Self.opaque }
    let (positive, negative) = kind == nil ? (tagged(one), tagged(other)) : (one.text, other.text)
    let mayHoldObjects =
      one.mayHoldObjects || other.mayHoldObjects || (kind == nil && (one.isObject || other.isObject))
    return .value(
      SQLValue(
        "CASE WHEN \(condition) THEN \(positive) ELSE \(negative) END", kind ?? .any,
        mayHoldObjects: mayHoldObjects))
  }

  private func sharedKind(_ one: SQLValue.Kind, _ other: SQLValue.Kind) -> SQLValue.Kind? {
    switch (one, other) {
    case (_, .null): one
    case (.null, _): other
    case (.integer, .double), (.double, .integer), (.number, .integer), (.number, .double), (.integer, .number),
      (.double, .number):
      .number
    case (.object(let a), .object(let b)):
      layout.model.chain(of: a).first { layout.model.isKind(b, of: $0.name) }.map { .object($0.name) }
    default: one == other ? one : nil
    }
  }

  func tagged(_ value: SQLValue) -> String {
    let code = LeafCode.code(of: value.kind, in: layout)
    return code == "y"
      ? value.text : "\(ExpressionFunctions.tagged)(\(SQLText.string(code)), \(value.text))"
  }

  mutating func subquery(
    _ collection: Operand, _ variable: String, _ predicate: FormatPredicate
  ) throws(NotSQL) -> Operand {
    let outer = variables[variable]
    defer { variables[variable] = outer }
    switch collection {
    case .rows(var route):
      variables[variable] = .row(route.member)
      route.filters.append(try condition(predicate))
      route.isSet = false
      return .rows(route)
    case .members(var route, let value):
      variables[variable] = .value(value)
      route.filters.append(try condition(predicate))
      route.isSet = false
      return .members(route, value)
    default: throw NotSQL("SUBQUERY has a collection that isn't a relationship's")
    }
  }
}
