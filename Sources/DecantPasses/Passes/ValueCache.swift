/// The destination keys of the objects that `uniqueBy` makes for recently used texts.
///
/// Values repeat, and a look-up in memory is faster than a look-up in a table.
///
/// The cache has 4,096 entries, one for each remainder of a text's hash, and holds no text of more than 256 bytes.
struct ValueCache {
  private struct Entry {
    let hash: UInt64
    let bytes: [UInt8]
    let destination: Int64
  }

  private static let places = 4096
  private static let longest = 256
  private var entries = [Entry?](repeating: nil, count: places)

  /// The cached destination key of a text's object, or the result of `find`.
  mutating func destination(
    of text: UnsafeBufferPointer<UInt8>, find: () throws -> Int64
  ) rethrows -> Int64 {
    guard text.count <= Self.longest else { return try find() }
    let hash = Self.hash(text)
    let place = Int(hash % UInt64(Self.places))
    if let entry = entries[place], entry.hash == hash, entry.bytes.elementsEqual(text) {
      return entry.destination
    }
    let destination = try find()
    entries[place] = Entry(hash: hash, bytes: Array(text), destination: destination)
    return destination
  }

  /// FNV-1a, 64 bits.
  private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    text.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
