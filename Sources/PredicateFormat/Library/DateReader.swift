internal import Foundation

/// Reads a date by a pattern; the whole text must match.
///
/// Foundation's own reader isn't used, because it stops the process if reading ends within a character of several
/// code points.
struct DateReader {
  private let pattern: DatePattern
  private let words: DateWords
  private let locale: Locale
  private let zone: TimeZone

  private var rest: ArraySlice<Character> = []
  private var year = 2000
  private var month = 1
  private var day = 1
  private var hour = 0
  private var isAfternoon: Bool?
  private var isTwelveHours = false
  private var minute = 0
  private var second = 0
  private var thousandths = 0
  private var weekday: Int?
  private var offset: Int?

  init(_ pattern: DatePattern, locale: String, zone: TimeZone) {
    self.pattern = pattern
    words = DateWords.of(locale)
    self.locale = Locales.locale(locale) ?? Locales.posix
    self.zone = zone
  }

  /// Seconds since 2001-01-01 00:00:00 UTC; `nil` if the text isn't a date of the pattern.
  static func seconds(_ text: String, _ pattern: DatePattern, locale: String, zone: TimeZone) -> Double? {
    var reader = DateReader(pattern, locale: locale, zone: zone)
    reader.rest = Array(text)[...]
    for (place, field) in pattern.fields.enumerated() {
      guard reader.take(field, isAbutting: pattern.isAbutting(place)) else { return nil }
    }
    return reader.rest.isEmpty ? reader.seconds : nil
  }

  // MARK: Fields

  private mutating func take(_ field: DatePattern.Field, isAbutting: Bool) -> Bool {
    switch field {
    case .literal(let character): return rest.popFirst() == character
    case .letter(let letter, let count):
      switch letter {
      case "y", "u": return takeYear(count, isAbutting)
      case "M", "L": return count < 3 ? take(1...12, count, isAbutting, \.month) : takeMonth()
      case "d": return take(1...31, count, isAbutting, \.day)
      case "H": return take(0...23, count, isAbutting, \.hour)
      case "k":
        guard take(1...24, count, isAbutting, \.hour) else { return false }
        hour %= 24
        return true
      case "h", "K":
        isTwelveHours = true
        guard take(letter == "h" ? 1...12 : 0...11, count, isAbutting, \.hour) else { return false }
        hour %= 12
        return true
      case "m": return take(0...59, count, isAbutting, \.minute)
      case "s": return take(0...59, count, isAbutting, \.second)
      case "S": return takeFraction(count, isAbutting)
      case "a":
        guard let half = takeWord(words.halves) else { return false }
        isAfternoon = half == 1
        return true
      case "E":
        weekday = takeWord(words.weekdays)
        return weekday != nil
      default: return takeOffset()
      }
    }
  }

  /// Digits of any script: exactly `count` if another number follows directly, otherwise one to `widest`.
  private mutating func digits(_ count: Int, widest: Int, _ isAbutting: Bool) -> [Int]? {
    var found: [Int] = []
    while found.count < (isAbutting ? count : widest), let digit = Self.digit(rest.first) {
      found.append(digit)
      rest.removeFirst()
    }
    return found.isEmpty || (isAbutting && found.count < count) ? nil : found
  }

  private static func digit(_ character: Character?) -> Int? {
    guard let scalars = character?.unicodeScalars, scalars.count == 1, let scalar = scalars.first,
      scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue
    else { return nil }
    return Int(value)
  }

  private mutating func take(
    _ bounds: ClosedRange<Int>, _ count: Int, _ isAbutting: Bool, _ part: WritableKeyPath<DateReader, Int>
  ) -> Bool {
    guard count <= 2, let digits = digits(count, widest: 2, isAbutting) else { return false }
    let number = digits.reduce(0) { $0 * 10 + $1 }
    self[keyPath: part] = number
    return bounds.contains(number)
  }

  private mutating func takeYear(_ count: Int, _ isAbutting: Bool) -> Bool {
    guard count <= 4, let digits = digits(count, widest: count == 2 ? 2 : 4, isAbutting) else { return false }
    year = digits.reduce(0) { $0 * 10 + $1 }
    if count == 2 {
      guard digits.count == 2 else { return false }
      year += year < 50 ? 2000 : 1900
    }
    return year > 0
  }

  /// Digits after the thousandth are cut off.
  private mutating func takeFraction(_ count: Int, _ isAbutting: Bool) -> Bool {
    guard let digits = digits(count, widest: 9, isAbutting) else { return false }
    thousandths = (digits + [0, 0]).prefix(3).reduce(0) { $0 * 10 + $1 }
    return true
  }

  private mutating func takeMonth() -> Bool {
    guard let place = takeWord(words.months) else { return false }
    month = place + 1
    return true
  }

  /// The place in the list of the longest word at the current position, without regard to case.
  private mutating func takeWord(_ lists: [[String]]) -> Int? {
    var best: (place: Int, length: Int)?
    for (place, forms) in lists.enumerated() {
      for form in forms where form.count > best?.length ?? 0 {
        if form.count <= rest.count, String(rest.prefix(form.count)).lowercased(with: locale) == form {
          best = (place, form.count)
        }
      }
    }
    guard let best else { return nil }
    rest.removeFirst(best.length)
    return best.place
  }

  /// `Z`, `+0100`, `-05:00`, `GMT`, `GMT+2`.
  private mutating func takeOffset() -> Bool {
    let isNamed = ["GMT", "UTC"].contains(String(rest.prefix(3)))
    if isNamed { rest.removeFirst(3) }
    offset = 0
    if !isNamed, rest.first == "Z" {
      rest.removeFirst()
      return true
    }
    guard let sign = rest.first, "+-−".contains(sign) else { return isNamed }
    rest.removeFirst()
    guard let hours = digits(2, widest: 2, !isNamed) else { return false }
    if rest.first == ":" { rest.removeFirst() }
    let minutes = digits(2, widest: 2, false) ?? [0, 0]
    let (hour, minute) = (hours.reduce(0) { $0 * 10 + $1 }, minutes.reduce(0) { $0 * 10 + $1 })
    offset = (hour * 3600 + minute * 60) * (sign == "+" ? 1 : -1)
    return hour < 19 && minute < 60 && minutes.count == 2
  }

  // MARK: Result

  /// Seconds since 2001-01-01 00:00:00 UTC.
  ///
  /// The calendar moves a time that doesn't exist, such as 30 February or an hour that a clock change skips. So the
  /// parts of the result are compared.
  private var seconds: Double? {
    if isTwelveHours, isAfternoon == nil { return nil }
    var calendar = Calendar(identifier: .gregorian)
    guard let zone = offset.map({ TimeZone(secondsFromGMT: $0) }) ?? zone else { return nil }
    calendar.timeZone = zone
    let hour = self.hour + (isTwelveHours && isAfternoon == true ? 12 : 0)
    let wanted = DateComponents(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    guard let date = calendar.date(from: wanted) else { return nil }
    let found = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
    guard found.year == year, found.month == month, found.day == day, found.hour == hour,
      found.minute == minute,
      found.second == second, weekday.map({ $0 + 1 == found.weekday }) ?? true
    else { return nil }
    return date.timeIntervalSinceReferenceDate.rounded() + Double(thousandths) / 1000
  }
}
