internal import CExpat

extension XMLFault {
  static let unknownReference =
    "an “&” begins no reference that is known (&amp; &lt; &gt; &quot; &apos; or a number)"

  init(_ parser: XML_Parser, open: [String]) {
    line = Int(clamping: XML_GetCurrentLineNumber(parser))
    let code = XML_GetErrorCode(parser)
    let (before, behind) = Self.input(of: parser)
    reason =
      switch code {
      case XML_ERROR_NO_ELEMENTS:
        open.last.map { "the file ends before </\($0)>; it may be truncated" } ?? "the file holds no element"
      case XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR:
        "the file ends inside of a tag; it may be truncated"
      case XML_ERROR_UNCLOSED_CDATA_SECTION: "a CDATA section isn't closed; the file may be truncated"
      case XML_ERROR_TAG_MISMATCH:
        "</\(Self.name(behind))> stands where </\(open.last ?? "")> is expected"
      case XML_ERROR_DUPLICATE_ATTRIBUTE: "a tag has its attribute “\(Self.name(behind))” twice"
      case XML_ERROR_UNDEFINED_ENTITY, XML_ERROR_BAD_CHAR_REF: Self.unknownReference
      case XML_ERROR_JUNK_AFTER_DOC_ELEMENT where behind.first == UInt8(ascii: "<"):
        "something follows the root element"
      case XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "there is text outside of the root element"
      case XML_ERROR_SYNTAX where behind.first != UInt8(ascii: "<"): "there is text outside of the root element"
      case XML_ERROR_MISPLACED_XML_PI: "something stands before the XML declaration"
      case XML_ERROR_INVALID_TOKEN: Self.invalidToken(before, behind)
      default: XML_ErrorString(code).map { String(cString: $0) } ?? "the XML is malformed"
      }
  }

  /// The bytes around the current place, as many as expat holds.
  static func input(
    of parser: XML_Parser
  ) -> (before: Slice<UnsafeRawBufferPointer>, behind: Slice<UnsafeRawBufferPointer>) {
    var place: Int32 = 0
    var size: Int32 = 0
    let start = XML_GetInputContext(parser, &place, &size)
    let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : max(0, Int(size)))
    let middle = min(max(0, Int(place)), bytes.count)
    return (bytes[..<middle], bytes[middle...])
  }

  private static func name(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    String(decoding: bytes.prefix(80).prefix { !" \t\r\n=/>".utf8.contains($0) }, as: UTF8.self)
  }

  private static func invalidToken(
    _ before: Slice<UnsafeRawBufferPointer>, _ behind: Slice<UnsafeRawBufferPointer>
  ) -> String {
    guard let byte = behind.first else { return "the XML is malformed" }
    if byte < 0x20, !"\t\r\n".utf8.contains(byte) { return "there is a control character (\(byte))" }
    if byte >= 0x80 { return "there are bytes that are not UTF-8 text, or a character that XML doesn't allow" }
    if before.last == UInt8(ascii: "&") { return unknownReference }
    if before.last(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "=") {
      return "the value of an attribute isn't quoted"
    }
    return "“\(Character(UnicodeScalar(byte)))” stands where XML doesn't allow it"
  }
}
