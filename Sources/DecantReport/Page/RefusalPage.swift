public import Foundation

/// The page that tells people why a store was refused: `report.html` in a folder of `failed/`.
public enum RefusalPage {
  /// - Parameters:
  ///   - facts: Further facts by name, in order.
  /// - Returns: The page as UTF-8.
  public static func data(
    store: String, reason: FailureReason, message: String, details: [String], advice: String,
    facts: [(String, String?)]
  ) -> Data {
    var page = Page(title: "\(store): refused")
    page.add("<h1>\(PageText.name(store))</h1>")
    page.add("<p><b class=\"bad\">Refused</b>: <code>\(PageText.of(reason.word))</code></p>")
    page.add("<p>\(PageText.of(message))</p>")
    if !details.isEmpty { page.list(details) }
    if !advice.isEmpty {
      page.heading("What to do")
      page.add("<p>\(PageText.of(advice))</p>")
    }
    page.heading("Facts")
    page.facts(facts.map { ($0.0, $0.1.map(PageText.of)) })
    page.add("<p class=\"quiet\">The unchanged original is in original/ beside this page.</p>")
    return Data(page.text.utf8)
  }
}
