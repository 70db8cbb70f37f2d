internal import Foundation

/// Styles in place of a date pattern: `long` for a date, `long short` for a date and a time, `none short` for a time.
///
/// None of these words is a pattern: each has letters that no field of TR 35 has.
struct DateStyles: Equatable {
  let date: DateFormatter.Style
  let time: DateFormatter.Style

  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let styles = words.compactMap { Self.styles[String($0)] }
    guard (1...2).contains(words.count), styles.count == words.count else { return nil }
    date = styles[0]
    time = styles.count > 1 ? styles[1] : .none
  }

  var isEmpty: Bool { date == .none && time == .none }

  private static let styles: [String: DateFormatter.Style] = [
    "none": .none, "short": .short, "medium": .medium, "long": .long, "full": .full,
  ]
}
