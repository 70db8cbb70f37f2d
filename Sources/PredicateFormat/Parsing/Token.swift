/// A token of a text, and the index of its first byte.
struct Token {
  enum Kind {
    /// A keyword, a key or a function's name.
    case word(String)
    /// `#word`: always a key.
    case marked(String)
    /// `$name`
    case variable(String)
    /// `@name`
    case at(String)
    case string(String)
    case number(Value)
    case symbol(String)
    /// `%@`, `%K`, `%d`: a place for an argument.
    case argument(String)
    case end
  }

  let kind: Kind
  let offset: Int

  var label: String {
    switch kind {
    case .word(let text): "“\(text)”"
    case .marked(let text): "“#\(text)”"
    case .variable(let text): "“$\(text)”"
    case .at(let text): "“@\(text)”"
    case .string: "a string"
    case .number: "a number"
    case .symbol(let text), .argument(let text): "“\(text)”"
    case .end: "the end"
    }
  }

  func isSymbol(_ text: String) -> Bool {
    if case .symbol(let symbol) = kind { symbol == text } else { false }
  }

  var keyword: String? {
    if case .word(let text) = kind { text.uppercased() } else { nil }
  }
}
