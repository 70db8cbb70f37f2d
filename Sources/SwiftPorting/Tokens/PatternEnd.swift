/// The end of a regular expression in Swift code.
enum PatternEnd {
  /// - Returns: Nil if no pattern begins there: `/…/` on one line, or `#/…/#`.
  static func of(_ bytes: [UInt8], at place: Int) -> Int? {
    var start = place
    while start < bytes.count, bytes[start] == .number { start += 1 }
    let signs = start - place
    guard start < bytes.count, bytes[start] == .slash else { return nil }
    var index = start + 1
    guard index < bytes.count, signs > 0 || bytes[index] != .space && bytes[index] != .tab else { return nil }
    while index < bytes.count {
      if bytes[index] == .slash, bytes[(index + 1)...].prefix(signs).filter({ $0 == .number }).count == signs {
        return index + 1 + signs
      }
      if signs == 0, bytes[index].isLineEnd { return nil }
      index += bytes[index] == .backslash ? 2 : 1
    }
    return nil
  }
}
