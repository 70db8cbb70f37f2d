/// Base64 with line breaks, as in XML stores and property lists (docs/formats/xml-stores.md 2, 3.3).
enum Base64Text {
  /// The decoded bytes of a text; `nil` if it isn't Base64 with optional white space.
  static func bytes(of text: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    var digits = 0
    var padding = 0
    for byte in text where !XMLScanner.isSpace(byte) {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let digit = digit(byte) else { return nil }
      group = group << 6 | digit
      digits += 1
      guard digits == 4 else { continue }
      result.append(UInt8(truncatingIfNeeded: group >> 16))
      result.append(UInt8(truncatingIfNeeded: group >> 8))
      result.append(UInt8(truncatingIfNeeded: group))
      (group, digits) = (0, 0)
    }
    switch (digits, padding) {
    case (0, 0): break
    case (2, 2) where group & 0xf == 0: result.append(UInt8(truncatingIfNeeded: group >> 4))
    case (3, 1) where group & 0x3 == 0:
      result.append(UInt8(truncatingIfNeeded: group >> 10))
      result.append(UInt8(truncatingIfNeeded: group >> 2))
    default: return nil
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
