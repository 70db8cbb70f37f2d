/// Splits the bytes of a pipe into lines.
struct ProgramLines {
  struct Line: Sendable, Hashable {
    /// The line number in the whole output, from 1.
    let number: Int
    /// The line without its newline, and without a carriage return before the newline.
    let bytes: [UInt8]
  }

  let limit: Int
  private var bytes: [UInt8] = []
  /// The first byte that hasn't been searched for a newline.
  private var searched = 0
  /// The first byte of the current line.
  private var start = 0
  /// The number of complete lines, including empty lines.
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

  /// The next complete line; empty lines are skipped, but counted.
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

  /// Whether the current unfinished line is already too long.
  var isOverflowing: Bool { bytes.count - start > limit }

  var rest: Line? { start < bytes.count ? Line(number: count + 1, bytes: Array(bytes[start...])) : nil }
}
