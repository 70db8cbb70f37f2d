extension Parser {
  /// The special forms that look like functions; `nil` if none begins here.
  mutating func special(_ keyword: String) throws(FormatError) -> Grown<Expression>? {
    guard ["SUBQUERY", "FUNCTION", "CAST", "TERNARY", "FETCH"].contains(keyword), peek(1).isSymbol("(") else {
      return nil
    }
    advance()
    advance()
    let grown: Grown<Expression>
    switch keyword {
    case "SUBQUERY": grown = try subquery()
    case "FUNCTION": grown = try message()
    case "CAST": grown = try cast()
    case "TERNARY": grown = try ternary()
    default: grown = try fetch()
    }
    try expect(")", "at the end of “\(keyword)”")
    try check(height: grown.height)
    return grown
  }

  private mutating func subquery() throws(FormatError) -> Grown<Expression> {
    let collection = try expression()
    try expect(",", "after the collection")
    guard case .variable(let variable) = token.kind else { throw expected("a variable, as in “$x”") }
    advance()
    try expect(",", "after the variable")
    let predicate = try self.predicate()
    return Grown(
      node: .subquery(collection.node, variable: variable, predicate.node),
      height: max(collection.height, predicate.height) + 1)
  }

  private mutating func message() throws(FormatError) -> Grown<Expression> {
    let target = try expression()
    try expect(",", "after the target")
    let selector = try text("the selector in quotes")
    guard !selector.isEmpty else { throw failure("the selector is empty") }
    var arguments: [Expression] = []
    var height = target.height
    while take(",") {
      let argument = try expression()
      arguments.append(argument.node)
      height = max(height, argument.height)
    }
    // If the message becomes a path, its steps add at most one level, so this height is large enough.
    return Grown(node: .sending(selector, to: target.node, arguments), height: height + 1)
  }

  private mutating func cast() throws(FormatError) -> Grown<Expression> {
    let value = try expression()
    try expect(",", "after the value")
    let type = try text("a type in quotes, as in “\"NSDate\"”")
    return Grown(node: .casting(value.node, type: type), height: value.height + 1)
  }

  private mutating func ternary() throws(FormatError) -> Grown<Expression> {
    let condition = try predicate()
    try expect(",", "after the predicate")
    let positive = try expression()
    try expect(",", "after the second part")
    let negative = try expression()
    return Grown(
      node: .ternary(condition.node, positive.node, negative.node),
      height: max(condition.height, positive.height, negative.height) + 1)
  }

  private mutating func fetch() throws(FormatError) -> Grown<Expression> {
    let request = try expression()
    try expect(",", "after the request")
    let context = try expression()
    try expect(",", "after the context")
    let countOnly: Bool
    let flag = token
    switch try expression().node {
    case .constant(.boolean(let value)): countOnly = value
    case .constant(.integer(let value)) where value == 0 || value == 1: countOnly = value == 1
    default: throw failure("expected YES or NO, found \(flag.label)", at: flag)
    }
    return Grown(
      node: .fetch(request.node, context: context.node, countOnly: countOnly),
      height: max(request.height, context.height) + 1)
  }

  private mutating func text(_ what: String) throws(FormatError) -> String {
    guard case .string(let text) = token.kind else { throw expected(what) }
    advance()
    return text
  }
}
