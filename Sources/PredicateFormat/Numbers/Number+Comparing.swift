internal import Foundation

extension Number {
  /// -1, 0 or 1: compares numbers of any types by value.
  ///
  /// Integers and doubles are compared exactly. Decimals are compared exactly with integers and decimals if all
  /// decimals are of moderate size (`Number.moderate`). All other pairs are compared as doubles.
  static func compare(_ left: Number, _ right: Number) -> Int {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): return order(a, b)
    case (.integer(let a), .double(let b)): return compare(a, b)
    case (.double(let a), .integer(let b)): return -compare(b, a)
    default:
      if let (a, b) = decimals(left, right) { return order(a, b) }
      return order(left.double, right.double)
    }
  }

  private static func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }

  /// The comparison is exact beyond 2^53, too, where not every integer is a double.
  private static func compare(_ integer: Int64, _ double: Double) -> Int {
    if double >= 0x1p63 { return -1 }
    if double < -0x1p63 { return 1 }
    guard let whole = Int64(exactly: double.rounded(.towardZero)) else { return order(Double(integer), double) }
    if integer != whole { return order(integer, whole) }
    return order(0, double - double.rounded(.towardZero))
  }
}
