extension JSON5Reader {
  /// A key without quotes, or a word such as `true`.
  mutating func name() throws(JSON5Problem) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = next, Self.continuesName(scalar) {
      position += 1
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      guard next == "u" else { throw problem("a key without quotes may have only the escape \\u") }
      position += 1
      let escaped = try unicodeEscape()
      guard escaped != "\\", text.isEmpty ? Self.beginsName(escaped) : Self.continuesName(escaped) else {
        throw problem("a key without quotes can't hold that character; put the key in quotes")
      }
      text.append(escaped)
    }
    return String(text)
  }

  mutating func string() throws(JSON5Problem) -> String {
    let quote = next
    let start = position
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = next {
      if scalar == quote {
        position += 1
        return String(text)
      }
      guard scalar != "\0" else { throw problem("a text can't hold NUL") }
      guard scalar != "\n", scalar != "\r" else { break }
      position += 1
      if scalar != "\\" {
        text.append(scalar)
      } else if let escaped = try escape() {
        text.append(escaped)
      }
    }
    position = start
    throw problem("a text in quotes has no end")
  }

  /// The character that the escape after a backslash stands for; `nil` for a line continuation.
  private mutating func escape() throws(JSON5Problem) -> Unicode.Scalar? {
    guard let scalar = next else { throw problem("a text in quotes has no end") }
    switch scalar {
    case "0"..."9": throw problem("there is no escape “\\\(scalar)”")
    case "\r":
      position += next == "\r" && peek(1) == "\n" ? 2 : 1
      return nil
    case _ where Self.endsLine(scalar):
      position += 1
      return nil
    default: position += 1
    }
    switch scalar {
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{b}"
    case "x":
      guard let escaped = Unicode.Scalar(try hexadecimal(digits: 2)), escaped != "\0" else {
        throw problem("a text can't hold NUL")
      }
      return escaped
    case "u": return try unicodeEscape()
    default: return scalar
    }
  }

  /// The character for the four digits after `\u`; a surrogate pair has a second escape, which is read, too.
  private mutating func unicodeEscape() throws(JSON5Problem) -> Unicode.Scalar {
    let first = try hexadecimal(digits: 4)
    guard first != 0 else { throw problem("a text can't hold NUL") }
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xdc00, next == "\\", peek(1) == "u" else {
      throw problem("\\u is half of a pair; the other half is missing")
    }
    position += 2
    let second = try hexadecimal(digits: 4)
    guard (0xdc00...0xdfff).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    else { throw problem("\\u is half of a pair; the other half is missing") }
    return scalar
  }

  private mutating func hexadecimal(digits: Int) throws(JSON5Problem) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let scalar = next, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
        throw problem("an escape needs \(digits) hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// A number; a whole one becomes an integer if it fits.
  mutating func number() throws(JSON5Problem) -> JSON5Value {
    let start = position
    var text = ""
    if next == "-" { text = "-" }
    if next == "+" || next == "-" { position += 1 }
    let value: JSON5Value?
    if next == "0", peek(1) == "x" || peek(1) == "X" {
      position += 2
      text += digits { $0.properties.isASCIIHexDigit }
      value = Int(text, radix: 16).map(JSON5Value.integer)
    } else {
      value = decimal(sign: text)
    }
    if let value, next.map(Self.continuesName) != true, next != "." { return value }
    position = start
    throw problem("a number can't be read or is too large")
  }

  private mutating func decimal(sign: String) -> JSON5Value? {
    let whole = digits(Self.isDigit)
    guard whole.count < 2 || !whole.hasPrefix("0") else { return nil }
    var isWhole = true
    var fraction = ""
    if next == "." {
      position += 1
      isWhole = false
      fraction = digits(Self.isDigit)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    var exponent = ""
    if next == "e" || next == "E" {
      position += 1
      isWhole = false
      exponent = "e"
      if let sign = next, sign == "+" || sign == "-" {
        exponent.unicodeScalars.append(sign)
        position += 1
      }
      let power = digits(Self.isDigit)
      guard !power.isEmpty else { return nil }
      exponent += power
    }
    if isWhole, let integer = Int(sign + whole) { return .integer(integer) }
    let text = "\(sign)\(whole.isEmpty ? "0" : whole).\(fraction.isEmpty ? "0" : fraction)\(exponent)"
    guard let number = Double(text), number.isFinite else { return nil }
    return Int(exactly: number).map(JSON5Value.integer) ?? .number(number)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private mutating func digits(_ isDigit: (Unicode.Scalar) -> Bool) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = next, isDigit(scalar) {
      text.append(scalar)
      position += 1
    }
    return String(text)
  }
}
