internal import Foundation

/// `floor: ceiling: trunc: abs:`: integers, doubles and decimals keep their type, with two exceptions.
///
/// The absolute value of the smallest integer is a double. A decimal that isn't of moderate size (`Number.moderate`) is
/// rounded as a double.
enum Rounding: String {
  case floor = "floor:"
  case ceiling = "ceiling:"
  case trunc = "trunc:"
  case abs = "abs:"

  func value(_ number: Number) -> Value {
    switch number {
    case .integer(let whole):
      if self != .abs || whole >= 0 { return .integer(whole) }
      return whole == .min ? .double(-Double(whole)) : .integer(-whole)
    case .double(let double): return .double(rounded(double))
    case .decimal(let decimal):
      if self == .abs { return .decimal(decimal.isSignMinus ? -decimal : decimal) }
      guard Number.moderate(decimal) else { return .double(rounded(number.double)) }
      var (source, result) = (decimal, Decimal())
      NSDecimalRound(&result, &source, 0, mode(of: decimal))
      return .decimal(result)
    }
  }

  private func rounded(_ double: Double) -> Double {
    switch self {
    case .floor: double.rounded(.down)
    case .ceiling: double.rounded(.up)
    case .trunc: double.rounded(.towardZero)
    case .abs: double.magnitude
    }
  }

  private func mode(of decimal: Decimal) -> NSDecimalNumber.RoundingMode {
    switch self {
    case .floor: .down
    case .ceiling: .up
    case .trunc, .abs: decimal.isSignMinus ? .up : .down
    }
  }
}
