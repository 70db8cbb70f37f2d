/// A small pseudo-random sequence, equal on every machine: Steele, Lea and Flood's SplitMix64.
///
/// Every value of a synthetic store has its own sequence, which starts from seed, property and row. So no state is
/// needed between rows.
struct SplitMix64 {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed
  }

  /// The sequence of one row of a property.
  init(_ seed: UInt64, row: Int) {
    state = Self.mix(seed ^ (UInt64(bitPattern: Int64(row)) &* 0x9e37_79b9_7f4a_7c15))
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mix(state)
  }

  /// A number that is at least 0 and less than a bound; 0 for the bound 0.
  mutating func below(_ bound: UInt64) -> UInt64 { next().multipliedFullWidth(by: bound).high }

  mutating func below(_ bound: Int) -> Int { Int(below(UInt64(max(0, bound)))) }

  /// True with a probability of 1 / `times`; false for 0.
  mutating func once(in times: Int) -> Bool { times > 0 && below(times) == 0 }

  /// A number that is at least 0 and less than 1.
  mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

  /// A bijection of 64-bit numbers whose results look random.
  static func mix(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A seed from another seed and a name: FNV-1a over the name's UTF-8.
  static func seed(_ seed: UInt64, _ name: String) -> UInt64 {
    mix(name.utf8.reduce(seed ^ 0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
  }
}
