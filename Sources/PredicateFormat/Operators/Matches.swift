internal import Foundation

/// `a MATCHES b`: matches the whole string with a regular expression (ICU); false if a side is nil.
///
/// `[c]` means ICU's case-insensitive matching, and `[d]` first folds diacritics of both sides. A pattern that
/// is invalid or takes too many steps is an error. Steps are counted, so that the result doesn't depend on the
/// machine's speed.
enum Matches {
  /// The largest number of ICU's progress reports; each comes after thousands of steps.
  ///
  /// Foundation gives up without an error at about twice as many.
  static let maximumReports = 2_000

  static func holds(
    _ text: Value, _ pattern: Value, _ options: ComparisonOptions
  ) throws(EvaluationError) -> Bool {
    guard let (text, pattern) = try TextPair.of(text, pattern) else { return false }
    let diacritics = options.intersection(.diacriticInsensitive)
    let expression = try PatternCache.shared.expression(
      Folding.text(pattern, diacritics), isCaseInsensitive: options.contains(.caseInsensitive))
    let subject = Folding.text(text, diacritics)
    var isFound = false
    var reports = 0
    expression.enumerateMatches(
      in: subject, options: [.anchored, .reportProgress, .reportCompletion],
      range: NSRange(location: 0, length: subject.utf16.count)
    ) { match, flags, stop in
      if match != nil {
        isFound = true
        stop.pointee = true
      } else {
        // An internal error means that a pattern needs more memory than ICU's limit.
        reports += flags.contains(.internalError) ? maximumReports + 1 : 1
        if reports > maximumReports { stop.pointee = true }
      }
    }
    if !isFound, reports > maximumReports {
      throw EvaluationError(.tooCostly("matching “\(pattern)” takes too many steps or too much memory"))
    }
    return isFound
  }
}
