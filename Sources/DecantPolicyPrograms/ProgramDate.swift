/// Dates in ISO 8601, such as `2001-01-31T23:59:59.5Z`: date, time and zone are all required.
enum ProgramDate {
  /// Seconds since 2001-01-01 00:00:00 UTC; `nil` for a text of another form, and for a date that doesn't exist.
  static func seconds(_ text: String) -> Double? {
    guard
      let parts = text.wholeMatch(
        of:
          /([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]{1,12})?(Z|z|([-+])([0-9]{2}):?([0-9]{2}))/
      )?.output,
      let year = Int(parts.1), let month = Int(parts.2), let day = Int(parts.3), let hour = Int(parts.4),
      let minute = Int(parts.5), let second = Int(parts.6), let fraction = Double("0" + (parts.7 ?? ".0"))
    else { return nil }
    let (zoneHours, zoneMinutes) = (Int(parts.10 ?? "0") ?? 0, Int(parts.11 ?? "0") ?? 0)
    guard year > 0, (1...12).contains(month), day > 0, day <= length(of: month, in: year), hour < 24,
      minute < 60,
      second < 60, zoneHours < 24, zoneMinutes < 60
    else { return nil }
    let zone = (zoneHours * 60 + zoneMinutes) * (parts.9 == "-" ? -60 : 60)
    let days = daysSince2001(year, month, day)
    return Double(days * 86_400 + hour * 3600 + minute * 60 + second - zone) + fraction
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  private static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// As in ISO 8601, dates are in the Gregorian calendar, even dates before that calendar was introduced.
  private static func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let before = year - 1
    let years = before * 365 + before / 4 - before / 100 + before / 400 - 730_485
    return years + (1..<month).reduce(0) { $0 + length(of: $1, in: year) } + day - 1
  }
}
