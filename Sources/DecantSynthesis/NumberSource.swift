internal import DecantModel
internal import Foundation

/// Makes whole numbers within a type's range and an attribute's limits.
struct IntegerSource: Sendable {
  let range: ClosedRange<Int64>

  init(_ type: ClosedRange<Int64>, limits: Attribute.Limits) {
    func limit(_ value: AttributeValue?) -> Int64? {
      if case .integer(let number)? = value { number } else { nil }
    }
    let low = max(type.lowerBound, limit(limits.minimum) ?? .min)
    let high = min(type.upperBound, limit(limits.maximum) ?? .max)
    range = low <= high ? low...high : type
  }

  /// The number of arguments, from 0, that `unique` takes.
  var capacity: UInt64 {
    let span = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    return span == .max ? .max : span + 1
  }

  func value(_ random: inout SplitMix64) -> Int64 {
    let number: Int64
    switch random.below(16) {
    case 0: number = range.lowerBound
    case 1: number = range.upperBound
    case 2: number = 0
    case 3: number = -1
    case 4..<12: number = Int64(random.below(1_000))
    default: number = Int64(bitPattern: random.next())
    }
    return range.contains(number)
      ? number
      : range.lowerBound &+ Int64(bitPattern: capacity == .max ? random.next() : random.below(capacity))
  }

  func unique(_ number: UInt64) -> Int64 {
    // The numbers start in the middle, around 0, if both sides have enough numbers.
    if range.lowerBound <= -0x4000_0000, range.upperBound >= 0x3fff_ffff, number < 0x8000_0000 {
      return number % 2 == 0 ? Int64(number / 2) : -Int64(number / 2) - 1
    }
    return range.lowerBound &+ Int64(bitPattern: number)
  }
}

/// Makes numbers that may have a fraction: doubles, floats, decimals and dates (seconds since 2001-01-01 00:00:00 UTC).
struct RealSource: Sendable {
  package enum Kind: Sendable, Hashable {
    case double, float, decimal, date
  }

  let kind: Kind
  private let low: Double?
  private let high: Double?

  init(_ kind: Kind, limits: Attribute.Limits) {
    func limit(_ value: AttributeValue?) -> Double? {
      switch value {
      case .double(let number), .date(let number): number.isFinite ? number : nil
      case .decimal(let number): Double("\(number)")
      case .integer(let number): Double(number)
      default: nil
      }
    }
    let (low, high) = (limit(limits.minimum), limit(limits.maximum))
    let isEmpty = (low ?? -.infinity) > (high ?? .infinity)
    self.kind = kind
    self.low = isEmpty ? nil : low
    self.high = isEmpty ? nil : high
  }

  /// The number of arguments, from 0, that `unique` takes.
  var capacity: UInt64 { kind == .float ? 1 << 23 : low == nil && high == nil ? 1 << 40 : 1 << 30 }

  func value(_ random: inout SplitMix64) -> Double {
    let wild = wild(&random)
    if low == nil, high == nil { return wild }
    let (low, high) = bounds
    switch random.below(16) {
    case 0: return low
    case 1: return high
    default:
      let number = rounded(Self.between(low, high, random.unit()))
      return (low...high).contains(number) ? number : low
    }
  }

  func unique(_ number: UInt64) -> Double {
    if low == nil, high == nil {
      return kind == .date ? Double(number) * 60.5 - 1_000_000 : Double(number) + (kind == .float ? 0 : 0.25)
    }
    let (low, high) = bounds
    return Self.between(low, high, Double(number) / Double(capacity))
  }

  private static func between(_ low: Double, _ high: Double, _ share: Double) -> Double {
    low * (1 - share) + high * share
  }

  private var bounds: (low: Double, high: Double) {
    switch (low, high) {
    case (let low?, let high?): (low, high)
    case (let low?, nil): (low, low + max(1_000_000, abs(low)))
    case (nil, let high?): (high - max(1_000_000, abs(high)), high)
    case (nil, nil): (0, 1)
    }
  }

  private func rounded(_ number: Double) -> Double {
    switch kind {
    case .double: number
    case .float: Double(Float(number))
    case .decimal: (number * 100).rounded() / 100
    case .date: (number * 1_000).rounded() / 1_000
    }
  }

  private func wild(_ random: inout SplitMix64) -> Double {
    switch kind {
    case .double:
      let extremes = [
        0, 1, -1, 0.1, 1.0 / 3, .greatestFiniteMagnitude, -.leastNonzeroMagnitude, 1e-300, 9.007e15,
      ]
      return random.once(in: 4)
        ? extremes[random.below(extremes.count)] : (random.unit() - 0.5) * (random.once(in: 2) ? 2_000 : 1e12)
    case .float:
      let extremes: [Float] = [0, 0.1, -1.5, .greatestFiniteMagnitude, .leastNormalMagnitude, 16_777_216]
      return random.once(in: 4)
        ? Double(extremes[random.below(extremes.count)]) : rounded((random.unit() - 0.5) * 20_000)
    case .decimal:
      let extremes = [0, 10.11, -0.01, 0.001, 123_456_789.25, 99_999_999_999_999, -1e-9, 3]
      return random.once(in: 4)
        ? extremes[random.below(extremes.count)] : rounded((random.unit() - 0.25) * 100_000)
    case .date:
      // 2001-01-01, 1970-01-01, the years 1 and 4001, fractions after and before 2001, and 2020-01-01.
      let extremes: [Double] = [0, -978_307_200, -63_114_076_800, 63_113_904_000, 0.5, -0.25, 599_529_600]
      return random.once(in: 12)
        ? extremes[random.below(extremes.count)] : random.unit() * 1_800_000_000 - 700_000_000
    }
  }
}
