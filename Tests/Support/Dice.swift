/// Random values, the same for the same seed (SplitMix64).
public struct Dice {
  private var state: UInt64

  public init(_ seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  public mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(max(1, bound))).high)
  }

  /// True with a probability of `percent` percent.
  public mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  public mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }

  /// From 0 to 1, without 1.
  public mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
