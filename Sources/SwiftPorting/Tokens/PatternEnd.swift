/// The end of a regular expression in Swift code.
enum PatternEnd {
  /// - Returns: The place after the pattern, which is `/…/` on one line, or `#/…/#`. Nil if no pattern of at most 1000
  ///   bytes begins at `place`.
  static func of(_ bytes: [UInt8], at place: Int) -> Int? {
    var start = place
    while start < bytes.count, start - place < 256, bytes[start] == .number { start += 1 }
    let signs = start - place
    guard start < bytes.count, bytes[start] == .slash else { return nil }
    var index = start + 1
    guard index < bytes.count, signs > 0 || bytes[index] != .space && bytes[index] != .tab else { return nil }
    let limit = min(bytes.count, place + 1000)
    while index < limit {
      if bytes[index] == .slash, signs == 0 || closes(bytes, at: index, signs) { return index + 1 + signs }
      if signs == 0, bytes[index].isLineEnd { return nil }
      index += bytes[index] == .backslash ? 2 : 1
    }
    return nil
  }

  private static func closes(_ bytes: [UInt8], at place: Int, _ signs: Int) -> Bool {
    place + signs < bytes.count && (1...signs).allSatisfy { bytes[place + $0] == .number }
  }
}
