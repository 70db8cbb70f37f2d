/// One of N parts of a manifest's stores.
///
/// The number of a store's shard is 1 + the first eight bytes of its `PathKey` modulo N. So each store is in exactly
/// one shard, and each machine computes the same shard.
package struct Shard: Sendable, Hashable, CustomStringConvertible {
  /// The largest N.
  package static let most = 1_000_000

  /// The shard's number, from 1.
  package let number: Int
  package let count: Int

  package static let whole = Shard(checked: 1, of: 1)

  private init(checked number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// - Parameter place: The option or variable that gave the numbers, for the message.
  init(_ number: Int, of count: Int, place: String) throws(ShardError) {
    guard (1...Self.most).contains(count), (1...count).contains(number) else {
      throw .outOfRange(number: number, count: count, most: Self.most, place: place)
    }
    self.init(checked: number, of: count)
  }

  /// Reads K/N.
  package init(_ text: String) throws(ShardError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Self.number(parts[0]), let count = Self.number(parts[1]) else {
      throw .badShard(text)
    }
    try self.init(number, of: count, place: "--shard")
  }

  /// The whole number of a text of plain digits; `nil` for another text, or if the number is above 2⁴⁰.
  static func number(_ text: some StringProtocol) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), number <= 1 << 40 else {
      return nil
    }
    return number
  }

  package func contains(_ key: PathKey) -> Bool { Self.number(of: key, count) == number }

  /// The number of a store's shard.
  ///
  /// - Parameter count: From 1 to `most`.
  static func number(of key: PathKey, _ count: Int) -> Int { Int(key.high % UInt64(count)) + 1 }

  package var description: String { "\(number)/\(count)" }
}
