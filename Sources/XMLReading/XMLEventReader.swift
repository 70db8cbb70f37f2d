internal import CExpat

/// Reads XML as a sequence of events through expat, in memory that doesn't grow with the file.
///
/// Only UTF-8 is read. A document type is skipped; declarations in it are a fault, so no entity is ever declared. No
/// other file is opened. The caller feeds the bytes:
///
///     while true {
///       guard let event = try reader.next() else {
///         reader.feed { buffer in … }
///         continue
///       }
///       …
///     }
package final class XMLEventReader {
  /// The start or end of an element, or the end of the file.
  package enum Event: Hashable, Sendable {
    case start(XMLTag)
    case end
    /// The end of the file.
    case finish
  }

  private static let pieceSize = 1 << 18

  let bounds: XMLBounds
  let parser: XML_Parser
  /// The names of the elements that are open.
  var open: [String] = []
  var elements = 0
  /// The attribute names by address; expat keeps one fixed address for each name.
  var attributeNames: [UnsafePointer<XML_Char>: String] = [:]
  var hasDocumentType = false
  /// The character data between the previous event and the current event, with references resolved.
  package internal(set) var text: [UInt8] = []
  /// The event that a callback has found; the parser is suspended after it.
  var event: Event?
  /// Whether the event is the tag of an empty element, so that its end has been read, too.
  var isEmptyElement = false
  var fault: XMLFault?
  private var isSuspended = false
  private var isTextRead = false
  private var isFinished = false
  /// The number of bytes that were fed and not yet parsed.
  private var fed: Int?
  private var fedInAll = 0

  /// - Throws: `XMLFault` if memory runs out.
  package init(_ bounds: XMLBounds = XMLBounds()) throws(XMLFault) {
    guard let parser = XML_ParserCreate("UTF-8") else { throw XMLFault(line: 1, reason: "memory ran out") }
    self.bounds = bounds
    self.parser = parser
    XML_SetHashSalt(parser, UInt.random(in: 1...UInt.max))
    setCallbacks()
  }

  deinit { XML_ParserFree(parser) }

  /// The current line of the file, from 1.
  package var line: Int { Int(clamping: XML_GetCurrentLineNumber(parser)) }

  /// Moves the text out, so that a large text isn't held twice.
  package func takeText() -> [UInt8] {
    defer { text = [] }
    return text
  }

  /// The next event; `nil` if more bytes are needed first.
  ///
  /// - Throws: `XMLFault`, again at each later call.
  package func next() throws(XMLFault) -> Event? {
    if isTextRead {
      isTextRead = false
      text.removeAll(keepingCapacity: text.capacity <= 1 << 20)
    }
    if isEmptyElement {
      isEmptyElement = false
      return .end
    }
    if fault == nil { parse() }
    if let fault { throw fault }
    if let event {
      self.event = nil
      isTextRead = true
      return event
    }
    return isFinished ? .finish : nil
  }

  private func parse() {
    let status: XML_Status
    if isSuspended {
      status = XML_ResumeParser(parser)
    } else if let count = fed {
      fed = nil
      fedInAll += count
      status = XML_ParseBuffer(parser, Int32(count), count == 0 ? 1 : 0)
      isFinished = count == 0
    } else {
      return
    }
    isSuspended = status == XML_STATUS_SUSPENDED
    guard fault == nil else { return }
    if status == XML_STATUS_ERROR {
      fault = XMLFault(parser, open: open)
    } else if pending > bounds.text {
      stop("a tag or comment is larger than \(bounds.text >> 20) MiB")
    }
  }

  /// The number of bytes of an unfinished tag or comment.
  private var pending: Int {
    isSuspended ? 0 : fedInAll - max(0, Int(XML_GetCurrentByteIndex(parser)))
  }

  /// Reads the next bytes of the file, after `next` returned `nil`.
  ///
  /// - Parameter read: Puts bytes at the start of the buffer and returns their number; 0 at the end of the file.
  /// - Throws: The errors of `read`.
  package func feed<Failure: Error>(
    _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    // expat parses an unfinished tag from its start each time. Doubling the buffer keeps the work linear.
    let size = Int32(clamping: max(Self.pieceSize, min(pending, bounds.text - pending)))
    guard let buffer = XML_GetBuffer(parser, size) else { return stop("memory ran out") }
    let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: Int(size))
    let count = min(max(try read(bytes), 0), bytes.count)
    fed = count
    // For these bytes expat would switch to UTF-16.
    for place in 0..<min(count, max(0, 2 - fedInAll))
    where bytes[place] == 0 || fedInAll + place == 0 && bytes[place] >= 0xfe {
      return stop("the file is in UTF-16 or UTF-32; Core Data writes UTF-8")
    }
  }

  /// Ends the reading; `next` throws the reason.
  func stop(_ reason: String) {
    if fault == nil { fault = XMLFault(line: line, reason: reason) }
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }
}
