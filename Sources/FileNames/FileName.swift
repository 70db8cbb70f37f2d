/// A name in a folder: bytes, as the file system compares them.
///
/// Swift's `==` on `String` treats both normal forms of “é” as equal. The file system, SQLite and Core Data don't.
package struct FileName: Sendable, Hashable {
  package let bytes: [UInt8]
  /// The name as text; bytes that aren't UTF-8 are replaced.
  package let text: String

  package init(bytes: [UInt8]) {
    self.bytes = bytes
    text = String(decoding: bytes, as: UTF8.self)
  }

  package init(_ text: some StringProtocol) {
    self.text = String(text)
    bytes = Array(text.utf8)
  }

  /// Whether `text` is exactly the name.
  package var isText: Bool { text.utf8.elementsEqual(bytes) }

  package static func == (left: FileName, right: FileName) -> Bool { left.bytes == right.bytes }

  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  package static func + (name: FileName, ending: String) -> FileName {
    FileName(bytes: name.bytes + Array(ending.utf8))
  }
}

extension FileName: Comparable {
  package static func < (left: FileName, right: FileName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension FileName: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }
}

extension FileName {
  package func hasPrefix(_ start: String) -> Bool { bytes.starts(with: start.utf8) }

  package func hasSuffix(_ ending: String) -> Bool {
    bytes.count >= ending.utf8.count && bytes.suffix(ending.utf8.count).elementsEqual(ending.utf8)
  }

  /// The name without an ending; `nil` if the ending is missing or nothing would be left.
  package func dropping(_ ending: String) -> FileName? {
    guard hasSuffix(ending), bytes.count > ending.utf8.count else { return nil }
    return FileName(bytes: Array(bytes.dropLast(ending.utf8.count)))
  }

  /// Whether another name is the same text in another Unicode normal form.
  package func isOtherForm(of name: FileName) -> Bool {
    self != name && isText && name.isText && text == name.text
  }

  /// Whether another name could be the same text in another normal form.
  ///
  /// In plain ASCII only “K” (U+212A), “;” (U+037E) and “`” (U+1FEF) have other forms.
  package var mayHaveOtherForms: Bool { bytes.withUnsafeBytes(Self.mayHaveOtherForms) }

  package static func mayHaveOtherForms(_ name: UnsafeRawBufferPointer) -> Bool {
    name.contains { $0 >= 0x80 || $0 == 0x4B || $0 == 0x3B || $0 == 0x60 }
  }

  /// Finds the name that a person means by a typed text.
  ///
  /// - Returns: The name with the same bytes. If there is none, the only name that is the same text in another normal
  ///   form; `nil` if there is no such name, or more than one.
  package static func meant(by text: String, among names: [String]) -> String? {
    if let exact = names.first(where: { $0.utf8.elementsEqual(text.utf8) }) { return exact }
    let others = names.filter { $0 == text }
    return others.count == 1 ? others[0] : nil
  }
}

extension FileName: CustomStringConvertible {
  /// The name in printable form (`PrintedName`); if it isn't UTF-8, only in ASCII.
  package var description: String { isText ? PrintedName.of(text) : escaped }

  /// The name in visible ASCII; other bytes are written as `\xNN`, and a backslash is doubled.
  package var escaped: String { bytes.map(PrintedName.escape).joined() }

  /// The first few names in quotes.
  package static func list(_ names: [FileName], most: Int = 5) -> String {
    names.sorted().prefix(most).map { "“\($0)”" }.joined(separator: ", ") + (names.count > most ? ", …" : "")
  }
}

extension FileName: Codable {
  package init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// - Throws: `EncodingError.invalidValue` for a name that isn't text.
  package func encode(to encoder: any Encoder) throws {
    guard isText else {
      throw EncodingError.invalidValue(
        escaped, .init(codingPath: encoder.codingPath, debugDescription: "the name isn't UTF-8"))
    }
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
