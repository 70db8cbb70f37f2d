internal import FileNames

/// Text for a page: escaped, so that no name of a store, model or file becomes markup.
enum PageText {
  /// The text with markup escaped, and what can't be seen as `\xNN`.
  static func of(_ text: String) -> String {
    // Most texts of a page need no change.
    if text.utf8.allSatisfy(isPlain) { return text }
    let shown = text.reduce(into: "") { shown, character in
      switch character {
      case "\n", "\r\n": shown += "\n"
      // A narrow or fixed space is harmless, and shown as one.
      case "\u{a0}", "\u{202f}": shown += " "
      case "\\",
        _ where PrintedName.isPlain(character):
        shown.append(character)
      default: shown += PrintedName.of(String(character))
      }
    }
    // By scalars: in a character, a letter may stand before a sign of markup.
    return shown.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\n": escaped += "<br>"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }

  /// Whether a byte is visible ASCII or a space, and no markup.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
    default: (0x20...0x7E).contains(byte)
    }
  }

  /// A name of a store, model or file: in a direction of its own, so that it can't turn what follows.
  static func name(_ text: String) -> String { "<bdi>\(of(text))</bdi>" }

  /// `1 234 567`, with narrow spaces that don't break.
  static func number(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var groups = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { groups += "&#8239;" }
      groups.append(digit)
    }
    return (value < 0 ? "−" : "") + groups
  }

  /// The number without its fraction; numbers of other processes may be any.
  static func number(_ value: Double) -> String { abs(value) < 9e15 ? number(Int(value)) : "unknown" }

  /// `1 row`, `2 rows`.
  static func count(_ value: Int, _ singular: String) -> String {
    "\(number(value)) \(singular)\(value == 1 ? "" : "s")"
  }

  /// `512 bytes`, `24.0 KiB`, `1.5 GiB`.
  static func size(_ bytes: Int) -> String {
    guard bytes >= 1024 else { return count(bytes, "byte") }
    var (value, unit) = (Double(bytes) / 1024, 0)
    let units = ["KiB", "MiB", "GiB", "TiB"]
    while value >= 1023.95, unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
    return "\(decimal(value)) \(units[unit])"
  }

  /// With one digit after the point.
  static func decimal(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "unknown" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths < 0 ? "−" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }
}
