extension Lexer {
  /// A string with decoded escapes; unknown escapes such as `\d` are refused.
  mutating func string(closing quote: UInt8) throws(FormatError) -> String {
    let start = position
    position += 1
    var content: [UInt8] = []
    while let byte = byte() {
      position += 1
      switch byte {
      case quote: return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"): content += try escape()
      default: content.append(byte)
      }
    }
    throw failure("the string that begins here has no end", at: start)
  }

  private mutating func escape() throws(FormatError) -> [UInt8] {
    let start = position - 1
    guard let byte = byte() else { throw failure("the string ends after a backslash", at: start) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): return [byte]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "x"): return try character(digits: 2, from: start)
    case UInt8(ascii: "u"): return try character(digits: 4, from: start)
    default:
      throw failure(
        "unknown escape in a string: expected \\\", \\', \\\\, \\n, \\r, \\t, \\xHH or \\uHHHH; "
          + "write \\\\ for a backslash, also in patterns", at: start)
    }
  }

  /// A character by its number; a surrogate pair has two escapes.
  private mutating func character(digits: Int, from start: Int) throws(FormatError) -> [UInt8] {
    var number = try hexadecimal(digits, from: start)
    if (0xD800..<0xDC00).contains(number), byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") {
      position += 2
      let low = try hexadecimal(4, from: start)
      guard (0xDC00..<0xE000).contains(low) else {
        throw failure("half of a surrogate pair: the second \\u escape isn't the other half", at: start)
      }
      number = 0x10000 + (number - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(number) else {
      throw failure("half of a surrogate pair: a \\u escape without the other half", at: start)
    }
    return Array(String(Character(scalar)).utf8)
  }

  private mutating func hexadecimal(_ digits: Int, from start: Int) throws(FormatError) -> UInt32 {
    var number: UInt32 = 0
    for _ in 0..<digits {
      guard let byte = byte(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("expected \(digits) hexadecimal digits", at: start)
      }
      number = number << 4 | UInt32(digit)
      position += 1
    }
    return number
  }
}
