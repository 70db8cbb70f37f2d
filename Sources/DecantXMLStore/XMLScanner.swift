internal import DecantStore
internal import XMLReading

/// Reads the events of an XML store from its file; faults name the file.
final class XMLScanner {
  let path: String
  private let source: XMLByteSource
  private let events: XMLEventReader

  /// - Parameter pulse: Called before each read of the file; false cancels the reading.
  init(_ path: String, pulse: @escaping () -> Bool) throws(StoreError) {
    self.path = path
    source = try XMLByteSource(path, pulse: pulse)
    do { events = try XMLEventReader() } catch {
      throw .damagedXML(path: path, line: error.line, reason: error.reason)
    }
  }

  /// The character data between the previous event and this one, with references resolved.
  var text: [UInt8] { events.text }

  /// Moves the text out, so that a large one isn't held twice.
  func takeText() -> [UInt8] { events.takeText() }

  func fault(_ reason: String) -> StoreError { .damagedXML(path: path, line: events.line, reason: reason) }

  func next() throws(StoreError) -> XMLEventReader.Event {
    while true {
      do throws(XMLFault) {
        if let event = try events.next() { return event }
      } catch {
        throw .damagedXML(path: path, line: error.line, reason: error.reason)
      }
      try events.feed { bytes throws(StoreError) in try source.read(into: bytes) }
    }
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x09 || byte == 0x0d }
}
