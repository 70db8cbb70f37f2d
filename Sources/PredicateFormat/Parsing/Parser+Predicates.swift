extension Parser {
  mutating func predicate() throws(FormatError) -> Grown<Predicate> {
    let sentence = try self.sentence()
    return try part(sentence)
  }

  /// A predicate, or an expression if no operator follows.
  mutating func sentence() throws(FormatError) -> Sentence {
    try enter()
    defer { depth -= 1 }
    let first = try conjunction()
    guard isOr else { return first }
    var parts = [try part(first)]
    while isOr {
      advance()
      let next = try conjunction()
      parts.append(try part(next))
    }
    return .predicate(try joined(parts, Predicate.or))
  }

  private mutating func conjunction() throws(FormatError) -> Sentence {
    let first = try negation()
    guard isAnd else { return first }
    var parts = [try part(first)]
    while isAnd {
      advance()
      let next = try negation()
      parts.append(try part(next))
    }
    return .predicate(try joined(parts, Predicate.and))
  }

  private var isOr: Bool { token.isSymbol("||") || token.keyword == "OR" }
  private var isAnd: Bool { token.isSymbol("&&") || token.keyword == "AND" }

  private func part(_ sentence: Sentence) throws(FormatError) -> Grown<Predicate> {
    guard case .predicate(let predicate) = sentence else { throw expected("a comparison operator") }
    return predicate
  }

  private func joined(
    _ parts: [Grown<Predicate>], _ join: ([Predicate]) -> Predicate
  ) throws(FormatError) -> Grown<Predicate> {
    let height = (parts.map(\.height).max() ?? 0) + 1
    try check(height: height)
    return Grown(node: join(parts.map(\.node)), height: height)
  }

  private mutating func negation() throws(FormatError) -> Sentence {
    var negations = 0
    while token.isSymbol("!") || token.keyword == "NOT" {
      advance()
      negations += 1
    }
    let sentence = try unit()
    guard negations > 0 else { return sentence }
    var predicate = try part(sentence)
    try check(height: predicate.height + negations)
    for _ in 0..<negations { predicate.node = .not(predicate.node) }
    predicate.height += negations
    return .predicate(predicate)
  }

  private mutating func unit() throws(FormatError) -> Sentence {
    let modifier: Comparison.Modifier
    var isNone = false
    switch token.keyword {
    case "TRUEPREDICATE":
      advance()
      return .predicate(Grown(node: .always, height: 1))
    case "FALSEPREDICATE":
      advance()
      return .predicate(Grown(node: .never, height: 1))
    case "ANY", "SOME": modifier = .any
    case "ALL": modifier = .all
    case "NONE":
      modifier = .any
      isNone = true
    default:
      let left = try operand(lowest: 0)
      guard case .expression(let expression) = left else { return left }
      return try comparison(of: expression, .direct)
    }
    advance()
    let left = try expression()
    guard case .predicate(var predicate) = try comparison(of: left, modifier) else {
      throw expected("a comparison operator")
    }
    if isNone {
      predicate = Grown(node: .not(predicate.node), height: predicate.height + 1)
      try check(height: predicate.height)
    }
    return .predicate(predicate)
  }

  private mutating func comparison(
    of left: Grown<Expression>, _ modifier: Comparison.Modifier
  ) throws(FormatError) -> Sentence {
    if token.keyword == "NOT", peek(1).keyword == "IN" {
      throw failure("“NOT IN” isn't part of the language: write “NOT a IN b”")
    }
    guard let operation = comparisonOperator() else { return .expression(left) }
    let options = try self.options()
    let right = try expression()
    let height = max(left.height, right.height) + 1
    try check(height: height)
    if comparisonOperator() != nil {
      place -= 1
      throw failure("a comparison has two sides: expected AND, OR or the end, found \(token.label)")
    }
    let comparison = Comparison(
      modifier: modifier, left: left.node, operation: operation, right: right.node, options: options)
    return .predicate(Grown(node: .comparison(comparison), height: height))
  }

  private mutating func comparisonOperator() -> ComparisonOperator? {
    let operation: ComparisonOperator?
    switch token.kind {
    case .symbol(let text):
      operation =
        switch text {
        case "=": .equal
        case "<>": .notEqual
        case "=<": .lessOrEqual
        case "=>": .greaterOrEqual
        default: ComparisonOperator(rawValue: text)
        }
    case .word(let text): operation = ComparisonOperator(rawValue: text.uppercased())
    default: operation = nil
    }
    if operation != nil { advance() }
    return operation
  }

  /// `[cd]`, in any order.
  private mutating func options() throws(FormatError) -> ComparisonOptions {
    guard take("[") else { return [] }
    var options: ComparisonOptions = []
    if case .word(let letters) = token.kind {
      for letter in letters {
        guard let option = ComparisonOptions.letters.first(where: { $0.letter == letter.lowercased().first })
        else {
          throw failure("unknown option “\(letter)”: expected c, d, n or l")
        }
        options.insert(option.option)
      }
      advance()
    }
    try expect("]", "after the options")
    return options
  }
}
