/// The ids of a relationship, read one after the other from their bytes: a list of millions takes no more memory than
/// its text.
struct XMLIDList {
  enum Item: Equatable {
    /// The number of an id.
    case key(Int64)
    /// The begin of a word that is no id.
    case wrong(String)
  }

  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next id; `nil` behind the last one.
  mutating func next() -> Item? {
    while place < bytes.count, XMLScanner.isSpace(bytes[place]) { place += 1 }
    guard place < bytes.count else { return nil }
    let start = place
    while place < bytes.count, !XMLScanner.isSpace(bytes[place]) { place += 1 }
    guard let key = Self.key(of: bytes[start..<place]) else {
      return .wrong(String(decoding: bytes[start..<min(place, start + 40)], as: UTF8.self))
    }
    return .key(key)
  }

  /// As `XMLObject.key(of:)`: a `z` and a number from 1 up.
  private static func key(of word: ArraySlice<UInt8>) -> Int64? {
    let digits = word.dropFirst()
    guard word.first == UInt8(ascii: "z"), (1...18).contains(digits.count), digits.first != UInt8(ascii: "0")
    else {
      return nil
    }
    var key: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      // Eighteen digits fit.
      key = key * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return key
  }
}
