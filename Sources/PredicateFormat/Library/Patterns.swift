internal import Foundation

/// The functions `replacePattern` and `extract`: they search a text for a regular expression (ICU).
///
/// A search that takes too many steps is an error.
enum Patterns {
  /// The largest text that is searched, in UTF-16 units.
  private static let maximumLength = 1 << 20

  static let functions: [LibraryFunction] = [
    LibraryFunction(
      "replacePattern", [.init("text", .text), .init("pattern", .pattern), .init("by", .text)], gives: .text,
      replace),
    LibraryFunction(
      "extract",
      [.init("text", .text), .init("pattern", .pattern), .init("group", .whole(0...99), isOptional: true)],
      gives: .text, extract),
  ]

  static func problem(with pattern: String) -> String? {
    let expression = try? PatternCache.shared.expression(pattern, isCaseInsensitive: false, isWhole: false)
    return expression == nil ? "“\(LibraryCall.shortened(pattern))”, which isn't a valid pattern" : nil
  }

  private static func extract(_ call: LibraryCall) throws(EvaluationError) -> Value {
    let group = call.whole(2)
    guard let match = try matches(call, atMost: 1).first, group < match.numberOfRanges else { return .null }
    let range = match.range(at: group)
    return range.location == NSNotFound ? .null : .string(part(Array(call.text(0).utf16), range))
  }

  private static func replace(_ call: LibraryCall) throws(EvaluationError) -> Value {
    let units = Array(call.text(0).utf16)
    let expression = try PatternCache.shared.expression(call.text(1), isCaseInsensitive: false, isWhole: false)
    let template = ReplacementTemplate(call.text(2), groups: expression.numberOfCaptureGroups)
    var result: [UInt16] = []
    var start = 0
    for match in try matches(call, atMost: .max) {
      result += units[start..<match.range.location]
      template.append(match, in: units, to: &result)
      start = match.range.location + match.range.length
      guard result.count <= LibraryCall.maximumBytes / 3 else { throw LibraryCall.tooLong("replacePattern") }
    }
    result += units[start...]
    return .string(String(decoding: result, as: UTF16.self))
  }

  private static func part(_ units: [UInt16], _ range: NSRange) -> String {
    String(decoding: units[range.location..<(range.location + range.length)], as: UTF16.self)
  }

  private static func matches(
    _ call: LibraryCall, atMost limit: Int
  ) throws(EvaluationError) -> [NSTextCheckingResult] {
    let (text, pattern) = (call.text(0), call.text(1))
    guard text.utf16.count <= maximumLength else {
      throw EvaluationError(
        .tooCostly("a text of more than \(maximumLength) UTF-16 units is too long for a pattern"))
    }
    let expression = try PatternCache.shared.expression(pattern, isCaseInsensitive: false, isWhole: false)
    var found: [NSTextCheckingResult] = []
    try CountedSearch.run(expression, in: text, isAnchored: false, pattern: pattern) { match in
      found.append(match)
      return found.count < limit
    }
    return found
  }
}
