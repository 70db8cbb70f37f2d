internal import FileNames
internal import LineOutput

/// Makes text of unknown origin safe to show.
package enum PlainText {
  /// The text with control characters and direction marks written as `\u{…}`.
  ///
  /// So a name in a store or model can't move the cursor or forge a line. A newline, as in SQLite's findings, becomes a
  /// space. A character outside the composed normal form is shown in the form of `PrintedName`, because another text
  /// would look the same.
  package static func of(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    return text.map { character in
      guard PrintedName.isComposed(character) else { return PrintedName.of(String(character)) }
      guard character.unicodeScalars.contains(where: \.isUnsafe) else { return String(character) }
      return character.unicodeScalars.map {
        $0 == "\n" ? " " : $0.isUnsafe ? "\\u{\(String($0.value, radix: 16))}" : String($0)
      }
      .joined()
    }
    .joined()
  }
}
