internal import CSQLite

/// The bytes of a text, in memory of SQLite or of a `NativeRoom`, with their known form.
struct NativeText {
  /// The form of the bytes, as far as the functions need it.
  enum Form: UInt8 {
    /// ASCII without carriage returns: each byte is a character.
    case ascii
    /// ASCII, Latin letters and nothing that combines: each scalar is a character.
    case latin
    /// ASCII or Latin letters with carriage returns: a carriage return and a line feed are one character.
    case latinWithReturns
    /// Anything else in UTF-8.
    case other
    /// Invalid UTF-8; the evaluator repairs it.
    case broken
  }

  let bytes: UnsafeBufferPointer<UInt8>
  let form: Form

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    form = Self.form(of: bytes)
  }

  /// A part of a text, cut at character boundaries.
  init(_ bytes: UnsafeBufferPointer<UInt8>, partOf form: Form) {
    self.bytes = bytes
    self.form = form
  }

  var isUTF8: Bool { form != .broken }
  /// Whether all white space is certainly ASCII.
  var isPlain: Bool { form.rawValue <= Form.latinWithReturns.rawValue }
  /// Whether each scalar is certainly one character.
  var isSingle: Bool { form.rawValue <= Form.latin.rawValue }

  private static func form(of bytes: UnsafeBufferPointer<UInt8>) -> Form {
    guard let start = bytes.baseAddress else { return .ascii }
    let raw = UnsafeRawPointer(start)
    var (high, returns): (UInt64, UInt64) = (0, 0)
    func take(_ word: UInt64) {
      high |= word
      // A byte of 0x0d becomes 0. The subtraction then sets the high bit of the lowest such byte, so at least
      // one is found.
      let other = word ^ 0x0d0d_0d0d_0d0d_0d0d
      returns |= (other &- 0x0101_0101_0101_0101) & ~other
    }
    if bytes.count < 8 {
      take(bytes.reduce(0) { $0 << 8 | UInt64($1) })
    } else {
      // The last word may overlap the word before it.
      let last = bytes.count - 8
      for place in stride(from: 0, to: last, by: 8) {
        take(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      }
      take(raw.loadUnaligned(fromByteOffset: last, as: UInt64.self))
    }
    if high & highBits == 0 { return returns & highBits == 0 ? .ascii : .latinWithReturns }
    if isLatin(bytes) { return bytes.contains(0x0d) ? .latinWithReturns : .latin }
    return String(validating: bytes, as: UTF8.self) == nil ? .broken : .other
  }

  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Whether the text has only ASCII and scalars from U+00C0 to U+027F, none of which combines.
  private static func isLatin(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawPointer(text.baseAddress)
    var place = 0
    while place < text.count {
      if place + 8 <= text.count, let raw {
        let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)) & highBits
        guard word != 0 else {
          place += 8
          continue
        }
        place += word.trailingZeroBitCount / 8
      }
      let byte = text[place]
      place += 1
      guard byte >= 0x80 else { continue }
      guard (0xc3...0xc9).contains(byte), place < text.count, (0x80..<0xc0).contains(text[place]) else {
        return false
      }
      place += 1
    }
    return true
  }

  private func slice(_ range: Range<Int>) -> NativeText {
    NativeText(UnsafeBufferPointer(rebasing: bytes[range]), partOf: form)
  }

  // MARK: Parts

  /// The part at an index, where negative indexes count from the end; `nil` if there is no such part.
  func part(_ index: Int64, by separator: UnsafeBufferPointer<UInt8>) -> NativeText? {
    guard !separator.isEmpty else { return index == 0 || index == -1 ? self : nil }
    var wanted = index
    if index < 0 {
      var count: Int64 = 1
      var start = 0
      while let place = place(of: separator, from: start) {
        count += 1
        start = place + separator.count
      }
      let (place, overflow) = index.addingReportingOverflow(count)
      guard !overflow, place >= 0 else { return nil }
      wanted = place
    }
    var start = 0
    while let place = place(of: separator, from: start) {
      if wanted == 0 { return slice(start..<place) }
      wanted -= 1
      start = place + separator.count
    }
    return wanted == 0 ? slice(start..<bytes.count) : nil
  }

  private func place(of separator: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, let needle = separator.baseAddress,
      let found = decant_memmem(base + start, bytes.count - start, needle, separator.count)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  // MARK: Words

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  var firstWord: NativeText? {
    guard let start = bytes.firstIndex(where: { !Self.isSpace($0) }) else { return nil }
    return slice(start..<(bytes[start...].firstIndex(where: Self.isSpace) ?? bytes.count))
  }

  /// `nil` if there are fewer than two words.
  var lastWord: NativeText? {
    guard let last = bytes.lastIndex(where: { !Self.isSpace($0) }),
      let space = bytes[..<last].lastIndex(where: Self.isSpace),
      bytes[..<space].contains(where: { !Self.isSpace($0) })
    else { return nil }
    return slice((space + 1)..<(last + 1))
  }

  // MARK: Characters

  /// The number of characters; each scalar of the text must be one character.
  var singleCount: Int { form == .ascii ? bytes.count : bytes.count { $0 & 0xc0 != 0x80 } }

  /// At most `count` characters from an index on; each scalar of the text must be one character.
  func singles(from start: Int64, count: Int64) -> NativeText {
    let first = place(of: start, from: 0)
    return slice(first..<place(of: count, from: first))
  }

  /// The start of the character that is `count` characters after `start`, or the end if there are fewer characters.
  private func place(of count: Int64, from start: Int) -> Int {
    guard count < bytes.count - start else { return bytes.count }
    if form == .ascii { return start + Int(count) }
    var (place, left) = (start, count)
    while place < bytes.count, left > 0 {
      place += 1
      while place < bytes.count, bytes[place] & 0xc0 == 0x80 { place += 1 }
      left -= 1
    }
    return place
  }
}
