import Testing
import XMLReading

@Suite("XML of unknown origin")
struct HostileXMLEventTests {
  private static let laughs =
    "<!DOCTYPE a [<!ENTITY l0 \"ha\">"
    + (1...9).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }.joined() + "]>"

  static let cases: [(String, Int, String)] = [
    ("", 1, "holds no element"), ("\n\n", 3, "holds no element"),
    ("hello", 1, "text outside of the root element"), ("<a/>\nhello", 2, "text outside of the root element"),
    ("<a/>\n<b/>", 2, "something follows the root element"),
    ("<a>\n<b>\n</a>", 3, "</a> stands where </b> is expected"),
    ("<a>\n", 2, "the file ends before </a>"), ("<a\nx='1'", 1, "the file ends inside of a tag"),
    ("<a><![CDATA[x", 1, "a CDATA section isn't closed"), ("<a><!-- x", 1, "the file ends inside of a tag"),
    ("<a x='1' y='2' x='3'/>", 1, "a tag has its attribute “x” twice"),
    ("<a\nx=1/>", 2, "the value of an attribute isn't quoted"),
    ("<a x='<'/>", 1, "“<” stands where XML doesn't allow it"),
    ("<1/>", 1, "“1” stands where XML doesn't allow it"), ("<a>]]></a>", 1, "“>” stands where"),
    ("<a>&b;</a>", 1, "an “&” begins no reference"), ("<a>& b</a>", 1, "an “&” begins no reference"),
    ("<a>&#0;</a>", 1, "an “&” begins no reference"), ("<a x='&#xd800;'/>", 1, "an “&” begins no reference"),
    ("<a>\n\u{1}</a>", 2, "there is a control character (1)"),
    ("<a x='\u{0}'/>", 1, "there is a control character (0)"), ("<a>\u{0}</a>", 1, "a control character (0)"),
    ("<a>\u{ffff}</a>", 1, "a character that XML doesn't allow"),
    ("<?xml version='1.0' encoding='latin1'?><a/>", 1, "in the encoding “latin1”"),
    (" <?xml version='1.0'?><a/>", 1, "something stands before the XML declaration"),
    ("<a><!DOCTYPE b></a>", 1, "stands where XML doesn't allow it"),
    ("<!DOCTYPE a []><a/>", 1, "declarations of its own"),
    (laughs + "<a>&l9;</a>", 1, "declarations of its own"),
    (laughs + "<a x='&l9;'/>", 1, "declarations of its own"),
    ("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><a>&e;</a>", 1, "declarations of its own"),
    ("<!DOCTYPE a [<!ENTITY % e SYSTEM 'file:///etc/hostname'> %e;]><a/>", 1, "declarations of its own"),
  ]

  @Test("each fault has a reason and the right line, with pieces of any size", arguments: cases)
  func faults(text: String, line: Int, words: String) {
    let fault = XMLRun.fault(text)
    #expect(fault?.line == line && fault?.reason.contains(words) == true, "\(String(describing: fault))")
    for size in [1, 2, 3, 7] { #expect(XMLRun.fault(Array(text.utf8), pieces: size) == fault, "\(size)") }
  }

  @Test(
    "an unknown reference is a fault in texts and attributes, also if a document type names a file",
    arguments: [
      "<!DOCTYPE a SYSTEM 'a.dtd'>", "<!DOCTYPE a PUBLIC 'a' 'a.dtd'>",
      "<?xml version='1.0' standalone='no'?><!DOCTYPE a SYSTEM 'a.dtd'>",
    ])
  func undeclared(head: String) throws {
    for body in ["<a>x&e;y</a>", "<a x='x&e;y'/>", "<a x='&amp;&lte;'/>", "<a x='&lt;' y='&ltgt;'/>"] {
      let fault = XMLRun.fault(head + body)
      #expect(fault?.reason.contains("an “&” begins no reference") == true, "\(body)")
    }
    let sound = try XMLRun(head + "<a x='&lt;&gt;&amp;&quot;&apos;&#65;&#x42;'>&lt;</a>")
    #expect(sound.lines == ["1 <a x=<>&\"'AB>", "<", "/", "finish"])
  }

  @Test("bytes that aren't UTF-8 are a fault, in the middle and at the end of a piece")
  func notUTF8() {
    let bad: [[UInt8]] = [
      [0xff], [0xc3], [0xc3, 0x28], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf0, 0x9d, 0x84], [0xc0, 0x80],
      [0xf8, 0x88, 0x80, 0x80, 0x80],
    ]
    for bytes in bad {
      let documents = [
        Array("<a>x".utf8) + bytes + Array("y</a>".utf8), Array("<a x='".utf8) + bytes + Array("'/>".utf8),
        Array("<a x".utf8) + bytes + Array("='1'/>".utf8), Array("<!-- ".utf8) + bytes + Array("--><a/>".utf8),
      ]
      for document in documents {
        for size in 1...document.count {
          #expect(XMLRun.fault(document, pieces: size) != nil, "\(bytes) in pieces of \(size)")
        }
      }
    }
    #expect(XMLRun.fault([0xef, 0xbb, 0x3c, 0x61, 0x2f, 0x3e]) != nil)
  }

  @Test("UTF-16 and UTF-32 are recognised and refused, also byte by byte")
  func wide() {
    let heads: [[UInt8]] = [
      [0xff, 0xfe, 0x3c, 0], [0xfe, 0xff, 0, 0x3c], [0x3c, 0, 0x61, 0], [0, 0x3c, 0, 0x61],
      [0xff, 0xfe, 0, 0], [0, 0, 0xfe, 0xff],
    ]
    for head in heads {
      for size in [1, 2, 4] {
        let fault = XMLRun.fault(head + [0x2f, 0, 0x3e, 0], pieces: size)
        #expect(fault?.reason.contains("UTF-16 or UTF-32") == true, "\(head)")
      }
    }
  }

  @Test("a document that exceeds a bound is a fault, but not one that only reaches the bound")
  func bounds() throws {
    var bounds = XMLBounds()
    (bounds.depth, bounds.elements, bounds.attributes, bounds.attributeNames) = (3, 5, 2, 3)
    (bounds.name, bounds.text) = (4, 1000)
    func fault(_ text: String) -> String? { XMLRun.fault(text, bounds: bounds)?.reason }
    let long = String(repeating: "x", count: 1000)
    for sound in [
      "<a><b><c/></b></a>", "<a><b/><b/><b/><b/></a>", "<a x='' y=''><b z=''/></a>", "<abcd/>",
      "<a>\(long)<b/>\(long)</a>", "<a>&lt;\(long.dropFirst())</a>",
    ] {
      #expect(fault(sound) == nil, "\(sound)")
    }
    #expect(fault("<a><b><c><d/></c></b></a>") == "the elements are nested too deeply")
    #expect(fault("<a><b/><b/><b/><b/><b/></a>") == "there are more than 5 elements")
    #expect(fault("<a x='' y='' z=''/>") == "“a” has more than 2 attributes")
    #expect(fault("<a x='' y=''><b z='' u=''/></a>") == "there are more than 3 names of attributes")
    #expect(fault("<abcde/>") == "a name is longer than 4 bytes")
    #expect(fault("<a abcde=''/>") == "a name is longer than 4 bytes")
    #expect(fault("<a>\(long)x</a>") == "a text is larger than 0 MiB")
    #expect(fault("<a>x<![CDATA[\(long)]]></a>") == "a text is larger than 0 MiB")
  }

  @Test("very many nested elements are refused at the bound")
  func deep() {
    let fault = XMLRun.fault(String(repeating: "<a>", count: 1_000_000))
    #expect(fault?.reason == "the elements are nested too deeply")
  }

  @Test("a tag or a comment that doesn't end is refused at the bound, in linear time", .timeLimit(.minutes(10)))
  func unfinished() throws {
    for head in ["<a x='", "<!--", "<a ", "<?pi "] {
      let reader = try XMLEventReader()
      var fed = 0
      var feeds = 0
      let fault = #expect(throws: XMLFault.self) {
        while try reader.next() == nil, fed < 200 << 20 {
          reader.feed { buffer in
            buffer.initializeMemory(as: UInt8.self, repeating: 0x20)
            if fed == 0 { buffer.copyBytes(from: head.utf8) }
            fed += buffer.count
            feeds += 1
            return buffer.count
          }
        }
      }
      #expect(fault?.reason == "a tag or comment is larger than 64 MiB", "\(head)")
      #expect(fed <= 65 << 20 && feeds < 20, "\(fed) bytes in \(feeds) pieces")
    }
  }

  @Test("after a fault, reading on gives the same fault again")
  func again() throws {
    let reader = try XMLEventReader()
    reader.feed { buffer in
      buffer.copyBytes(from: Array("<a><b></a></a>".utf8))
      return 14
    }
    _ = try reader.next()
    _ = try reader.next()
    let first = try #require(throws: XMLFault.self) { try reader.next() }
    reader.feed { _ in 0 }
    #expect(throws: first) { try reader.next() }
  }
}
