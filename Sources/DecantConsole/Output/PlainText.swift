internal import FileNames

/// Makes text of unknown origin safe to show.
package enum PlainText {
  /// The text with control characters and direction marks written as `\u{…}`.
  ///
  /// So a name in a store or model can't move the cursor or forge a line. A line break, as in SQLite's findings,
  /// becomes a space. Characters outside the composed normal form become bytes as `\xNN`, because another text would
  /// look the same.
  package static func of(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    return text.map { character in
      guard PrintedName.isComposed(character) else { return PrintedName.of(String(character)) }
      guard character.unicodeScalars.contains(where: isUnsafe) else { return String(character) }
      return character.unicodeScalars.map {
        $0 == "\n" ? " " : isUnsafe($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0)
      }
      .joined()
    }
    .joined()
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
