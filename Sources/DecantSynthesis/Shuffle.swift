/// A permutation of the numbers below a count, computed without a table: multiply, add, take the remainder.
struct Shuffle: Sendable {
  let count: Int
  private let factor: Int
  private let inverse: Int
  private let offset: Int

  /// A shuffle of at most 2³¹ numbers.
  init(_ count: Int, seed: UInt64) {
    self.count = count
    guard count > 1 else {
      (factor, inverse, offset) = (1, 1, 0)
      return
    }
    // The factor is near the count times 0.618 (from the golden ratio), so that neighbours are moved far from each
    // other.
    var factor = max(1, Int(Double(count) * 0.618_033_988_749_895))
    while Self.commonDivisor(factor, count) != 1 { factor += 1 }
    self.factor = factor % count
    inverse = Self.inverse(of: factor % count, modulo: count)
    offset = Int(seed % UInt64(count))
  }

  /// A permutation that changes nothing.
  init(identity count: Int) {
    (self.count, factor, inverse, offset) = (count, 1, 1, 0)
  }

  func place(of number: Int) -> Int {
    count > 1 ? (number * factor + offset) % count : number
  }

  func number(at place: Int) -> Int {
    count > 1 ? (place - offset + count) % count * inverse % count : place
  }

  private static func commonDivisor(_ left: Int, _ right: Int) -> Int {
    var (left, right) = (left, right)
    while right != 0 { (left, right) = (right, left % right) }
    return left
  }

  private static func inverse(of factor: Int, modulo count: Int) -> Int {
    var (old, new) = (0, 1)
    var (rest, next) = (count, factor)
    while next != 0 {
      let quotient = rest / next
      (old, new) = (new, old - quotient * new)
      (rest, next) = (next, rest - quotient * next)
    }
    return old < 0 ? old + count : old
  }
}
