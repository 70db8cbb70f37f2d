package import Foundation

/// Moments as text, always in UTC.
package enum Timestamp {
  /// Seconds since 1970 by the machine's clock.
  package static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// `2026-11-20T14:00:00.123Z`.
  package static func text(_ seconds: Double = now()) -> String {
    let parts = broken(seconds)
    let fraction = seconds.isFinite ? seconds - seconds.rounded(.down) : 0
    let milliseconds = Int((fraction * 1000).rounded(.down))
    return
      "\(pad(Int(parts.tm_year) + 1900, 4))-\(pad(Int(parts.tm_mon) + 1, 2))-\(pad(Int(parts.tm_mday), 2))T"
      + "\(pad(Int(parts.tm_hour), 2)):\(pad(Int(parts.tm_min), 2)):\(pad(Int(parts.tm_sec), 2))"
      + ".\(pad(milliseconds, 3))Z"
  }

  /// `20261120T140000`, the beginning of a job's name.
  package static func compact(_ seconds: Double) -> String {
    let parts = broken(seconds)
    return "\(pad(Int(parts.tm_year) + 1900, 4))\(pad(Int(parts.tm_mon) + 1, 2))\(pad(Int(parts.tm_mday), 2))T"
      + "\(pad(Int(parts.tm_hour), 2))\(pad(Int(parts.tm_min), 2))\(pad(Int(parts.tm_sec), 2))"
  }

  private static func broken(_ seconds: Double) -> tm {
    var parts = tm()
    var time = seconds.isNaN ? 0 : time_t(max(0, min(seconds, 253_402_300_799)).rounded(.down))
    gmtime_r(&time, &parts)
    return parts
  }

  /// The moment of a text in the form of `text`; `nil` for any other text.
  package static func date(_ text: String) -> Date? {
    try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  package static func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
