internal import Foundation
internal import Synchronization

/// The names of months, days and halves of the day in a locale.
struct DateWords: Sendable {
  private static let known = Mutex<[String: DateWords]>([:])

  /// The names of the months from January, each in all its forms.
  let months: [[String]]
  /// The names of the days from Sunday, each in all its forms.
  let weekdays: [[String]]
  /// The names of the halves of the day, each in all its forms.
  let halves: [[String]]

  static func of(_ locale: String) -> DateWords {
    if let words = known.withLock({ $0[locale] }) { return words }
    let words = DateWords(Locales.locale(locale) ?? Locales.posix)
    known.withLock { known in
      // Locales may come from rows, so their number has no limit.
      if known.count >= 64 { known.removeAll() }
      known[locale] = words
    }
    return words
  }

  private init(_ locale: Locale) {
    let formatter = DateFormatter()
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.locale = locale
    func forms(_ lists: [[String]?]) -> [[String]] {
      let lists = lists.compactMap { $0 }
      return (0..<(lists.map(\.count).min() ?? 0)).map { place in
        lists.map { $0[place].lowercased(with: locale) }.filter { !$0.isEmpty }
      }
    }
    months = forms([
      formatter.monthSymbols, formatter.standaloneMonthSymbols, formatter.shortMonthSymbols,
      formatter.shortStandaloneMonthSymbols,
    ])
    weekdays = forms([
      formatter.weekdaySymbols, formatter.standaloneWeekdaySymbols, formatter.shortWeekdaySymbols,
      formatter.shortStandaloneWeekdaySymbols,
    ])
    halves = forms([[formatter.amSymbol, formatter.pmSymbol], ["am", "pm"]])
  }
}
