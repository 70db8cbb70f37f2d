internal import Foundation
internal import Synchronization

/// Compiled regular expressions; they are kept because many rows use the same few patterns.
final class PatternCache: Sendable {
  static let shared = PatternCache()

  private struct Key: Hashable {
    let pattern: String
    let isCaseInsensitive: Bool
    let isWhole: Bool
  }

  private static let maximumCount = 64
  private let known = Mutex<[Key: NSRegularExpression]>([:])

  /// The expression, by default for whole strings.
  func expression(
    _ pattern: String, isCaseInsensitive: Bool, isWhole: Bool = true
  ) throws(EvaluationError) -> NSRegularExpression {
    let key = Key(pattern: pattern, isCaseInsensitive: isCaseInsensitive, isWhole: isWhole)
    if let expression = known.withLock({ $0[key] }) { return expression }
    let options: NSRegularExpression.Options = isCaseInsensitive ? .caseInsensitive : []
    // The pattern is first compiled alone, because “a)(b” would become valid within the added parentheses.
    guard pattern.isEmpty || (try? NSRegularExpression(pattern: pattern, options: options)) != nil,
      let expression = try? NSRegularExpression(
        pattern: isWhole ? "(?:\(pattern))\\z" : pattern, options: options)
    else { throw EvaluationError(.badPattern("“\(pattern)” isn't a regular expression")) }
    known.withLock { known in
      if known.count >= Self.maximumCount { known.removeAll() }
      known[key] = expression
    }
    return expression
  }
}
