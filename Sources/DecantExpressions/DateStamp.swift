/// A date pattern of the fields `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss` and `SSS` (TR 35), with other text between them.
///
/// The calendar is Gregorian, and the time zone is GMT.
struct DateStamp {
  private enum Field {
    case literal(UInt8)
    case year, month, day, hour, minute, second, thousandth
  }

  private let fields: [Field]
  /// The number of bytes of each date's text.
  let count: Int

  init?(_ pattern: String) {
    guard !pattern.isEmpty, pattern.utf8.count <= 200 else { return nil }
    var fields: [Field] = []
    var rest = Array(pattern.utf8)[...]
    while let byte = rest.first {
      let count = rest.prefix { $0 == byte }.count
      if byte >= 0x80 || byte == UInt8(ascii: "'") { return nil }
      guard (byte | 0x20) >= UInt8(ascii: "a"), (byte | 0x20) <= UInt8(ascii: "z") else {
        fields.append(.literal(byte))
        rest.removeFirst()
        continue
      }
      switch (byte, count) {
      case (UInt8(ascii: "y"), 4): fields.append(.year)
      case (UInt8(ascii: "M"), 2): fields.append(.month)
      case (UInt8(ascii: "d"), 2): fields.append(.day)
      case (UInt8(ascii: "H"), 2): fields.append(.hour)
      case (UInt8(ascii: "m"), 2): fields.append(.minute)
      case (UInt8(ascii: "s"), 2): fields.append(.second)
      case (UInt8(ascii: "S"), 3): fields.append(.thousandth)
      default: return nil
      }
      rest.removeFirst(count)
    }
    self.fields = fields
    count = pattern.utf8.count
  }

  /// From 1582-10-15, the start of the calendar, to just before 9999-12-31 23:59:59, in seconds since 2001.
  static let bounds = -13_197_600_000.0..<252_423_993_599.0

  /// Writes a date within `bounds`.
  ///
  /// - Parameters:
  ///   - seconds: Seconds since 2001-01-01 00:00:00 UTC; they are rounded to thousandths, as Foundation's
  ///     formatter does.
  ///   - text: `count` bytes or more.
  func write(_ seconds: Double, into text: UnsafeMutableBufferPointer<UInt8>) {
    let thousandths = Int(((seconds + 978_307_200) * 1000 + 0.5).rounded(.down))
    let (days, time) = Self.divided(thousandths, by: 86_400_000)
    let (year, month, day) = Self.date(days)
    var place = 0
    func write(_ number: Int, _ width: Int) {
      var rest = number
      for digit in stride(from: place + width - 1, through: place, by: -1) {
        text[digit] = UInt8(truncatingIfNeeded: 48 + rest % 10)
        rest /= 10
      }
      place += width
    }
    for field in fields {
      switch field {
      case .literal(let byte):
        text[place] = byte
        place += 1
      case .year: write(year, 4)
      case .month: write(month, 2)
      case .day: write(day, 2)
      case .hour: write(time / 3_600_000, 2)
      case .minute: write(time / 60_000 % 60, 2)
      case .second: write(time / 1000 % 60, 2)
      case .thousandth: write(time % 1000, 3)
      }
    }
  }

  private static func divided(_ number: Int, by divisor: Int) -> (Int, Int) {
    let rest = number % divisor
    return rest < 0 ? (number / divisor - 1, rest + divisor) : (number / divisor, rest)
  }

  /// The date that is a number of days after 1970-01-01.
  ///
  /// In this computation years begin with March, so that a leap day is the last day of a year.
  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = divided(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    return (era * 400 + yearOfEra + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, day)
  }
}
