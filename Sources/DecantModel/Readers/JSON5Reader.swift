/// Reads JSON5 (json5.org), but refuses `Infinity`, `NaN`, NUL and a key that an object has twice.
///
/// No text makes it trap, and the depth of nesting is limited. Foundation's JSON5 reader traps on some texts, which
/// would end a service.
struct JSON5Reader {
  private let scalars: [Unicode.Scalar]
  var position = 0
  private var depth = 0
  /// The path of the value whose place is wanted.
  var sought: [JSON5Step]?
  /// The start of the sought value.
  private(set) var found: Int?
  private var path: [JSON5Step] = []
  /// The comments that were read until now, without their delimiters.
  private(set) var comments: [String] = []

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  func peek(_ distance: Int) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  func problem(_ reason: String) -> JSON5Problem {
    let (line, column) = lineAndColumn(of: position)
    return JSON5Problem(reason, line: line, column: column)
  }

  func lineAndColumn(of position: Int) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    for scalar in scalars.prefix(position) {
      if scalar == "\n" {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }
    return (line, column)
  }

  /// The next character, as a part of a message.
  private var standing: String {
    guard let next else { return "the end of the text" }
    return next.properties.generalCategory == .control ? "a control character" : "“\(next)”"
  }

  mutating func document() throws(JSON5Problem) -> JSON5Value {
    try skipSpace()
    let value = try value()
    try skipSpace()
    guard next == nil else { throw problem("there is \(standing) after the end of the value") }
    return value
  }

  private mutating func value(at step: JSON5Step) throws(JSON5Problem) -> JSON5Value {
    guard sought != nil else { return try value() }
    path.append(step)
    let value = try value()
    path.removeLast()
    return value
  }

  private mutating func value() throws(JSON5Problem) -> JSON5Value {
    if let sought, sought == path { found = position }
    switch next {
    case "{": return try nested { reader throws(JSON5Problem) in try reader.object() }
    case "[": return try nested { reader throws(JSON5Problem) in try reader.array() }
    case "\"", "'": return .string(try string())
    case .some(let scalar) where "+-.0123456789".unicodeScalars.contains(scalar): return try number()
    case .some(let scalar) where Self.beginsName(scalar):
      let start = position
      switch try name() {
      case "null": return .null
      case "true": return .boolean(true)
      case "false": return .boolean(false)
      case let word:
        position = start
        throw problem(
          ["Infinity", "NaN"].contains(word)
            ? "\(word) isn't a number that can be used here" : "a text must be in quotes: “\(word)”")
      }
    default: throw problem("a value is missing; there is \(standing)")
    }
  }

  private mutating func nested(
    _ read: (inout JSON5Reader) throws(JSON5Problem) -> JSON5Value
  ) throws(JSON5Problem) -> JSON5Value {
    guard depth < JSON5Value.depthLimit else {
      throw problem("lists and objects are nested deeper than \(JSON5Value.depthLimit)")
    }
    depth += 1
    position += 1
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSON5Problem) -> JSON5Value {
    var entries: [String: JSON5Value] = [:]
    while true {
      try skipSpace()
      if next == "}" { break }
      let start = position
      let key: String
      switch next {
      case "\"", "'": key = try string()
      case .some(let scalar) where Self.beginsName(scalar): key = try name()
      default: throw problem("a key or “}” is missing; there is \(standing)")
      }
      if entries[key] != nil {
        position = start
        throw problem("the key “\(key)” is there twice")
      }
      try skipSpace()
      guard next == ":" else { throw problem("“:” is missing after “\(key)”; there is \(standing)") }
      position += 1
      try skipSpace()
      entries[key] = try value(at: .key(key))
      try skipSpace()
      if next == "}" { break }
      guard next == "," else { throw problem("“,” or “}” is missing; there is \(standing)") }
      position += 1
    }
    position += 1
    return .object(entries)
  }

  private mutating func array() throws(JSON5Problem) -> JSON5Value {
    var elements: [JSON5Value] = []
    while true {
      try skipSpace()
      if next == "]" { break }
      elements.append(try value(at: .index(elements.count)))
      try skipSpace()
      if next == "]" { break }
      guard next == "," else { throw problem("“,” or “]” is missing; there is \(standing)") }
      position += 1
    }
    position += 1
    return .array(elements)
  }

  private mutating func skipSpace() throws(JSON5Problem) {
    while let scalar = next {
      if scalar == "/", peek(1) == "/" {
        let start = position
        while let scalar = next, !Self.endsLine(scalar) { position += 1 }
        addComment(start + 2..<position)
      } else if scalar == "/", peek(1) == "*" {
        let start = position
        position += 2
        while next != "*" || peek(1) != "/" {
          guard next != nil else {
            position = start
            throw problem("a comment has no end “*/”")
          }
          position += 1
        }
        addComment(start + 2..<position)
        position += 2
      } else if Self.isSpace(scalar) {
        position += 1
      } else {
        return
      }
    }
  }

  private mutating func addComment(_ range: Range<Int>) {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    comments.append(String(text))
  }

  static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
    ["\n", "\r", "\u{2028}", "\u{2029}"].contains(scalar)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "\t", "\u{b}", "\u{c}", "\u{a0}", "\u{feff}": true
    default: endsLine(scalar) || (scalar.value > 0x7f && scalar.properties.generalCategory == .spaceSeparator)
    }
  }

  static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "$" || scalar == "_" || scalar == "\\" || scalar.properties.isIDStart
  }

  static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
    beginsName(scalar) || scalar == "\u{200c}" || scalar == "\u{200d}" || scalar.properties.isIDContinue
  }
}
