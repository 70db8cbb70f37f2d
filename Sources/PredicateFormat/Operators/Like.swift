/// `a LIKE b`: matches the whole string, where `?` is any one character (code point) and `*` any number of characters.
///
/// After a backslash, `?`, `*` and a backslash are ordinary characters. A backslash before anything else is an ordinary
/// character. With `[c]` or `[d]`, strings are folded first. The result is false if a side is nil.
enum Like {
  private enum Part: Equatable {
    case run
    case one
    case scalar(Unicode.Scalar)
  }

  /// The number of evaluation steps that a comparison counts as: about one for each 16 bytes of the text.
  ///
  /// If the pattern has several `*`, the number is multiplied by the pattern's number of bytes.
  static func steps(_ text: Value, _ pattern: Value) throws(EvaluationError) -> Int {
    guard let (text, pattern) = try TextPair.of(text, pattern) else { return 1 }
    let runs = pattern.utf8.count { $0 == UInt8(ascii: "*") }
    let (product, overflow) = text.utf8.count.multipliedReportingOverflow(by: runs > 1 ? pattern.utf8.count : 1)
    return overflow ? .max : product / 16 + 1
  }

  static func holds(
    _ text: Value, _ pattern: Value, _ options: ComparisonOptions
  ) throws(EvaluationError) -> Bool {
    guard let (text, pattern) = try TextPair.of(text, pattern) else { return false }
    return matches(Array(Folding.text(text, options).unicodeScalars), parts(Folding.text(pattern, options)))
  }

  private static func parts(_ pattern: String) -> [Part] {
    var parts: [Part] = []
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch (scalar, isEscaped) {
      case ("*", true), ("?", true), ("\\", true):
        parts.append(.scalar(scalar))
        isEscaped = false
      case (_, true):
        parts += [.scalar("\\"), .scalar(scalar)]
        isEscaped = false
      case ("\\", false): isEscaped = true
      case ("*", false): if parts.last != .run { parts.append(.run) }
      case ("?", false): parts.append(.one)
      default: parts.append(.scalar(scalar))
      }
    }
    return isEscaped ? parts + [.scalar("\\")] : parts
  }

  /// Whether the text matches, with at most as many comparisons as the product of both lengths.
  ///
  /// Only one run (`*`) is tried again at a time. What follows the last run is compared once, with the text's end.
  private static func matches(_ text: [Unicode.Scalar], _ pattern: [Part]) -> Bool {
    var (place, part) = (0, 0)
    var run: (place: Int, part: Int)?
    let lastRun = pattern.lastIndex(of: .run)
    while place < text.count {
      if part < pattern.count, pattern[part] == .run {
        run = part == lastRun ? nil : (place, part)
        if part == lastRun {
          let rest = pattern.count - part - 1
          guard text.count - place >= rest else { return false }
          place = text.count - rest
        }
        part += 1
      } else if part < pattern.count, pattern[part] == .one || pattern[part] == .scalar(text[place]) {
        place += 1
        part += 1
      } else if let last = run {
        run = (last.place + 1, last.part)
        place = last.place + 1
        part = last.part + 1
      } else {
        return false
      }
    }
    return pattern[part...].allSatisfy { $0 == .run }
  }
}
