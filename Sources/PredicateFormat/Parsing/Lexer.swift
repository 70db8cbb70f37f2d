/// Splits a text into tokens (docs/formats/predicate-format.md 1).
struct Lexer {
  let bytes: [UInt8]
  var position = 0

  /// All tokens of a text, with `end` as the last.
  static func tokens(of text: String) throws(FormatError) -> [Token] {
    let bytes = Array(text.utf8)
    guard bytes.count <= FormatLimits.maximumBytes else {
      throw FormatError("the text is larger than \(FormatLimits.maximumBytes) bytes", at: 0, of: [])
    }
    var lexer = Lexer(bytes: bytes)
    var tokens: [Token] = []
    while true {
      let token = try lexer.next()
      tokens.append(token)
      if case .end = token.kind { return tokens }
    }
  }

  func byte(_ ahead: Int = 0) -> UInt8? {
    let place = position + ahead
    return bytes.indices.contains(place) ? bytes[place] : nil
  }

  func failure(_ reason: String, at offset: Int? = nil) -> FormatError {
    FormatError(reason, at: offset ?? position, of: bytes)
  }

  private mutating func next() throws(FormatError) -> Token {
    skipSpace()
    let start = position
    guard let byte = byte() else { return Token(kind: .end, offset: start) }
    let kind: Token.Kind
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): kind = .string(try string(closing: byte))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): kind = .number(try number())
    case UInt8(ascii: ".") where Self.isDigit(self.byte(1)): kind = .number(try number())
    case UInt8(ascii: "$"): kind = .variable(try name(after: "$"))
    case UInt8(ascii: "@"): kind = .at(try name(after: "@"))
    case UInt8(ascii: "#"): kind = .marked(try name(after: "#"))
    case UInt8(ascii: "%"): kind = .argument(try argument())
    default:
      if let symbol = symbol() {
        kind = .symbol(symbol)
      } else if let word = word() {
        kind = .word(word + (word.uppercased() == "UTI" ? typeIdentifierTail() : ""))
      } else {
        throw failure("“\(character())” has no meaning here")
      }
    }
    return Token(kind: kind, offset: start)
  }

  private mutating func skipSpace() {
    while let scalar = scalar(), scalar.value.properties.isWhitespace { position += scalar.size }
  }

  private static let symbols: [String] = [
    "**", "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", ":=", "=", "<", ">", "!", "+", "-", "*", "/",
    "(", ")",
    "{", "}", "[", "]", ",", ".", ":",
  ]

  private mutating func symbol() -> String? {
    for symbol in Self.symbols where bytes[position...].starts(with: symbol.utf8) {
      position += symbol.utf8.count
      return symbol
    }
    return nil
  }

  private mutating func word() -> String? {
    let start = position
    guard let first = scalar(), ReservedWords.isStart(first.value) else { return nil }
    position += first.size
    while let next = scalar(), ReservedWords.isPart(next.value) { position += next.size }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func name(after sign: Character) throws(FormatError) -> String {
    position += 1
    guard let word = word() else { throw failure("expected a name after “\(sign)”") }
    return word
  }

  /// `UTI-CONFORMS-TO` and `UTI-EQUALS` are words with hyphens.
  private mutating func typeIdentifierTail() -> String {
    for tail in ["-CONFORMS-TO", "-EQUALS"] {
      let part = bytes[position...].prefix(tail.utf8.count)
      guard String(decoding: part, as: UTF8.self).uppercased() == tail else { continue }
      position += tail.utf8.count
      return tail
    }
    return ""
  }

  /// `%@`, `%K`, or one of the forms of printf.
  private mutating func argument() throws(FormatError) -> String {
    let start = position
    position += 1
    while let byte = byte(), "hljzqt0123456789.-+# ".utf8.contains(byte), position - start < 12 {
      position += 1
    }
    guard let byte = byte(), "@KdDiuUxXoOfFeEgGaAcCsS%".utf8.contains(byte) else {
      throw failure("expected “@”, “K” or a letter of printf after “%”", at: start)
    }
    position += 1
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private func character() -> String {
    String(String(decoding: bytes[position...].prefix(32), as: UTF8.self).prefix(1))
  }

  /// The character at the position, and its number of bytes; the text is valid UTF-8.
  func scalar() -> (value: Unicode.Scalar, size: Int)? {
    guard let first = byte() else { return nil }
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    let text = String(decoding: bytes[position..<min(position + size, bytes.count)], as: UTF8.self)
    return text.unicodeScalars.first.map { ($0, size) }
  }

  static func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
}
