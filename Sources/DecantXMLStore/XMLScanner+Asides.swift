internal import DecantStore
internal import Foundation

/// What is not content: marks, instructions, comments, document types.
extension XMLScanner {
  /// UTF-8 with its mark is read; two-byte encodings are told by their first bytes.
  func skipByteOrderMark() throws(StoreError) {
    switch try source.peek() {
    case 0xef:
      for byte in [0xef, 0xbb, 0xbf] as [UInt8] {
        guard try source.take() == byte else { throw fault("the file is not UTF-8 text") }
      }
    case 0xfe, 0xff, 0x00: throw fault("the file is in UTF-16 or UTF-32; Core Data writes UTF-8")
    default: break
    }
  }

  /// Passed over but for the encoding that an XML declaration names.
  func instruction() throws(StoreError) {
    let isFirst = !hasRoot && !hasDocumentType
    source.advance()
    let content = try skip(through: "?>", what: "processing instruction", keeping: 400)
    guard isFirst, content.starts(with: "xml".utf8) else { return }
    guard let encoding = Self.encoding(String(decoding: content, as: UTF8.self)) else { return }
    guard ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(encoding.uppercased()) else {
      throw fault("the file is in the encoding “\(encoding.prefix(40))”; Core Data writes UTF-8")
    }
  }

  private static func encoding(_ declaration: String) -> String? {
    guard let place = declaration.range(of: "encoding") else { return nil }
    let rest = declaration[place.upperBound...].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    return String(rest.dropFirst().prefix { $0 != quote })
  }

  /// A comment, a document type, or text of its own form.
  func declaration() throws(StoreError) {
    switch try source.peek() {
    case UInt8(ascii: "-"):
      try expect("--", what: "comment")
      _ = try skip(through: "-->", what: "comment")
    case UInt8(ascii: "["):
      try expect("[CDATA[", what: "CDATA section")
      guard !open.isEmpty else { throw fault("there is text outside of the root element") }
      try characterSection()
    default:
      try expect("DOCTYPE", what: "document type")
      guard !hasRoot, !hasDocumentType else { throw fault("a document type stands where none belongs") }
      hasDocumentType = true
      try documentType()
    }
  }

  private func characterSection() throws(StoreError) {
    while let byte = try source.take() {
      guard byte >= 0x20 || Self.isSpace(byte) else { throw fault("there is a control character (\(byte))") }
      text.append(byte)
      if byte == UInt8(ascii: ">"), text.suffix(3).elementsEqual("]]>".utf8) {
        text.removeLast(3)
        return
      }
      guard text.count <= Self.maximumText else {
        throw fault("a text is larger than \(Self.maximumText >> 20) MiB")
      }
    }
    throw fault("a CDATA section isn't closed; the file is truncated")
  }

  /// Passed over; one with declarations of its own is refused.
  private func documentType() throws(StoreError) {
    var quote: UInt8?
    while let byte = try source.take() {
      switch byte {
      case quote: quote = nil
      case _ where quote != nil: break
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["): throw fault("the document type has declarations of its own, which no store has")
      case UInt8(ascii: ">"): return
      default: break
      }
    }
    throw fault("the document type isn't closed; the file is truncated")
  }

  private func expect(_ literal: String, what: String) throws(StoreError) {
    for byte in literal.utf8 {
      guard try source.take() == byte else { throw fault("a \(what) is malformed") }
    }
  }

  /// Steps behind the next such text of up to four bytes.
  private func skip(through literal: String, what: String, keeping: Int = 0) throws(StoreError) -> [UInt8] {
    let wanted = literal.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let mask = UInt32.max >> UInt32(32 - 8 * literal.utf8.count)
    var window: UInt32 = 0
    var count = 0
    var kept: [UInt8] = []
    while let byte = try source.take() {
      window = (window << 8 | UInt32(byte)) & mask
      count = min(count + 1, 4)
      if kept.count < keeping { kept.append(byte) }
      if window == wanted, count >= literal.utf8.count { return kept }
    }
    throw fault("a \(what) isn't closed; the file is truncated")
  }
}
