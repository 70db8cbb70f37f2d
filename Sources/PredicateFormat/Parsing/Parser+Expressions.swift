extension Parser {
  mutating func expression() throws(FormatError) -> Grown<Expression> {
    try enter()
    defer { depth -= 1 }
    if case .variable(let name) = token.kind, peek(1).isSymbol(":=") {
      advance()
      advance()
      let value = try expression()
      try check(height: value.height + 1)
      return Grown(node: .assignment(name, value.node), height: value.height + 1)
    }
    let start = token
    guard case .expression(let expression) = try operand(lowest: 0) else {
      throw failure("expected an expression, found a predicate", at: start)
    }
    return expression
  }

  private enum Sign {
    case set(SetOperator)
    case function(String)
  }

  /// The binary operator at the position, and its level: sets 1, sums 2, products 3, powers 4.
  private var sign: (sign: Sign, level: Int)? {
    if let word = token.keyword, let operation = SetOperator(rawValue: word) { return (.set(operation), 1) }
    guard case .symbol(let symbol) = token.kind,
      let name = FunctionName.signs.first(where: { $0.sign == symbol })?.name
    else { return nil }
    let level =
      switch symbol {
      case "+", "-": 2
      case "*", "/": 3
      default: 4
      }
    return (.function(name), level)
  }

  /// An expression whose operators have at least the level `lowest`, or a predicate in parentheses.
  mutating func operand(lowest: Int) throws(FormatError) -> Sentence {
    let first = try signed()
    guard case .expression(var left) = first else { return first }
    while let (sign, level) = sign, level >= lowest {
      advance()
      let start = token
      try enter()
      defer { depth -= 1 }
      // Powers group from the right, all others from the left.
      guard case .expression(let right) = try operand(lowest: level == 4 ? 4 : level + 1) else {
        throw failure("expected an expression, found a predicate", at: start)
      }
      let height = max(left.height, right.height) + 1
      try check(height: height)
      let node: Expression =
        switch sign {
        case .set(let operation): .set(operation, left.node, right.node)
        case .function(let name): .function(name, [left.node, right.node])
        }
      left = Grown(node: node, height: height)
    }
    return .expression(left)
  }

  /// A value with the minus signs before it.
  ///
  /// The minus directly before a number without keys makes the number negative. Each other minus subtracts from 0.
  private mutating func signed() throws(FormatError) -> Sentence {
    var signs = 0
    while take("-") { signs += 1 }
    guard signs > 0 else { return try path() }
    let start = token
    var isNumber = false
    if case .number = start.kind { isNumber = !peek(1).isSymbol(".") && !peek(1).isSymbol("[") }
    guard case .expression(var expression) = try path() else {
      throw failure("expected an expression, found a predicate", at: start)
    }
    if isNumber, case .constant(let value) = expression.node, let negative = Self.negated(value) {
      expression.node = .constant(negative)
      signs -= 1
    }
    expression.height += signs
    try check(height: expression.height)
    for _ in 0..<signs {
      expression.node = .function("from:subtract:", [.constant(.integer(0)), expression.node])
    }
    return .expression(expression)
  }

  private static func negated(_ value: Value) -> Value? {
    switch value {
    case .integer(let number): return .integer(-number)
    case .double(let number): return .double(-number)
    case .decimal(let number):
      return Int64("-\(DecimalText.text(number))").map(Value.integer) ?? .decimal(-number)
    default: return nil
    }
  }

  private mutating func path() throws(FormatError) -> Sentence {
    var grown = Grown(node: Expression.selfObject, height: 1)
    var steps: [KeyPath.Step] = []
    if case .at(let name) = token.kind {
      steps.append(.collection(try collectionOperator(name)))
      advance()
    } else {
      let first = try primary()
      guard case .expression(let operand) = first else {
        if token.isSymbol("[") || token.isSymbol(".") { throw failure("a predicate has no keys") }
        return first
      }
      grown = operand
    }
    while true {
      if take(".") {
        if let call = try step(into: &steps) {
          let target = Expression.path(from: grown.node, steps)
          steps = []
          grown.height = max(grown.height, call.height) + 2
          try check(height: grown.height)
          grown.node = .sending(call.selector, to: target, call.arguments)
        }
      } else if take("[") {
        let (step, height) = try index()
        steps.append(step)
        grown.height = max(grown.height, height)
      } else {
        break
      }
    }
    guard !steps.isEmpty else { return .expression(grown) }
    try check(height: grown.height + 1)
    return .expression(Grown(node: .path(from: grown.node, steps), height: grown.height + 1))
  }

  private struct Call {
    let selector: String
    let arguments: [Expression]
    let height: Int
  }

  /// Reads what follows a point: adds keys or a collection operator to `steps`, or returns a call.
  private mutating func step(into steps: inout [KeyPath.Step]) throws(FormatError) -> Call? {
    switch token.kind {
    case .at(let name): steps.append(.collection(try collectionOperator(name)))
    case .marked(let key): steps.append(.key(key))
    case .word(let key):
      if let name = callName() {
        let (arguments, height) = try self.arguments(of: name)
        let selector = arguments.isEmpty || name.hasSuffix(":") ? name : name + ":"
        return Call(selector: selector, arguments: arguments, height: height)
      }
      steps.append(.key(key))
    case .argument("%K"):
      steps += try keyPathArgument()
    default: throw expected("a key after “.”")
    }
    advance()
    return nil
  }

  private mutating func index() throws(FormatError) -> (KeyPath.Step, Int) {
    let step: KeyPath.Step
    var height = 0
    switch (token.keyword, peek(1).isSymbol("]")) {
    case ("FIRST", true): step = .first
    case ("LAST", true): step = .last
    case ("SIZE", true): step = .size
    default:
      let index = try expression()
      height = index.height
      try expect("]", "after the index")
      return (.index(index.node), height)
    }
    advance()
    try expect("]", "after the index")
    return (step, height)
  }

  func collectionOperator(_ name: String) throws(FormatError) -> CollectionOperator {
    guard let known = CollectionOperator(rawValue: name) else {
      let names = CollectionOperator.allCases.map { "@" + $0.rawValue }.joined(separator: ", ")
      throw failure("unknown collection operator “@\(name)”: expected one of \(names)")
    }
    return known
  }
}
