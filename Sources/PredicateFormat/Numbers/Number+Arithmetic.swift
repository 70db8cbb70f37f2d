internal import Foundation

/// The arithmetic of numbers of several types.
///
/// Two integers give an integer; if 64 bits don't suffice, they give a double, as in SQLite. Two decimals, or a decimal
/// and an integer, give a decimal if `Number.decimals` accepts them. All others give a double. Remainders and powers of
/// decimals, and powers with a negative exponent, are doubles, too.
extension Number {
  static func + (left: Number, right: Number) -> Number {
    if case .integer(let a) = left, case .integer(let b) = right {
      let (sum, overflow) = a.addingReportingOverflow(b)
      return overflow ? .double(Double(a) + Double(b)) : .integer(sum)
    }
    if let (a, b) = decimals(left, right) { return .decimal(a + b) }
    return .double(left.double + right.double)
  }

  static func - (left: Number, right: Number) -> Number {
    if case .integer(let a) = left, case .integer(let b) = right {
      let (difference, overflow) = a.subtractingReportingOverflow(b)
      return overflow ? .double(Double(a) - Double(b)) : .integer(difference)
    }
    if let (a, b) = decimals(left, right) { return .decimal(a - b) }
    return .double(left.double - right.double)
  }

  static func * (left: Number, right: Number) -> Number {
    if case .integer(let a) = left, case .integer(let b) = right {
      let (product, overflow) = a.multipliedReportingOverflow(by: b)
      return overflow ? .double(Double(a) * Double(b)) : .integer(product)
    }
    if let (a, b) = decimals(left, right) { return .decimal(a * b) }
    return .double(left.double * right.double)
  }

  /// The quotient of integers is rounded towards zero.
  static func / (left: Number, right: Number) -> Number? {
    if case .integer(let a) = left, case .integer(let b) = right {
      if b == 0 { return nil }
      let (quotient, overflow) = a.dividedReportingOverflow(by: b)
      return overflow ? .double(Double(a) / Double(b)) : .integer(quotient)
    }
    if let (a, b) = decimals(left, right) { return b == 0 ? nil : .decimal(a / b) }
    return right.double == 0 ? nil : .double(left.double / right.double)
  }

  /// The remainder of a division, with the sign of the left side.
  static func % (left: Number, right: Number) -> Number? {
    if case .integer(let a) = left, case .integer(let b) = right {
      return b == 0 ? nil : .integer(a.remainderReportingOverflow(dividingBy: b).partialValue)
    }
    return right.double == 0 ? nil : .double(left.double.truncatingRemainder(dividingBy: right.double))
  }

  func raised(to power: Number) -> Number {
    if case .integer(let base) = self, case .integer(let exponent) = power, exponent >= 0,
      let exact = Self.exact(base, exponent)
    {
      return .integer(exact)
    }
    return .double(pow(double, power.double))
  }

  private static func exact(_ base: Int64, _ exponent: Int64) -> Int64? {
    if base == 0 || base == 1 { return exponent == 0 ? 1 : base }
    if base == -1 { return exponent.isMultiple(of: 2) ? 1 : -1 }
    guard exponent < 64 else { return nil }
    var result: Int64 = 1
    for _ in 0..<exponent {
      let (product, overflow) = result.multipliedReportingOverflow(by: base)
      if overflow { return nil }
      result = product
    }
    return result
  }
}
