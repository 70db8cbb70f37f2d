internal import Foundation

/// A search with a regular expression (ICU) that ends after a number of steps.
///
/// Steps are counted, so that the result doesn't depend on the machine's speed.
enum CountedSearch {
  /// The largest number of ICU's progress reports, without the reports for places at which the search begins.
  ///
  /// ICU sends a report after thousands of steps. Foundation gives up without an error at about twice as many reports.
  private static let maximumReports = 2_000

  /// Passes the matches in a text to `take`, until `take` returns false.
  ///
  /// - Parameters:
  ///   - isAnchored: Whether a match must begin at the text's start.
  ///   - pattern: The pattern as it was written, for the error.
  static func run(
    _ expression: NSRegularExpression, in text: String, isAnchored: Bool, pattern: String,
    take: @escaping (NSTextCheckingResult) -> Bool
  ) throws(EvaluationError) {
    let length = text.utf16.count
    // ICU also sends a report for each place at which the search begins.
    let limit = maximumReports + (isAnchored ? 0 : length)
    var options: NSRegularExpression.MatchingOptions = [.reportProgress, .reportCompletion]
    if isAnchored { options.insert(.anchored) }
    var reports = 0
    var isEndless = false
    expression.enumerateMatches(
      in: text, options: options, range: NSRange(location: 0, length: length)
    ) { match, flags, stop in
      if let match {
        if !take(match) { stop.pointee = true }
      } else {
        reports += 1
        // An internal error means that a pattern needs more memory than ICU's limit.
        isEndless = isEndless || reports > limit || flags.contains(.internalError)
        if isEndless { stop.pointee = true }
      }
    }
    if isEndless {
      throw EvaluationError(.tooCostly("matching “\(pattern)” takes too many steps or too much memory"))
    }
  }
}
