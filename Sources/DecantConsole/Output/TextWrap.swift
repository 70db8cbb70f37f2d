/// Breaks text into lines at spaces.
package enum TextWrap {
  /// Wraps a paragraph.
  ///
  /// Words longer than a line, such as paths, stay whole. A no-break space never ends a line, and becomes a space.
  ///
  /// - Parameters:
  ///   - indent: Columns before every line except the first.
  ///   - first: Columns already used on the first line.
  package static func wrap(_ text: String, width: Int, indent: Int = 0, first: Int = 0) -> String {
    var lines: [String] = []
    var line = ""
    var column = first
    for word in text.split(separator: " ") {
      let length = DisplayWidth.columns(of: word)
      if !line.isEmpty, column + 1 + length > width {
        lines.append(line)
        line = String(word)
        column = indent + length
      } else {
        column += length + (line.isEmpty ? 0 : 1)
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    lines.append(line)
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent)).replacing("\u{a0}", with: " ")
  }

  /// The text; if it is too wide, only its end after “…”.
  package static func shortenedStart(_ text: String, to width: Int) -> String {
    guard DisplayWidth.columns(of: text) > width else { return text }
    var end = text.suffix(max(0, width - 1))
    while DisplayWidth.columns(of: end) > width - 1 { end.removeFirst() }
    return "…" + end
  }

  /// The text; if it is too wide, only its start with “…”.
  package static func shortened(_ text: String, to width: Int) -> String {
    guard DisplayWidth.columns(of: text) > width else { return text }
    var start = text.prefix(max(0, width - 1))
    while DisplayWidth.columns(of: start) > width - 1 { start.removeLast() }
    return start + "…"
  }
}
