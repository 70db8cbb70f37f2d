/// A number's digits, rounded after the point; halves are rounded away from zero.
///
/// The decimal digits are rounded: 2.675 to two digits is 2.68, although the double is a little smaller.
struct RoundedDigits {
  let text: String
  /// The number of all digits, before and after the point.
  let count: Int

  /// - Parameter number: The text from `Number.text`: digits, and optionally a sign, a point and an exponent.
  init(_ number: String, fraction: Int) {
    let parts = number.split(separator: "e", maxSplits: 1)
    let mantissa = (parts.first ?? "0").drop { $0 == "-" }
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    var digits = mantissa.utf8.filter { $0 != UInt8(ascii: ".") }.map { Int($0) - 0x30 }
    var point = mantissa.prefix { $0 != "." }.utf8.count + min(max(exponent, -400), 400)
    if point < 1 {
      digits.insert(contentsOf: [Int](repeating: 0, count: 1 - point), at: 0)
      point = 1
    }
    let kept = point + fraction
    if digits.count > kept {
      let isUp = digits[kept] >= 5
      digits.removeSubrange(kept...)
      if isUp { Self.increment(&digits, &point) }
    }
    digits += [Int](repeating: 0, count: max(0, point + fraction - digits.count))
    while point > 1, digits.first == 0 {
      digits.removeFirst()
      point -= 1
    }
    let isNegative = number.hasPrefix("-") && digits.contains { $0 != 0 }
    let whole = digits[..<point].map(String.init).joined()
    let rest = digits[point...].map(String.init).joined()
    text = (isNegative ? "-" : "") + whole + (rest.isEmpty ? "" : "." + rest)
    count = digits.count
  }

  private static func increment(_ digits: inout [Int], _ point: inout Int) {
    for place in digits.indices.reversed() {
      if digits[place] < 9 {
        digits[place] += 1
        return
      }
      digits[place] = 0
    }
    digits.insert(1, at: 0)
    point += 1
  }
}
