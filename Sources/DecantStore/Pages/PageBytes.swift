/// The bytes of a page.
///
/// No function here checks a place: the caller checks it.
struct PageBytes {
  /// The number of bytes after the page that must be readable if numbers of variable length are read (`varint`).
  ///
  /// The longest such number has 9 bytes, and a caller may read two of them before it checks the place.
  static let padding = 32

  private let start: UnsafePointer<UInt8>

  init(_ start: UnsafePointer<UInt8>) { self.start = start }

  @inline(__always) subscript(place: Int) -> Int { Int(start[place]) }

  /// A number of 2 bytes.
  @inline(__always) func short(_ place: Int) -> Int { self[place] << 8 | self[place + 1] }

  /// A number of 4 bytes.
  @inline(__always) func word(_ place: Int) -> Int { short(place) << 16 | short(place + 2) }

  /// A signed number of up to 8 bytes.
  func signed(_ place: Int, bytes: Int) -> Int64 {
    var number: Int64 = start[place] & 0x80 == 0 ? 0 : -1
    for index in 0..<bytes { number = number << 8 | Int64(start[place + index]) }
    return number
  }

  /// A number in SQLite's variable-length form; `place` moves to the byte after it.
  @inline(__always) func varint(_ place: inout Int) -> UInt64 {
    let first = start[place]
    if first < 0x80 {
      place += 1
      return UInt64(first)
    }
    return long(&place)
  }

  private func long(_ place: inout Int) -> UInt64 {
    var number: UInt64 = 0
    for _ in 0..<8 {
      let byte = start[place]
      place += 1
      number = number << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { return number }
    }
    number = number << 8 | UInt64(start[place])
    place += 1
    return number
  }
}
