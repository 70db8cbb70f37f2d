extension Lexer {
  /// Reads a number.
  ///
  /// A number with a point or an exponent is a double. Any other number is an integer. If it is too large for 64 bits
  /// with sign, it is a decimal, and beyond 38 digits a double. A number in base 16, 8 or 2 has at most 64 bits.
  mutating func number() throws(FormatError) -> Value {
    let start = position
    let value: Value
    if byte() == UInt8(ascii: "0"), let radix = byte(1).flatMap(Self.radix) {
      position += 2
      value = try whole(radix: radix, from: start)
    } else {
      value = try decimal(from: start)
    }
    if let next = scalar(), ReservedWords.isPart(next.value) {
      throw failure("a number and a word need a space between them")
    }
    return value
  }

  private static func radix(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "x"), UInt8(ascii: "X"): 16
    case UInt8(ascii: "o"), UInt8(ascii: "O"): 8
    case UInt8(ascii: "b"), UInt8(ascii: "B"): 2
    default: nil
    }
  }

  private mutating func whole(radix: Int, from start: Int) throws(FormatError) -> Value {
    let first = position
    while let byte = byte(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix {
      position += 1
    }
    let digits = String(decoding: bytes[first..<position], as: UTF8.self)
    guard !digits.isEmpty else { throw failure("expected digits of base \(radix)") }
    guard let number = UInt64(digits, radix: radix) else {
      throw failure("the number is too large: 64 bits are the most", at: start)
    }
    if let small = Int64(exactly: number) { return .integer(small) }
    guard let decimal = DecimalText.value("\(number)") else {
      throw failure("the number can't be a decimal", at: start)
    }
    return .decimal(decimal)
  }

  private mutating func decimal(from start: Int) throws(FormatError) -> Value {
    skipDigits()
    var isWhole = true
    if byte() == UInt8(ascii: "."), Self.isDigit(byte(1)) {
      isWhole = false
      position += 1
      skipDigits()
    }
    if byte() == UInt8(ascii: "e") || byte() == UInt8(ascii: "E") {
      let sign = byte(1) == UInt8(ascii: "-") || byte(1) == UInt8(ascii: "+")
      if Self.isDigit(byte(sign ? 2 : 1)) {
        isWhole = false
        position += sign ? 2 : 1
        skipDigits()
      }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole {
      if let number = Int64(text) { return .integer(number) }
      if text.utf8.count <= 38, let number = DecimalText.value(text) { return .decimal(number) }
    }
    guard let number = Double(text.hasPrefix(".") ? "0" + text : text), number.isFinite else {
      throw failure("the number is too large", at: start)
    }
    return .double(number)
  }

  private mutating func skipDigits() {
    while Self.isDigit(byte()) { position += 1 }
  }
}
