internal import Foundation

/// A number, with truth values as 0 and 1.
///
/// NaN counts as nil, because SQLite stores it as NULL.
enum Number {
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)

  init?(_ value: Value) {
    switch value {
    case .boolean(let flag): self = .integer(flag ? 1 : 0)
    case .integer(let number): self = .integer(number)
    case .double(let number) where !number.isNaN: self = .double(number)
    case .decimal(let number) where !number.isNaN: self = .decimal(number)
    default: return nil
    }
  }

  var value: Value {
    switch self {
    case .integer(let number): .integer(number)
    case .double(let number): number.isNaN ? .null : .double(number)
    case .decimal(let number): number.isNaN ? .null : .decimal(number)
    }
  }

  var double: Double {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): Double(DecimalText.text(number)) ?? .nan
    }
  }

  var whole: Int64? {
    switch self {
    case .integer(let number): number
    case .double(let number): Int64(exactly: number)
    case .decimal(let number): Int64(DecimalText.text(number))
    }
  }

  /// The number without its fraction, if that fits 64 bits.
  var truncated: Int64? {
    switch self {
    case .integer(let number): number
    case .double(let number): Int64(exactly: number.rounded(.towardZero))
    case .decimal(let number): Int64(DecimalText.text(number).prefix { $0 != "." })
    }
  }

  /// The number as text; a whole double below 10^15 has no fraction.
  var text: String {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number):
      abs(number) < 1e15 ? Int64(exactly: number).map { "\($0)" } ?? "\(number)" : "\(number)"
    case .decimal(let number): DecimalText.text(number)
    }
  }

  /// Whether a decimal is of moderate size: its exponent is from -40 to 40.
  ///
  /// Foundation stops the process if the exponent of a result leaves the range of decimals. So only such decimals are
  /// computed as decimals.
  static func moderate(_ number: Decimal) -> Bool { (-40...40).contains(number.exponent) }

  static func decimals(_ left: Number, _ right: Number) -> (Decimal, Decimal)? {
    switch (left, right) {
    case (.decimal(let a), .decimal(let b)): moderate(a) && moderate(b) ? (a, b) : nil
    case (.decimal(let a), .integer(let b)): moderate(a) ? (a, Decimal(b)) : nil
    case (.integer(let a), .decimal(let b)): moderate(b) ? (Decimal(a), b) : nil
    default: nil
    }
  }
}
