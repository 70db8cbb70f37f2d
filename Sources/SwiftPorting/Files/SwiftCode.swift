/// A file of Swift code with its tokens.
struct SwiftCode {
  let bytes: [UInt8]
  /// The tokens without blanks and comments.
  let tokens: [SwiftToken]
  /// What separates the lines.
  let lineEnd: String
  /// Where the lines begin.
  private let lineStarts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    tokens = SwiftScanner.tokens(of: bytes).filter { $0.kind != .space && $0.kind != .comment }
    var starts = [0]
    for (index, byte) in bytes.enumerated() {
      let isEnd = byte == .newline || byte == .carriageReturn && bytes[(index + 1)...].first != .newline
      if isEnd { starts.append(index + 1) }
    }
    lineStarts = starts
    let first = bytes.firstIndex(where: \.isLineEnd)
    lineEnd =
      first.map { bytes[$0] == .newline ? "\n" : bytes[($0 + 1)...].first == .newline ? "\r\n" : "\r" } ?? "\n"
  }

  /// The number of the line of a byte, from 1.
  func line(at place: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= place { low = middle } else { high = middle }
    }
    return low + 1
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The text of a token; empty behind the last one.
  func text(at index: Int) -> String { tokens.indices.contains(index) ? text(tokens[index].range) : "" }

  func kind(at index: Int) -> SwiftToken.Kind? { tokens.indices.contains(index) ? tokens[index].kind : nil }

  func isMark(_ mark: String, at index: Int) -> Bool { kind(at: index) == .mark && text(at: index) == mark }

  /// The name of a word without its backticks; nil for another token.
  func name(at index: Int) -> String? {
    kind(at: index) == .word ? text(at: index).filter { $0 != "`" } : nil
  }

  func isWord(_ word: String, at index: Int) -> Bool { kind(at: index) == .word && text(at: index) == word }

  /// Whether a line ends between a token and the next one.
  func endsLine(after index: Int) -> Bool {
    guard tokens.indices.contains(index), tokens.indices.contains(index + 1) else { return true }
    return bytes[tokens[index].range.upperBound..<tokens[index + 1].range.lowerBound]
      .contains(where: \.isLineEnd)
  }

  /// The bracket that closes the one at a token; nil if none does.
  func closing(of index: Int) -> Int? {
    var depth = 0
    var place = index
    while place < tokens.count {
      if kind(at: place) == .mark {
        switch text(at: place) {
        case "(", "[", "{": depth += 1
        case ")", "]", "}": depth -= 1
        default: break
        }
        if depth == 0 { return place }
      }
      place += 1
    }
    return nil
  }

  /// The blanks at the start of a byte's line.
  func indentation(at place: Int) -> String {
    let start = lineStarts[line(at: place) - 1]
    return String(decoding: bytes[start..<place].prefix { $0 == .space || $0 == .tab }, as: UTF8.self)
  }
}
