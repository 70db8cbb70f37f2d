/// Cuts Swift code into tokens.
///
/// The scanner knows nested comments, string literals, regular expressions and interpolated code. It accepts any bytes:
/// except for a byte-order mark at the start, each byte is part of exactly one token.
struct SwiftScanner {
  private enum Mode {
    /// Code; `open` is the number of open parentheses within an interpolation, and `nil` for other code.
    case code(open: Int?)
    case text(TextDelimiter)
  }

  private let bytes: [UInt8]
  private var place: Int
  private var modes: [Mode] = [.code(open: nil)]
  private(set) var tokens: [SwiftToken] = []

  static func tokens(of bytes: [UInt8]) -> [SwiftToken] {
    var scanner = SwiftScanner(bytes)
    while scanner.place < bytes.count { scanner.scan() }
    return scanner.tokens
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte-order mark isn't part of the code.
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  private mutating func scan() {
    switch modes.last {
    case .text(let delimiter): text(from: place, delimiter)
    case .code(let open): code(open)
    case nil: modes = [.code(open: nil)]
    }
  }

  private func byte(at index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  private mutating func add(_ kind: SwiftToken.Kind, to end: Int) {
    tokens.append(SwiftToken(kind: kind, range: place..<end))
    place = end
  }

  private mutating func code(_ open: Int?) {
    let first = bytes[place]
    switch first {
    case UInt8.tab, UInt8.space, UInt8.newline, UInt8.carriageReturn: add(.space, to: end(of: \.isBlank))
    case UInt8.slash where byte(at: place + 1) == .slash: add(.comment, to: end { !$0.isLineEnd })
    case UInt8.slash where byte(at: place + 1) == .asterisk: add(.comment, to: endOfComment())
    case UInt8.quote, UInt8.number:
      if let delimiter = TextDelimiter(bytes, at: place) {
        modes.append(.text(delimiter))
        text(from: place + delimiter.opening, delimiter)
      } else {
        add(
          PatternEnd.of(bytes, at: place).map { _ in .text } ?? .mark,
          to: PatternEnd.of(bytes, at: place) ?? place + 1)
      }
    case UInt8.slash:
      let end = mayBeginPattern ? PatternEnd.of(bytes, at: place) : nil
      add(end == nil ? .mark : .text, to: end ?? place + 1)
    case UInt8.backtick: add(.word, to: endOfQuotedName())
    case UInt8.openParenthesis, UInt8.closeParenthesis: parenthesis(first, open)
    case _ where first.isDigit: add(.number, to: endOfNumber())
    case _ where first.isNamePart: add(.word, to: end(of: \.isNamePart))
    default: add(.mark, to: place + 1)
    }
  }

  private mutating func parenthesis(_ first: UInt8, _ open: Int?) {
    guard let open else { return add(.mark, to: place + 1) }
    let now = first == .openParenthesis ? open + 1 : open - 1
    modes.removeLast()
    if now > 0 {
      modes.append(.code(open: now))
      add(.mark, to: place + 1)
    } else if case .text(let delimiter) = modes.last {
      // The parenthesis that closes the interpolation is part of the text.
      text(from: place + 1, delimiter)
    }
  }

  /// Reads a string literal to its end or to the next interpolation; an unclosed literal ends with its line.
  private mutating func text(from start: Int, _ delimiter: TextDelimiter) {
    var index = start
    while index < bytes.count {
      if delimiter.closes(bytes, at: index) {
        modes.removeLast()
        return add(.text, to: index + delimiter.closing)
      }
      if !delimiter.isMultiline, bytes[index].isLineEnd { break }
      if let escape = delimiter.escape(bytes, at: index) {
        index += escape
        guard byte(at: index) == .openParenthesis else {
          index = min(index + 1, bytes.count)
          continue
        }
        modes.append(.code(open: 1))
        return add(.text, to: index + 1)
      }
      index += 1
    }
    modes.removeLast()
    if index > place { add(.text, to: index) }
  }

  /// Whether a slash at this place can begin a pattern, because it can't be a division.
  private var mayBeginPattern: Bool {
    guard let last = tokens.last(where: { $0.kind != .space && $0.kind != .comment }) else { return true }
    switch last.kind {
    case .number, .text: return false
    case .word:
      return ["return", "in", "case", "if", "guard", "while", "try", "await", "where", "throw"].contains(
        String(decoding: bytes[last.range], as: UTF8.self))
    default: return !")]}".utf8.contains(bytes[last.range.lowerBound])
    }
  }

  private func end(of part: KeyPath<UInt8, Bool>) -> Int { end { $0[keyPath: part] } }

  private func end(_ isPart: (UInt8) -> Bool) -> Int {
    var index = place
    while index < bytes.count, isPart(bytes[index]) { index += 1 }
    return index
  }

  private func endOfComment() -> Int {
    var index = place + 2
    var depth = 1
    while index < bytes.count, depth > 0 {
      switch (bytes[index], byte(at: index + 1)) {
      case (.slash, .asterisk):
        depth += 1
        index += 2
      case (.asterisk, .slash):
        depth -= 1
        index += 2
      default: index += 1
      }
    }
    return min(index, bytes.count)
  }

  private func endOfQuotedName() -> Int {
    var index = place + 1
    while index < bytes.count, bytes[index] != .backtick, !bytes[index].isLineEnd { index += 1 }
    return index < bytes.count && bytes[index] == .backtick ? index + 1 : place + 1
  }

  private func endOfNumber() -> Int {
    var index = place
    while bytes[index...].first?.isNamePart == true
      || byte(at: index) == .dot && byte(at: index + 1).isDigit
    {
      index += 1
    }
    return index
  }
}
