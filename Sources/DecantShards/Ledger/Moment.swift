package import Foundation

/// Moments in ledgers: UTC as ISO 8601 with milliseconds.
package enum Moment {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  package static func text(_ date: Date = Date()) -> String { date.formatted(style) }

  static func date(_ text: String) -> Date? { try? Date(text, strategy: style) }
}
