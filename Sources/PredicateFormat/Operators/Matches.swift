internal import Foundation

/// `a MATCHES b`: the whole string by a regular expression of ICU's kind; nil on either side: false.
///
/// `[c]` asks ICU for case-insensitive matching, `[d]` folds diacritics of both sides first. A pattern that isn't one
/// is an error, and so is one that goes on and on: how far it gets is counted, not timed.
enum Matches {
  /// How often ICU may report that it is still at work, each time after thousands of its steps.
  ///
  /// Foundation gives up by itself at about twice as many, and doesn't say so.
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
        // An internal error is a pattern that needs more memory than ICU gives it.
        reports += flags.contains(.internalError) ? maximumReports + 1 : 1
        if reports > maximumReports { stop.pointee = true }
      }
    }
    if !isFound, reports > maximumReports {
      throw EvaluationError(.tooCostly("matching “\(pattern)” doesn't come to an end"))
    }
    return isFound
  }
}
