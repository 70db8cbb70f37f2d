/// Bytes of a pipe, cut into lines.
struct ProgramLines {
  let limit: Int
  private var bytes: [UInt8] = []
  /// Up to where there is no newline.
  private var searched = 0
  private var start = 0

  init(limit: Int) { self.limit = limit }

  mutating func append(_ more: ArraySlice<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes += more
  }

  /// The next complete line, without its end; empty ones are left out.
  mutating func next() -> [UInt8]? {
    while let end = bytes[searched...].firstIndex(of: 0x0a) {
      var line = bytes[start..<end]
      searched = end + 1
      start = end + 1
      if line.last == 0x0d { line.removeLast() }
      if !line.isEmpty { return Array(line) }
    }
    searched = bytes.count
    return nil
  }

  /// A line without an end that is too long already.
  var isOverflowing: Bool { bytes.count - start > limit }

  /// Bytes that are no complete line yet.
  var hasRest: Bool { start < bytes.count }
}
