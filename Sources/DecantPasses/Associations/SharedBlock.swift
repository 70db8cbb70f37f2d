package import DecantSQLite

/// The destination keys of neighbouring source keys, for objects that several source objects share.
///
/// A block is one row of the working file and of the association file.
///
/// The keys are the text of a JSON array, so that any program with SQLite can read them. Element n is the destination
/// key of the source key `first + n`, or `null` if this source key has no destination. Which source keys a block has
/// depends only on the keys, not on the chunk size.
package struct SharedBlock: Equatable {
  /// The source keys of a block differ only in this number of low bits.
  private static let bits: Int64 = 8
  /// The largest number of keys without a destination between two keys of a block.
  private static let mostMissing: Int64 = 8
  /// An upper bound for the length of a block, in bytes.
  private static let longest = 8192

  let first: Int64
  /// The number of source keys with a destination.
  private(set) var objects = 0
  /// The text of the destinations so far, without the closing bracket.
  private var text: [UInt8] = [UInt8(ascii: "[")]
  /// The source key of the next element.
  private var next: Int64

  init(first: Int64) {
    self.first = first
    next = first
  }

  /// Reads a written block in order to continue it.
  init?(first: Int64, destinations text: String) {
    guard let keys = Self.keys(text), !first.addingReportingOverflow(Int64(max(0, keys.count - 1))).overflow
    else { return nil }
    self.first = first
    self.text = Array(text.utf8.dropLast())
    objects = keys.count { $0 != nil }
    // After the largest possible key this wraps around, and no key follows.
    next = first &+ Int64(keys.count)
  }

  /// The error for a file's text that isn't a block.
  package static func damage(at first: Int64, in path: String) -> SQLiteError {
    .damage("the block of associations from source key \(first) on isn't a list of keys", path: path)
  }

  var destinations: String { String(decoding: text, as: UTF8.self) + "]" }

  /// Whether a source key can be the next key of the block.
  func takes(_ source: Int64) -> Bool {
    next >= first && source >> Self.bits == first >> Self.bits && source >= next
      && source - next <= Self.mostMissing
  }

  mutating func append(_ source: Int64, _ destination: Int64) {
    while next < source { add("null".utf8) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var place = digits.count
      var rest = destination.magnitude
      repeat {
        place -= 1
        digits[place] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      if destination < 0 {
        place -= 1
        digits[place] = UInt8(ascii: "-")
      }
      add(digits[place...])
    }
    objects += 1
  }

  private mutating func add(_ element: some Collection<UInt8>) {
    if text.count > 1 { text.append(UInt8(ascii: ",")) }
    text.append(contentsOf: element)
    next &+= 1
  }

  /// Reads the text of a block: its destination keys, with a `nil` element for each `null`.
  ///
  /// - Returns: `nil` if the text isn't a block.
  package static func keys(_ text: String) -> [Int64?]? {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.count >= 2, bytes.count <= longest, bytes.first == UInt8(ascii: "["),
        bytes.last == UInt8(ascii: "]")
      else { return nil }
      let elements = bytes[1..<(bytes.count - 1)]
      guard !elements.isEmpty else { return [] }
      var keys: [Int64?] = []
      for element in elements.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
        if element.elementsEqual("null".utf8) {
          keys.append(nil)
        } else {
          guard let key = number(element) else { return nil }
          keys.append(key)
        }
      }
      return keys
    }
  }

  private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    let isNegative = digits.first == UInt8(ascii: "-")
    let digits = isNegative ? digits.dropFirst() : digits
    guard !digits.isEmpty else { return nil }
    var number: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let unit = Int64(digit - UInt8(ascii: "0"))
      let (sum, further) =
        isNegative ? tens.subtractingReportingOverflow(unit) : tens.addingReportingOverflow(unit)
      guard !overflow, !further else { return nil }
      number = sum
    }
    return number
  }
}
