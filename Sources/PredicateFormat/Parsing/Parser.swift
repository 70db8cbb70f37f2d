/// Parses predicates and expressions (docs/formats/predicate-format.md 2), in one pass without backtracking.
///
/// A `(` may open a predicate or an expression; its content decides.
struct Parser {
  let text: [UInt8]
  let tokens: [Token]
  var place = 0
  /// The depth of nesting at the current position.
  var depth = 0
  /// The arguments for `%@` and similar; `nil` for stored text.
  let arguments: [Value]?
  var usedArguments = 0

  init(_ text: String, arguments: [Value]?) throws(FormatError) {
    self.text = Array(text.utf8)
    self.arguments = arguments
    tokens = try Lexer.tokens(of: text)
  }

  var token: Token { tokens[min(place, tokens.count - 1)] }

  func peek(_ ahead: Int) -> Token { tokens[min(place + ahead, tokens.count - 1)] }

  mutating func advance() { if place < tokens.count - 1 { place += 1 } }

  mutating func take(_ symbol: String) -> Bool {
    guard token.isSymbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func takeWord(_ word: String) -> Bool {
    guard token.keyword == word else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: String, _ after: String) throws(FormatError) {
    guard take(symbol) else { throw expected("“\(symbol)” \(after)") }
  }

  func failure(_ reason: String, at token: Token? = nil) -> FormatError {
    FormatError(reason, at: (token ?? self.token).offset, of: text)
  }

  func expected(_ what: String) -> FormatError { failure("expected \(what), found \(token.label)") }

  /// Enters one level; the caller must subtract 1 from `depth` later.
  mutating func enter() throws(FormatError) {
    depth += 1
    guard depth <= FormatLimits.maximumNesting else {
      throw failure("nested more than \(FormatLimits.maximumNesting) levels deep")
    }
  }

  func check(height: Int) throws(FormatError) {
    guard height <= FormatLimits.maximumDepth else {
      throw failure("nested more than \(FormatLimits.maximumDepth) levels deep")
    }
  }

  mutating func wholePredicate() throws(FormatError) -> Predicate {
    let predicate = try self.predicate().node
    try end(hint: "AND, OR or the end")
    return predicate
  }

  mutating func wholeExpression() throws(FormatError) -> Expression {
    let expression = try self.expression().node
    try end(hint: "an arithmetic sign or the end")
    return expression
  }

  private func end(hint: String) throws(FormatError) {
    guard case .end = token.kind else { throw expected(hint) }
    guard let arguments, usedArguments < arguments.count else { return }
    let given = arguments.count == 1 ? "1 argument is given" : "\(arguments.count) arguments are given"
    throw failure("\(given), and the text takes \(usedArguments)")
  }
}

/// A parsed node and its number of levels.
struct Grown<Node> {
  var node: Node
  var height: Int
}

/// The possible content of parentheses.
enum Sentence {
  case predicate(Grown<Predicate>)
  case expression(Grown<Expression>)
}

extension Predicate {
  /// Reads a text.
  ///
  /// - Parameter arguments: The arguments for `%@`, `%K` and the forms of printf, in order; stored text has none.
  /// - Throws: `FormatError` with the place and the problem.
  public init(parsing text: String, arguments: [Value]? = nil) throws(FormatError) {
    var parser = try Parser(text, arguments: arguments)
    self = try parser.wholePredicate()
  }
}

extension Expression {
  /// Reads a text.
  ///
  /// - Parameter arguments: The arguments for `%@`, `%K` and the forms of printf, in order; stored text has none.
  /// - Throws: `FormatError` with the place and the problem.
  public init(parsing text: String, arguments: [Value]? = nil) throws(FormatError) {
    var parser = try Parser(text, arguments: arguments)
    self = try parser.wholeExpression()
  }
}
