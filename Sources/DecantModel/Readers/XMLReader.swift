internal import Foundation

/// Reads the XML that Xcode writes: UTF-8, no entities of its own, nothing outside the file.
///
/// Foundation's parser for Linux traps on some malformed input, and models may come from anywhere. This one walks the
/// bytes once, without recursion, and takes every position from a checked index.
struct XMLReader {
  private static let maximumDepth = 64
  private static let maximumElements = 2_000_000

  private let bytes: [UInt8]
  private var position = 0
  /// A place whose line is known; places are asked for in order.
  private var known = (position: 0, line: 1)

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func document() throws(ModelError) -> XMLTree {
    try prepare()
    var open: [XMLTree] = []
    var root: XMLTree?
    var count = 0
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else {
        let text = try characters()
        if open.isEmpty {
          guard text.allSatisfy(\.isWhitespace) else {
            throw fault("there is text outside of the root element")
          }
        } else {
          open[open.count - 1].text += text
        }
        continue
      }
      if try skipAside() { continue }
      if take("<![CDATA[") {
        let start = position
        guard let end = find("]]>") else { throw fault("a CDATA section isn't closed") }
        guard !open.isEmpty else { throw fault("there is text outside of the root element") }
        open[open.count - 1].text += string(start..<end)
        continue
      }
      var closed: XMLTree?
      if take("</") {
        let name = try name()
        skipSpace()
        guard let element = open.last, element.name == name else {
          throw fault("</\(name)> stands where \(open.last.map { "</\($0.name)>" } ?? "the end") is expected")
        }
        guard take(">") else { throw fault("the end tag of “\(name)” isn't complete") }
        closed = open.removeLast()
      } else {
        guard root == nil else { throw fault("something follows the root element") }
        count += 1
        guard open.count < Self.maximumDepth, count <= Self.maximumElements else {
          throw fault("the XML is nested too deeply or has too many elements")
        }
        let (element, isEmpty) = try startTag()
        if isEmpty { closed = element } else { open.append(element) }
      }
      guard let closed else { continue }
      if open.isEmpty { root = closed } else { open[open.count - 1].children.append(closed) }
    }
    if let unclosed = open.last { throw fault("the file ends before </\(unclosed.name)>; it may be truncated") }
    guard let root else { throw fault("the file holds no element") }
    return root
  }

  /// Everything must be UTF-8 without control characters; so every cut at an ASCII character leaves valid text.
  private mutating func prepare() throws(ModelError) {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw fault("the file is not UTF-8 text")
    }
    if let place = bytes.firstIndex(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0a && $0 != 0x0d }) {
      position = place
      throw fault("there is a control character (\(bytes[place]))")
    }
  }

  /// Declarations, comments and processing instructions; a document type is passed over unless it has content.
  private mutating func skipAside() throws(ModelError) -> Bool {
    let next = position + 1 < bytes.count ? bytes[position + 1] : 0
    guard next == UInt8(ascii: "!") || next == UInt8(ascii: "?") else { return false }
    for (open, close, what) in [("<!--", "-->", "comment"), ("<?", "?>", "processing instruction")]
    where take(open) {
      guard find(close) != nil else { throw fault("a \(what) isn't closed") }
      return true
    }
    guard take("<!DOCTYPE") else { return false }
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: ">"):
        position += 1
        return true
      case UInt8(ascii: "["): throw fault("the document type has declarations of its own, which no model has")
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let quote = String(UnicodeScalar(bytes[position]))
        position += 1
        guard find(quote) != nil else { throw fault("the document type isn't closed") }
      default: position += 1
      }
    }
    throw fault("the document type isn't closed")
  }

  private mutating func startTag() throws(ModelError) -> (element: XMLTree, isEmpty: Bool) {
    let line = self.line
    position += 1
    let name = try name()
    var attributes: [String: String] = [:]
    while true {
      let hadSpace = skipSpace()
      if take("/>") { return (XMLTree(name: name, attributes: attributes, line: line), true) }
      if take(">") { return (XMLTree(name: name, attributes: attributes, line: line), false) }
      guard hadSpace, position < bytes.count else { throw fault("the tag of “\(name)” isn't complete") }
      let key = try self.name()
      skipSpace()
      guard take("=") else { throw fault("attribute “\(key)” of “\(name)” has no value") }
      skipSpace()
      guard attributes.updateValue(try value(of: key), forKey: key) == nil else {
        throw fault("“\(name)” has its attribute “\(key)” twice")
      }
    }
  }

  private mutating func value(of key: String) throws(ModelError) -> String {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'")
    else {
      throw fault("the value of attribute “\(key)” isn't quoted")
    }
    let quote = bytes[position]
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != quote, bytes[position] != UInt8(ascii: "<") {
      position += 1
    }
    guard position < bytes.count, bytes[position] == quote else {
      throw fault("the value of attribute “\(key)” isn't closed")
    }
    let text = try resolved(start..<position, spaces: true)
    position += 1
    return text
  }

  /// Text up to the next tag.
  private mutating func characters() throws(ModelError) -> String {
    let start = position
    position = firstPlace(of: UInt8(ascii: "<"), in: start..<bytes.count) ?? bytes.count
    return try resolved(start..<position, spaces: false)
  }

  /// Replaces references, unifies line ends, and in attributes makes a space of each.
  private mutating func resolved(_ range: Range<Int>, spaces: Bool) throws(ModelError) -> String {
    let special: [UInt8] = spaces ? [UInt8(ascii: "&"), 0x09, 0x0a, 0x0d] : [UInt8(ascii: "&"), 0x0d]
    guard special.contains(where: { firstPlace(of: $0, in: range) != nil }) else { return string(range) }
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "&"):
        let end = bytes[index..<min(index + 12, range.upperBound)].firstIndex(of: UInt8(ascii: ";"))
        guard let end, let scalar = Self.reference(string(index..<end)) else {
          throw fault("an “&” begins no reference that is known (&amp; &lt; &gt; &quot; &apos; or a number)")
        }
        result += Array(String(scalar).utf8)
        index = end + 1
      case 0x0d where index < range.upperBound && bytes[index] == 0x0a: continue
      case 0x09, 0x0a, 0x0d: result.append(spaces ? 0x20 : byte == 0x0d ? 0x0a : byte)
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func reference(_ name: String) -> UnicodeScalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.first == "#" else { return nil }
      let digits = name.dropFirst()
      let number = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      guard let number, let scalar = UnicodeScalar(number) else { return nil }
      return number >= 0x20 || [0x09, 0x0a, 0x0d].contains(number) ? scalar : nil
    }
  }

  private mutating func name() throws(ModelError) -> String {
    let start = position
    while position < bytes.count, Self.isNameByte(bytes[position], first: position == start) { position += 1 }
    guard position > start else { throw fault("a name is expected") }
    return string(start..<position)
  }

  private static func isNameByte(_ byte: UInt8, first: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...0xff,
      UInt8(ascii: "_"), UInt8(ascii: ":"):
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !first
    default: false
    }
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = position
    while position < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[position]) { position += 1 }
    return position > start
  }

  /// Steps over a text that stands at the position.
  private mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  /// Steps behind the next such text, and gives its begin.
  private mutating func find(_ text: String) -> Int? {
    let wanted = Array(text.utf8)
    var place = position
    while let next = firstPlace(of: wanted[0], in: place..<bytes.count) {
      if bytes[next...].starts(with: wanted) {
        position = next + wanted.count
        return next
      }
      place = next + 1
    }
    return nil
  }

  /// The first such byte in a range within the file.
  private func firstPlace(of byte: UInt8, in range: Range<Int>) -> Int? {
    bytes.withUnsafeBytes { buffer -> Int? in
      guard !range.isEmpty, let base = buffer.baseAddress,
        let found = memchr(base + range.lowerBound, Int32(byte), range.count)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private var line: Int {
    mutating get {
      if position > known.position {
        known.line += bytes[known.position..<min(position, bytes.count)].count { $0 == 0x0a }
        known.position = position
      }
      return known.line
    }
  }

  private mutating func fault(_ reason: String) -> ModelError { .malformed(line: line, reason: reason) }
}
