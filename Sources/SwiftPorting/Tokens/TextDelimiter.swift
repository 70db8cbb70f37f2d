/// The marks around a string literal: `"` or `"""`, with or without number signs.
struct TextDelimiter {
  let isMultiline: Bool
  private let signs: Int

  /// The number of bytes of the opening marks.
  var opening: Int { signs + (isMultiline ? 3 : 1) }
  /// The number of bytes of the closing marks.
  var closing: Int { opening }

  /// Nil if no text begins at `place`.
  init?(_ bytes: [UInt8], at place: Int) {
    var index = place
    while index < bytes.count, index - place < 256, bytes[index] == .number { index += 1 }
    signs = index - place
    guard index < bytes.count, bytes[index] == .quote else { return nil }
    isMultiline = bytes[index...].starts(with: [.quote, .quote, .quote]) && Self.isOpen(bytes, at: index + 3)
  }

  /// Whether three quotes open a text of several lines: only blanks follow them on their line.
  ///
  /// `#"""#` is a text with one quote in it.
  private static func isOpen(_ bytes: [UInt8], at place: Int) -> Bool {
    let next = bytes[place...].first { $0 != .space && $0 != .tab }
    return next.map(\.isLineEnd) ?? true
  }

  func closes(_ bytes: [UInt8], at place: Int) -> Bool {
    guard bytes[place] == .quote, place + closing <= bytes.count else { return false }
    let quotes = closing - signs
    return bytes[place..<place + quotes].allSatisfy { $0 == .quote }
      && bytes[place + quotes..<place + closing].allSatisfy { $0 == .number }
  }

  /// The number of bytes of a backslash with its number signs; nil if there is no such backslash at `place`.
  func escape(_ bytes: [UInt8], at place: Int) -> Int? {
    guard bytes[place] == .backslash, place + signs < bytes.count,
      bytes[(place + 1)...].prefix(signs).allSatisfy({ $0 == .number })
    else { return nil }
    return 1 + signs
  }
}
