internal import Foundation
internal import Synchronization

/// Date formatters for reuse, because making one takes longer than using it.
///
/// Only one caller uses a formatter at a time.
final class FormatterPool: Sendable {
  struct Key: Hashable {
    let pattern: String
    let locale: String
    let timeZone: String
  }

  static let shared = FormatterPool()
  private static let maximumCount = 64
  private let idle = Mutex<[Key: [DateFormatter]]>([:])

  func use(_ key: Key, _ work: (DateFormatter) -> Value) -> Value {
    let formatter = idle.withLock { $0[key]?.popLast() } ?? Self.make(key)
    defer {
      idle.withLock { idle in
        // Patterns may come from rows, so their number has no limit.
        if idle.count >= Self.maximumCount, idle[key] == nil { idle.removeAll() }
        if idle[key, default: []].count < Self.maximumCount { idle[key, default: []].append(formatter) }
      }
    }
    return work(formatter)
  }

  private static func make(_ key: Key) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.locale = Locales.locale(key.locale) ?? Locales.posix
    formatter.timeZone = Locales.timeZone(key.timeZone) ?? .gmt
    if let styles = DateStyles(key.pattern) {
      formatter.dateStyle = styles.date
      formatter.timeStyle = styles.time
    } else {
      formatter.dateFormat = key.pattern
    }
    return formatter
  }
}
