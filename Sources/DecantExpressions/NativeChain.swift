/// Nested calls of functions, and arithmetic, over a row's values.
///
/// One call of an SQL function computes the whole chain, without values of the evaluator.
///
/// The results equal those of the evaluator; property tests compare both.
indirect enum NativeChain: Sendable, Hashable {
  /// An attribute's column; a value of another type ends the statement.
  case column(sql: String, kind: ColumnKind, label: String, type: String)
  /// Any other SQL expression.
  case value(String)
  case integer(Int64)
  case split(NativeChain, separator: String, index: Int64)
  case firstWord(NativeChain)
  case lastWord(NativeChain)
  case nilIfEmpty(NativeChain)
  case characterCount(NativeChain)
  /// The characters from an index on: all, or a given number.
  case substring(NativeChain, NativeChain, NativeChain?)
  case rounded(NativeChain, Rounding)
  case real(NativeChain)
  /// The digits of a whole number.
  case digits(NativeChain)
  case arithmetic(NativeChain, Sign, NativeChain)
  /// The text of a date by a pattern of plain fields (`DateStamp`).
  case stamp(NativeChain, pattern: String)

  enum ColumnKind: String, Sendable, Hashable, Codable { case string, integer, double }
  enum Rounding: String, Sendable, Hashable, Codable { case down, up, towardZero }
  enum Sign: String, Sendable, Hashable, Codable { case plus, minus, times }

  /// Whether the chain has a call, so that the SQL function saves time.
  var isCall: Bool {
    switch self {
    case .column, .value, .integer: false
    default: true
    }
  }

  /// Whether the chain is known to give only whole numbers.
  var isWhole: Bool {
    switch self {
    case .column(_, .integer, _, _), .integer, .characterCount: true
    default: false
    }
  }

  /// The parts in order of evaluation, each once, and the SQL of the arguments.
  private struct Parts {
    var nodes: [NativeNode] = []
    var places: [NativeChain: Int] = [:]
    var arguments: [String] = []

    mutating func argument(_ sql: String) -> Int {
      if let known = arguments.firstIndex(of: sql) { return known }
      arguments.append(sql)
      return arguments.count - 1
    }

    mutating func place(of chain: NativeChain) -> Int {
      if let known = places[chain] { return known }
      let node: NativeNode =
        switch chain {
        case .column(let sql, let kind, let label, let type): .column(argument(sql), kind, label, type)
        case .value(let sql): .argument(argument(sql))
        case .integer(let number): .integer(number)
        case .split(let text, let separator, let index): .split(place(of: text), separator, index)
        case .firstWord(let text): .firstWord(place(of: text))
        case .lastWord(let text): .lastWord(place(of: text))
        case .nilIfEmpty(let text): .nilIfEmpty(place(of: text))
        case .characterCount(let text): .characterCount(place(of: text))
        case .substring(let text, let start, let count):
          .substring(place(of: text), place(of: start), count.map { place(of: $0) })
        case .rounded(let number, let rounding): .rounded(place(of: number), rounding)
        case .real(let number): .real(place(of: number))
        case .digits(let number): .digits(place(of: number))
        case .arithmetic(let left, let sign, let right):
          .arithmetic(place(of: left), sign, place(of: right))
        case .stamp(let date, let pattern): .stamp(place(of: date), pattern)
        }
      nodes.append(node)
      places[chain] = nodes.count - 1
      return nodes.count - 1
    }
  }

  /// SQLite allows 127 arguments.
  private static let mostArguments = 100

  /// The call of the SQL function; `nil` if it would have too many arguments.
  var sql: String? {
    var parts = Parts()
    _ = parts.place(of: self)
    guard parts.arguments.count <= Self.mostArguments, let text = NativeNode.text(of: parts.nodes) else {
      return nil
    }
    return "\(NativeFunction.name)(\(([SQLText.string(text)] + parts.arguments).joined(separator: ", ")))"
  }
}
