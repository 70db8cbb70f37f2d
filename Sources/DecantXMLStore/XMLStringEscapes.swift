/// The escapes inside strings of XML stores: `\u` and the two bytes of a UTF-16 unit, low byte first, in hexadecimal;
/// `\u3c00` is `<` (docs/formats/xml-stores.md 3.2).
enum XMLStringEscapes {
  /// The unescaped text; a backslash without an escape stays.
  static func unescaped(_ text: String) throws(XMLAttributeText.Refusal) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "\\")) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      guard let first = unit(bytes, at: place) else {
        result.append(bytes[place])
        place += 1
        continue
      }
      place += 6
      var units = [first]
      if UTF16.isLeadSurrogate(first), let second = unit(bytes, at: place), UTF16.isTrailSurrogate(second) {
        units.append(second)
        place += 6
      }
      guard let character = String(validating: units, as: UTF16.self) else {
        throw XMLAttributeText.Refusal(reason: "it holds half of an escaped character")
      }
      result += Array(character.utf8)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func unit(_ bytes: [UInt8], at place: Int) -> UInt16? {
    guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u")
    else { return nil }
    var value: UInt16 = 0
    for byte in bytes[(place + 2)..<(place + 6)] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt16(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt16(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt16(byte - UInt8(ascii: "A") + 10)
      default: return nil
      }
    }
    return value.byteSwapped
  }
}
