extension Parser {
  mutating func primary() throws(FormatError) -> Sentence {
    let node: Expression
    switch token.kind {
    case .string(let text): node = .constant(.string(text))
    case .number(let value): node = .constant(value)
    case .variable(let name): node = .variable(name)
    case .marked(let key): node = .key(key)
    case .argument(let form): node = try argument(form)
    case .symbol("("): return try parenthesised()
    case .symbol("{"): return .expression(try aggregate())
    case .word(let word): return .expression(try self.word(word))
    case .symbol, .at, .end: throw expected("an expression")
    }
    advance()
    return .expression(Grown(node: node, height: 1))
  }

  private mutating func parenthesised() throws(FormatError) -> Sentence {
    advance()
    let inner: Sentence
    if case .variable = token.kind, peek(1).isSymbol(":=") {
      inner = .expression(try expression())
    } else {
      inner = try sentence()
    }
    try expect(")", "for the “(” before it")
    return inner
  }

  private mutating func aggregate() throws(FormatError) -> Grown<Expression> {
    advance()
    let (members, height) = try list(closing: "}", of: "the members of a “{”")
    return Grown(node: .aggregate(members), height: height)
  }

  /// Expressions up to a closing sign; the height is that of the node that holds them.
  mutating func list(closing: String, of what: String) throws(FormatError) -> ([Expression], Int) {
    var members: [Expression] = []
    var height = 0
    if take(closing) { return (members, 1) }
    repeat {
      let member = try expression()
      members.append(member.node)
      height = max(height, member.height)
    } while take(",")
    guard take(closing) else { throw expected("“,” or “\(closing)” after \(what)") }
    try check(height: height + 1)
    return (members, height + 1)
  }

  private mutating func word(_ word: String) throws(FormatError) -> Grown<Expression> {
    let keyword = word.uppercased()
    let constant: Expression? =
      switch keyword {
      case "NULL", "NIL": .constant(.null)
      case "TRUE", "YES": .constant(.boolean(true))
      case "FALSE", "NO": .constant(.boolean(false))
      case "SELF": .selfObject
      case "ANYKEY": .anyKey
      default: nil
      }
    if let constant {
      advance()
      return Grown(node: constant, height: 1)
    }
    if let special = try special(keyword) { return special }
    if ReservedWords.all.contains(keyword) {
      throw failure("expected an expression, found the reserved word “\(word)”: write “#\(word)” for a key")
    }
    if let name = callName() { return try call(name) }
    advance()
    return Grown(node: .key(word), height: 1)
  }

  /// The name of a function, such as `add:to:`, if one begins here; reading stops before the `(`.
  mutating func callName() -> String? {
    guard case .word(var name) = token.kind else { return nil }
    var ahead = 1
    if peek(ahead).isSymbol(":") {
      name += ":"
      ahead += 1
      while case .word(let part) = peek(ahead).kind, peek(ahead + 1).isSymbol(":") {
        name += part + ":"
        ahead += 2
      }
    }
    guard peek(ahead).isSymbol("(") else { return nil }
    place += ahead
    return name
  }

  mutating func arguments(of name: String) throws(FormatError) -> ([Expression], Int) {
    try expect("(", "after “\(name)”")
    return try list(closing: ")", of: "the arguments of “\(name)”")
  }

  private mutating func call(_ name: String) throws(FormatError) -> Grown<Expression> {
    let start = token
    let (arguments, height) = try self.arguments(of: name)
    let full = FunctionName.full(name, arguments: arguments.count)
    if let known = FunctionName.misused(full, arguments: arguments.count) {
      let count = FunctionName.arguments(of: known)
      throw failure(
        "“\(known)” takes \(count) argument\(count == 1 ? "" : "s"), not \(arguments.count)", at: start)
    }
    return Grown(node: .call(full, arguments), height: height)
  }
}
