internal import FileNames

/// Text for a page: escaped, so that no name of a store, model or file becomes markup.
enum PageText {
  /// The text with markup escaped, line breaks as `<br>`, and no-break spaces as spaces.
  ///
  /// Characters that are invisible or not in composed form are written as `\xNN` (`PrintedName`).
  static func of(_ text: String) -> String {
    // Most texts of a page need no change.
    if text.utf8.allSatisfy(isPlain) { return text }
    let shown = text.reduce(into: "") { shown, character in
      switch character {
      case "\n", "\r\n": shown += "\n"
      // A no-break space, wide or narrow, is harmless; a usual space is shown.
      case "\u{a0}", "\u{202f}": shown += " "
      case "\\",
        _ where PrintedName.isPlain(character):
        shown.append(character)
      default: shown += PrintedName.of(String(character))
      }
    }
    // Escape each scalar, because a sign of markup may be one of several scalars of a character.
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

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
    default: (0x20...0x7E).contains(byte)
    }
  }

  /// A name of a store, model or file, isolated, so that its text direction doesn't change the text around it.
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

  /// The number without its fraction; `unknown` if it is too large, because another process may send any number.
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

  /// The number with one digit after the point; `unknown` if it is too large or no number.
  static func decimal(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "unknown" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths < 0 ? "−" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }
}
