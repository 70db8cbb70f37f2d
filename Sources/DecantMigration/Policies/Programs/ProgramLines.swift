/// Bytes of a pipe, cut into lines.
struct ProgramLines {
  struct Line: Sendable, Hashable {
    /// Its place in all of the output, from 1.
    let number: Int
    /// Without its end.
    let bytes: [UInt8]
  }

  let limit: Int
  private var bytes: [UInt8] = []
  /// Up to where there is no newline.
  private var searched = 0
  private var start = 0
  /// Lines that are complete, empty ones included.
  private var count = 0

  init(limit: Int) { self.limit = limit }

  mutating func append(_ more: ArraySlice<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes += more
  }

  /// The next complete line; empty ones are left out, but count.
  mutating func next() -> Line? {
    while let end = bytes[searched...].firstIndex(of: 0x0a) {
      var line = bytes[start..<end]
      searched = end + 1
      start = end + 1
      count += 1
      if line.last == 0x0d { line.removeLast() }
      if !line.isEmpty { return Line(number: count, bytes: Array(line)) }
    }
    searched = bytes.count
    return nil
  }

  /// A line without an end that is too long already.
  var isOverflowing: Bool { bytes.count - start > limit }

  /// What is there of a line that has no end yet; `nil` where there is nothing.
  var rest: Line? { start < bytes.count ? Line(number: count + 1, bytes: Array(bytes[start...])) : nil }
}
