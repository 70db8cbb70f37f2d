/// A file of Swift code with its tokens.
struct SwiftCode {
  let bytes: [UInt8]
  /// The tokens without blanks and comments.
  let tokens: [SwiftToken]
  /// The characters at the end of a line, as in the file's first line.
  let lineEnd: String
  /// The tokens of closing brackets, by the tokens of their opening brackets.
  private let closings: [Int: Int]
  /// The place of each line's first byte.
  private let lineStarts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    tokens = SwiftScanner.tokens(of: bytes).filter { $0.kind != .space && $0.kind != .comment }
    closings = Self.closings(tokens, bytes)
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

  /// The number of the line that has a byte, counted from 1.
  func line(at place: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= place { low = middle } else { high = middle }
    }
    return low + 1
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The text of a token; empty if there is no such token.
  func text(at index: Int) -> String { tokens.indices.contains(index) ? text(tokens[index].range) : "" }

  func kind(at index: Int) -> SwiftToken.Kind? { tokens.indices.contains(index) ? tokens[index].kind : nil }

  func isMark(_ mark: Unicode.Scalar, at index: Int) -> Bool {
    kind(at: index) == .mark && UInt32(bytes[tokens[index].range.lowerBound]) == mark.value
  }

  /// The name of a word without its backticks; nil for another token.
  func name(at index: Int) -> String? {
    kind(at: index) == .word ? text(at: index).filter { $0 != "`" } : nil
  }

  func isWord(_ word: String, at index: Int) -> Bool {
    guard kind(at: index) == .word else { return false }
    let range = tokens[index].range
    return range.count == word.utf8.count && bytes[range].elementsEqual(word.utf8)
  }

  /// Whether a line ends between a token and the next one; true for the last token.
  func endsLine(after index: Int) -> Bool {
    guard tokens.indices.contains(index), tokens.indices.contains(index + 1) else { return true }
    return bytes[tokens[index].range.upperBound..<tokens[index + 1].range.lowerBound]
      .contains(where: \.isLineEnd)
  }

  /// The token that closes the bracket at a token; nil if no token closes it.
  func closing(of index: Int) -> Int? { closings[index] }

  private static func closings(_ tokens: [SwiftToken], _ bytes: [UInt8]) -> [Int: Int] {
    var closings: [Int: Int] = [:]
    var open: [Int] = []
    for (index, token) in tokens.enumerated() where token.kind == .mark {
      switch bytes[token.range.lowerBound] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open.append(index)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if let last = open.popLast() { closings[last] = index }
      default: break
      }
    }
    return closings
  }

  /// The blanks for one more level of indentation: a tab, four spaces or two spaces, as in `indent`.
  func step(for indent: String) -> String {
    indent.contains("\t") ? "\t" : indent.count >= 4 && indent.count.isMultiple(of: 4) ? "    " : "  "
  }

  /// The blanks at the start of a byte's line.
  func indentation(at place: Int) -> String {
    let start = lineStarts[line(at: place) - 1]
    return String(decoding: bytes[start..<place].prefix { $0 == .space || $0 == .tab }, as: UTF8.self)
  }
}
