internal import DecantStore
internal import Foundation

/// Reads an XML file as a run of events, in memory that doesn't grow with the file.
///
/// Entities of the file's own are refused and nothing outside the file is ever looked at, so that no text can grow.
final class XMLScanner {
  /// What stands at a place of the file.
  enum Event {
    case start(XMLTag)
    case end(String)
    /// Behind the root element.
    case finish
  }

  private static let maximumDepth = 64
  private static let maximumName = 1000
  private static let maximumAttributes = 64
  /// The largest text between two tags, and the largest value of an XML attribute, in bytes.
  static let maximumText = 64 << 20

  let path: String
  /// The character data between the event before and this one, references resolved.
  var text: [UInt8] = []
  let source: XMLByteSource
  /// The elements that are open.
  private(set) var open: [String] = []
  private(set) var hasRoot = false
  var hasDocumentType = false
  /// The element that an empty tag has opened.
  private var closing: String?

  init(_ source: XMLByteSource) throws(StoreError) {
    self.source = source
    path = source.path
    try skipByteOrderMark()
  }

  var line: Int { source.line }

  func fault(_ reason: String) -> StoreError { .damagedXML(path: path, line: line, reason: reason) }

  /// Gives the text away, so that a large one isn't held twice.
  func takeText() -> [UInt8] {
    defer { text = [] }
    return text
  }

  func next() throws(StoreError) -> Event {
    text.removeAll(keepingCapacity: text.capacity <= 1 << 20)
    if let name = closing {
      closing = nil
      open.removeLast()
      return .end(name)
    }
    while let byte = try source.peek() {
      guard byte == UInt8(ascii: "<") else {
        try characters()
        continue
      }
      source.advance()
      switch try source.peek() {
      case UInt8(ascii: "?"): try instruction()
      case UInt8(ascii: "!"):
        source.advance()
        try declaration()
      case UInt8(ascii: "/"):
        source.advance()
        return .end(try endTag())
      default: return .start(try startTag())
      }
    }
    if let unclosed = open.last { throw fault("the file ends before </\(unclosed)>; it is truncated") }
    guard hasRoot else { throw fault("the file holds no element") }
    return .finish
  }

  // MARK: Text

  private func characters() throws(StoreError) {
    while true {
      source.collectPlain(into: &text)
      guard text.count <= Self.maximumText else {
        throw fault("a text is larger than \(Self.maximumText >> 20) MiB")
      }
      guard let byte = try source.peek(), byte != UInt8(ascii: "<") else { break }
      switch byte {
      case UInt8(ascii: "&"):
        source.advance()
        try reference(into: &text)
      case 0x0d:
        source.advance()
        // A line feed behind it is the line's end; else it is one itself.
        if try source.peek() != 0x0a { text.append(0x0a) }
      case 0..<0x20 where byte != 0x0a && byte != 0x09: throw fault("there is a control character (\(byte))")
      // A piece has ended.
      default: continue
      }
    }
    guard open.isEmpty else { return }
    guard text.allSatisfy(Self.isSpace) else { throw fault("there is text outside of the root element") }
    text.removeAll(keepingCapacity: true)
  }

  private func reference(into text: inout [UInt8]) throws(StoreError) {
    var name: [UInt8] = []
    while let byte = try source.take(), byte != UInt8(ascii: ";") {
      name.append(byte)
      guard name.count <= 12 else { break }
    }
    guard let scalar = Self.scalar(String(decoding: name, as: UTF8.self)) else {
      throw fault("an “&” begins no reference that is known (&amp; &lt; &gt; &quot; &apos; or a number)")
    }
    text += Array(String(scalar).utf8)
  }

  private static func scalar(_ name: String) -> UnicodeScalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.first == "#" else { return nil }
      let digits = name.dropFirst()
      guard
        let number = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits),
        let scalar = UnicodeScalar(number)
      else { return nil }
      return number >= 0x20 || [0x09, 0x0a, 0x0d].contains(number) ? scalar : nil
    }
  }

  // MARK: Tags

  private func startTag() throws(StoreError) -> XMLTag {
    guard !(hasRoot && open.isEmpty) else { throw fault("something follows the root element") }
    hasRoot = true
    guard open.count < Self.maximumDepth else { throw fault("the elements are nested too deeply") }
    var tag = XMLTag(name: try name())
    open.append(tag.name)
    while true {
      let hadSpace = try skipSpace()
      switch try source.peek() {
      case UInt8(ascii: ">"):
        source.advance()
        return tag
      case UInt8(ascii: "/"):
        source.advance()
        guard try source.take() == UInt8(ascii: ">") else {
          throw fault("the tag of “\(tag.name)” isn't complete")
        }
        closing = tag.name
        return tag
      case nil: throw fault("the file ends inside of the tag of “\(tag.name)”; it is truncated")
      default: break
      }
      guard hadSpace, tag.attributes.count < Self.maximumAttributes else {
        throw fault("the tag of “\(tag.name)” isn't complete")
      }
      let key = try name()
      _ = try skipSpace()
      guard try source.take() == UInt8(ascii: "=") else {
        throw fault("attribute “\(key)” of “\(tag.name)” has no value")
      }
      _ = try skipSpace()
      let value = try self.value(of: key)
      guard tag[key] == nil else { throw fault("“\(tag.name)” has its attribute “\(key)” twice") }
      tag.attributes.append((key, value))
    }
  }

  private func value(of key: String) throws(StoreError) -> [UInt8] {
    guard let quote = try source.take(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw fault("the value of attribute “\(key)” isn't quoted")
    }
    var value: [UInt8] = []
    while let byte = try source.take() {
      switch byte {
      case quote: return value
      case UInt8(ascii: "<"): throw fault("the value of attribute “\(key)” isn't closed")
      case UInt8(ascii: "&"): try reference(into: &value)
      case 0x09, 0x0a, 0x0d: value.append(0x20)
      case 0..<0x20: throw fault("there is a control character (\(byte))")
      default: value.append(byte)
      }
      guard value.count <= Self.maximumText else {
        throw fault("the value of attribute “\(key)” is larger than \(Self.maximumText >> 20) MiB")
      }
    }
    throw fault("the file ends inside of attribute “\(key)”; it is truncated")
  }

  private func endTag() throws(StoreError) -> String {
    let name = try name()
    _ = try skipSpace()
    guard open.last == name else {
      throw fault("</\(name)> stands where \(open.last.map { "</\($0)>" } ?? "the end") is expected")
    }
    guard try source.take() == UInt8(ascii: ">") else {
      throw fault("the end tag of “\(name)” isn't complete")
    }
    open.removeLast()
    return name
  }

  private func name() throws(StoreError) -> String {
    var bytes: [UInt8] = []
    while let byte = try source.peek(), Self.isNameByte(byte, first: bytes.isEmpty) {
      source.advance()
      bytes.append(byte)
      guard bytes.count <= Self.maximumName else {
        throw fault("a name is longer than \(Self.maximumName) bytes")
      }
    }
    guard !bytes.isEmpty else {
      throw fault(
        try source.peek() == nil ? "the file ends inside of a tag; it is truncated" : "a name is expected")
    }
    guard let name = String(validating: bytes, as: UTF8.self) else { throw fault("a name is not UTF-8 text") }
    return name
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

  private func skipSpace() throws(StoreError) -> Bool {
    var found = false
    while let byte = try source.peek(), Self.isSpace(byte) {
      source.advance()
      found = true
    }
    return found
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x09 || byte == 0x0d }
}
