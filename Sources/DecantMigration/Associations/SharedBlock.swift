internal import DecantSQLite

/// The destination keys of source keys that lie close together, for objects that several source objects share: one row
/// of the working file, and of the file of kept associations.
///
/// They are the text of a JSON array, so that any program that knows SQLite can read them: its element n is what the
/// source key `first + n` has become, and `null` where that is nothing. Which keys are in one block follows from the keys
/// alone, whatever the chunks were in which they came.
struct SharedBlock: Equatable {
  /// A block holds keys of one multiple of this up to the next.
  private static let bits: Int64 = 8
  /// How many keys without a destination may lie between two of a block.
  private static let mostMissing: Int64 = 8
  /// More than the longest block has, in bytes.
  private static let longest = 8192

  let first: Int64
  /// How many source keys have a destination.
  private(set) var objects = 0
  /// The destinations so far, without the bracket at the end.
  private var text: [UInt8] = [UInt8(ascii: "[")]
  /// The key that the next element stands for.
  private var next: Int64

  /// An empty block that is to begin with a source key.
  init(first: Int64) {
    self.first = first
    next = first
  }

  /// A block as it was written, to go on with it; `nil` where the text isn't one.
  init?(first: Int64, destinations text: String) {
    guard let keys = Self.keys(text), !first.addingReportingOverflow(Int64(max(0, keys.count - 1))).overflow
    else { return nil }
    self.first = first
    self.text = Array(text.utf8.dropLast())
    objects = keys.count { $0 != nil }
    // Of a block that ends with the last key that there is, nothing comes next.
    next = first &+ Int64(keys.count)
  }

  /// What is wrong where a file's text isn't one.
  static func damage(at first: Int64, in path: String) -> SQLiteError {
    .damage("the block of associations at \(first) is no list of keys", path: path)
  }

  /// The array.
  var destinations: String { String(decoding: text, as: UTF8.self) + "]" }

  /// Whether a source key above all others belongs to the block.
  func takes(_ source: Int64) -> Bool {
    next >= first && source >> Self.bits == first >> Self.bits && source >= next
      && source - next <= Self.mostMissing
  }

  /// Adds a source key that the block takes.
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

  /// The destinations of an array's elements, `nil` for `null`.
  ///
  /// - Returns: `nil` for anything but an array of whole numbers as this writes it.
  static func keys(_ text: String) -> [Int64?]? {
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
