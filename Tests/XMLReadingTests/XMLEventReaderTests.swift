import Testing
import XMLReading

@Suite("XML as events")
struct XMLEventReaderTests {
  /// A document with each kind of markup, and with characters of one to four bytes.
  private static let document = """
    \u{feff}<?xml version="1.0" encoding="UTF-8" standalone="no"?>
    <!DOCTYPE a SYSTEM "file:///nowhere/a.dtd">
    <!-- año --><a x="1 &lt; 2 &#xe9;" y='"'>one &amp; two<b/>
    <ñ>€ 𝄞<![CDATA[a < b]] > c]]></ñ><?pi x?>\r\n</a >
    <!-- end -->
    """

  @Test("tags, texts and ends come in the file's order, and tags with their lines")
  func events() throws {
    #expect(
      try XMLRun(Self.document).lines == [
        "3 <a x=1 < 2 é y=\">", "one & two", "3 <b>", "/", "\n", "4 <ñ>", "€ 𝄞a < b]] > c", "/", "\n", "/",
        "finish",
      ])
  }

  @Test("pieces of every size give the same events")
  func pieces() throws {
    let bytes = Array(Self.document.utf8)
    let whole = try XMLRun(bytes)
    for size in 1...bytes.count { #expect(try XMLRun(bytes, pieces: size) == whole, "\(size)") }
  }

  @Test("white space in attributes becomes a space, and each line end becomes a line feed")
  func space() throws {
    #expect(
      try XMLRun("<a x='1\t2\n3\r\n4&#10;5'>a\r\nb\rc\nd</a>").lines == [
        "1 <a x=1 2 3 4\n5>", "a\nb\nc\nd", "/", "finish",
      ])
  }

  @Test("after the end there are no more tags or texts")
  func end() throws {
    let reader = try XMLEventReader()
    var rest = Array("<a/>".utf8)
    var events: [XMLEventReader.Event] = []
    while events.count < 5 {
      if let event = try reader.next() {
        events.append(event)
      } else {
        reader.feed { buffer in
          defer { rest = [] }
          buffer.copyBytes(from: rest)
          return rest.count
        }
      }
    }
    #expect(events[1...] == [.end, .finish, .finish, .finish])
  }

  @Test("an error of the closure that gives the bytes is passed on unchanged")
  func source() throws {
    struct Broken: Error, Equatable {}
    let reader = try XMLEventReader()
    #expect(try reader.next() == nil)
    #expect(throws: Broken()) { try reader.feed { _ throws(Broken) in throw Broken() } }
  }

  @Test("a reader that isn't used to the end is freed")
  func freed() throws {
    weak var reader: XMLEventReader?
    do {
      let one = try XMLEventReader()
      reader = one
      one.feed { buffer in
        buffer.copyBytes(from: Array("<a><b>".utf8))
        return 6
      }
      #expect(try one.next() != nil)
      #expect(reader != nil)
    }
    #expect(reader == nil)
  }
}
