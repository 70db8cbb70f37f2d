import DecantModel
import DecantTestSupport
import Foundation
import Testing

@testable import DecantSQLite
@testable import DecantStore
@testable import DecantXMLStore

@Suite("XML stores of unknown origin")
struct HostileXMLTests {
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      Entity(
        name: "Note",
        attributes: [
          Attribute(name: "count", type: .integer16, isOptional: true),
          Attribute(name: "data", type: .binary, isOptional: true),
          Attribute(name: "text", type: .string, isOptional: true),
          Attribute(name: "when", type: .date, isOptional: true),
          Attribute(name: "odd", type: .undefined, isOptional: true, isTransient: true),
        ],
        relationships: [
          Relationship(name: "tags", destinationEntityName: "Tag", inverseName: "note", maximumCount: 0)
        ]),
      Entity(name: "Base", isAbstract: true),
      Entity(
        name: "Tag",
        relationships: [Relationship(name: "note", destinationEntityName: "Note", inverseName: "tags")]
      ),
      Entity(name: "Twin", superentityName: "Base"), Entity(name: "TWIN", superentityName: "Base"),
    ])
  }

  /// A small store with all parts of the format.
  private static let objects = """
    <object type="NOTE" id="z1"><attribute name="text" type="string">a &lt; b</attribute>
    <attribute name="count" type="int16">3</attribute><attribute name="data" type="binary">AAEC</attribute>
    <!-- a comment --><relationship name="tags" type="0/0" destination="TAG" idrefs="z2"></relationship></object>
    <object type="TAG" id="z2"><relationship name="note" type="1/1" destination="NOTE" idrefs="z1"/></object>
    <object type="TAG" id="z3"/>
    """

  private static func text(_ objects: String = objects) throws -> String {
    XMLStoreText(try Self.model(), objects: objects).text
  }

  /// Opens an XML store and reads all its objects.
  ///
  /// - Returns: The warnings, or the error.
  private static func read(_ data: Data) throws -> Result<[String], StoreError> {
    let folder = try TemporaryFolder()
    let path = folder.path("Store.xml")
    try data.write(to: URL(fileURLWithPath: path))
    do {
      let store = try SourceStore.open(path, scratch: folder.path("scratch"))
        .filled(as: try Self.model(), version: "V", scratch: folder.path("scratch"))
      return .success(store.warnings)
    } catch let error as StoreError {
      #expect(!error.description.isEmpty && !error.advice.isEmpty)
      return .failure(error)
    }
  }

  private static func refusal(_ text: String) throws -> StoreError? {
    if case .failure(let error) = try read(Data(text.utf8)) { error } else { nil }
  }

  @Test("the store is read, also with a byte order mark, CRLF, CDATA and another XML declaration")
  func sound() throws {
    #expect(try Self.read(Data(try Self.text().utf8)) == .success([]))
    #expect(try Self.refusal("\u{feff}" + Self.text()) == nil)
    #expect(try Self.refusal(Self.text().replacing("\n", with: "\r\n")) == nil)
    #expect(try Self.refusal(Self.text().replacing("a &lt; b", with: "<![CDATA[a < b]]>")) == nil)
    #expect(
      try Self.refusal(
        Self.text().replacing("standalone=\"no\"", with: "encoding='utf-8' standalone='yes'")) == nil)
  }

  @Test("every fault of the XML is refused, and the error describes it")
  func malformed() throws {
    let sound = try Self.text()
    let cases: [(String, String, String)] = [
      (
        "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">",
        "<!DOCTYPE database [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>", "declarations of its own"
      ),
      ("a &lt; b", "&b;", "begins no reference that is known"),
      ("type=\"NOTE\" id=\"z1\"", "type=\"NO&b;TE\" id=\"z1\"", "begins no reference that is known"),
      ("a &lt; b", "\u{0}", "a control character (0)"),
      ("a &lt; b", "]]>", "stands where XML doesn't allow it"),
      ("a &lt; b", "&#0;", "begins no reference that is known"),
      ("a &lt; b", "&#xd800;", "begins no reference that is known"),
      ("a &lt; b", "\u{1}", "a control character (1)"),
      ("a &lt; b", "<b>x</b>", "the property holds other elements"),
      ("</database>", "</database><database></database>", "something follows the root element"),
      ("</database>", "</databases>", "</databases> stands where </database> is expected"),
      ("</database>", "</database> x", "text outside of the root element"),
      (
        "<?xml version=\"1.0\" standalone=\"no\"?>", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>",
        "in the encoding “ISO-8859-1”"
      ),
      ("<object type=\"TAG\" id=\"z3\"/>", "<thing/>", "“thing” stands where an “object” is expected"),
      (
        "<object type=\"TAG\" id=\"z3\"/>", "<object type=\"TAG\" type=\"TAG\" id=\"z3\"/>",
        "has its attribute “type” twice"
      ),
      ("<object type=\"TAG\" id=\"z3\"/>", "<object type=TAG id=\"z3\"/>", "isn't quoted"),
      (
        "<object type=\"TAG\" id=\"z3\"/>",
        String(repeating: "<object type=\"TAG\" id=\"z3\"><attribute name=\"a\">", count: 100),
        "the property holds other elements"
      ),
      ("<true/>", String(repeating: "<array>", count: 100), "nested too deeply"),
      ("<true/>", "<true>x</true>", "or doesn't hold one"),
      ("<true/>", "<uid>3</uid>", "isn't a kind of value"),
      ("<true/>", "", "has no value"),
      ("<plist version=\"1.0\"><dict>", "<plist version=\"1.0\"><array/><dict>", "isn't a dictionary"),
      ("<nextObjectID>0</nextObjectID>", "<nextObjectID>99999999999999999999</nextObjectID>", "isn't a number"),
      ("<nextObjectID>0</nextObjectID>", "<more/>", "the unknown element “more”"),
      ("<UUID>\(XMLStoreText.uuid)</UUID>", "<UUID>x</UUID>", "UUID is missing or invalid"),
      ("<UUID>\(XMLStoreText.uuid)</UUID>", "", "UUID is missing or invalid"),
      ("<databaseInfo>", "<object type=\"TAG\" id=\"z9\"/><databaseInfo>", "“databaseInfo” is expected"),
    ]
    for (old, new, words) in cases {
      try #require(sound.contains(old), "\(old)")
      let error = try Self.refusal(sound.replacing(old, with: new))
      #expect(error?.description.contains(words) == true, "\(new.prefix(80)): \(String(describing: error))")
    }
    #expect(
      try Self.refusal("<?xml version=\"1.0\"?><html/>")?.description.contains("root element is “html”") == true
    )
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
      let data = try #require(sound.data(using: encoding))
      guard case .failure(let error) = try Self.read(data) else {
        Issue.record("\(encoding) was read")
        continue
      }
      guard case .damagedXML = error else {
        Issue.record("\(error)")
        continue
      }
    }
    #expect(
      try Self.refusal("<?xml version=\"1.0\"?>")?.description.contains("the file holds no element") == true)
    let bad = Data(sound.utf8).split(separator: UInt8(ascii: "b")).joined(separator: [0xff])
    if case .success = try Self.read(Data(bad)) { Issue.record("text that isn't UTF-8 was read") }
  }

  @Test("the error names an object that doesn't fit its model, and its property")
  func contents() throws {
    let cases: [(String, String)] = [
      ("<object type=\"NOPE\" id=\"z9\"/>", "z9 of entity “NOPE”: the model has no such entity"),
      ("<object type=\"BASE\" id=\"z9\"/>", "z9 of entity “BASE”: its entity is abstract"),
      ("<object type=\"TWIN\" id=\"z9\"/>", "2 entities of that name, which differ in case alone"),
      (
        "<object type=\"NOTE\" id=\"z9\"/><object type=\"TAG\" id=\"z9\"/>",
        "z9 of entity “TAG”: its id is there twice"
      ),
      ("<object type=\"NOTE\" id=\"z0\"/>", "“z0” isn't the id"),
      ("<object type=\"NOTE\" id=\"note\"/>", "“note” isn't the id"),
      ("<object type=\"NOTE\" id=\"z99999999999999999999\"/>", "isn't the id"),
      ("<object id=\"z1\"/>", "no id or no type"),
      (
        note("<attribute name=\"color\">x</attribute>"),
        "property “color”: the model stores no such property of “Note”"
      ),
      (note("<attribute name=\"odd\">x</attribute>"), "the model stores no such property"),
      (note("<attribute>x</attribute>"), "a property has no name"),
      (
        note("<attribute name=\"count\">1</attribute><attribute name=\"COUNT\">1</attribute>"), "is there twice"
      ),
      (
        note("<attribute name=\"count\">1</attribute><attribute name=\"count\">1</attribute>"), "is there twice"
      ),
      (
        note("<attribute name=\"count\" type=\"string\">1</attribute>"),
        "the file says “string” where the model has Integer 16"
      ),
      (
        note("<attribute name=\"count\" type=\"int16\">32768</attribute>"),
        "“32768” isn't a value of type Integer 16"
      ),
      (note("<attribute name=\"count\" type=\"int16\"></attribute>"), "“” isn't a value of type Integer 16"),
      (note("<attribute name=\"when\" type=\"date\">nan</attribute>"), "“nan” isn't a value of type Date"),
      (note("<attribute name=\"when\" type=\"date\">0x1p3</attribute>"), "isn't a value of type Date"),
      (note("<attribute name=\"data\" type=\"binary\">A*EC</attribute>"), "its data isn't Base64"),
      (note("<attribute name=\"data\" type=\"binary\">AAE</attribute>"), "its data isn't Base64"),
      (note("<attribute name=\"text\" type=\"string\">\\u00d8</attribute>"), "half of an escaped character"),
      (
        note("<relationship name=\"tags\" type=\"1/1\" idrefs=\"z2\"/>"),
        "to-one in the file and to-many in the model"
      ),
      (note("<relationship name=\"tags\" type=\"many\"/>"), "“many” isn't a type of relationship"),
      (note("<relationship name=\"tags\" type=\"0/0\" destination=\"NOTE\"/>"), "leads to “NOTE” in the file"),
      (note("<relationship name=\"tags\" type=\"0/0\" idrefs=\"z2,z3\"/>"), "“z2,z3” isn't the id"),
      (note("<relationship name=\"tags\" type=\"0/0\">z2</relationship>"), "a relationship holds text"),
      (note("<relationship name=\"friends\" type=\"0/0\"/>"), "the model stores no such property"),
      (note("<widget/>"), "the unknown element “widget”"),
      (
        "<object type=\"TAG\" id=\"z9\"><relationship name=\"note\" type=\"1/1\" idrefs=\"z1 z2\"/></object>",
        "a to-one relationship has several targets"
      ),
    ]
    for (objects, words) in cases {
      let error = try Self.refusal(try Self.text(objects))
      #expect(error?.description.contains(words) == true, "\(objects): \(String(describing: error))")
    }
  }

  private func note(_ content: String) -> String { "<object type=\"NOTE\" id=\"z9\">\(content)</object>" }

  @Test("a store without version hashes is reported as one of Mac OS X 10.4")
  func noHashes() throws {
    var text = XMLStoreText(try Self.model(), objects: Self.objects)
    text.metadata = ""
    for store in [text.text, text.text.replacing("<plist version=\"1.0\"><dict></dict></plist>", with: "")] {
      let error = try Self.refusal(store)
      #expect(
        error?.description.contains("is a Core Data XML store without version hashes, as Mac OS X 10.4") == true
      )
    }
    text.metadata = "<key>NSStoreModelVersionHashes</key><dict><key>A</key><data>AAEC</data></dict>"
    #expect(try Self.refusal(text.text)?.description.contains("doesn't have 32 bytes") == true)
  }

  @Test("a store cut off at any place is refused")
  func truncated() throws {
    let whole = Array(try Self.text().utf8)
    for length in stride(from: 0, to: whole.count, by: 7) {
      if case .success = try Self.read(Data(whole[..<length])) { Issue.record("cut at \(length) it was read") }
    }
  }

  @Test("a store with changed bytes is read or refused, and never crashes the reader")
  func mutated() throws {
    let whole = Array(try Self.text().utf8)
    var state: UInt64 = 11
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0...random(3) {
        switch random(3) {
        case 0: bytes[random(bytes.count)] = UInt8(random(256))
        case 1: bytes.removeSubrange(random(bytes.count / 2)..<(bytes.count / 2 + random(8)))
        default:
          bytes.insert(
            contentsOf: [UInt8](repeating: [0x3c, 0x26, 0x22, 0x2f][random(4)], count: 3),
            at: random(bytes.count))
        }
      }
      _ = try Self.read(Data(bytes))
    }
  }

  @Test("a too large text is refused before it fills the memory", .timeLimit(.minutes(10)))
  func huge() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Store.xml")
    let head = try Self.text("<object type=\"NOTE\" id=\"z9\"><attribute name=\"text\" type=\"string\">")
    try Data(head.replacing("\n</database>", with: "").utf8).write(to: URL(fileURLWithPath: path))
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seekToEnd()
    for _ in 0..<65 { try handle.write(contentsOf: Data(repeating: 0x61, count: 1 << 20)) }
    try handle.close()
    let error = #expect(throws: StoreError.self) {
      try SourceStore.open(path, scratch: folder.path("scratch"))
        .filled(as: try Self.model(), version: "V", scratch: folder.path("scratch"))
    }
    #expect(error?.description.contains("a text is larger than 64 MiB") == true)
  }

  @Test("a too large list of IDs is refused before it fills the memory", .timeLimit(.minutes(10)))
  func hugeList() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Store.xml")
    let head = try Self.text("<object type=\"NOTE\" id=\"z1\"><relationship name=\"tags\" idrefs=\"")
    try Data(head.replacing("\n</database>", with: "").utf8).write(to: URL(fileURLWithPath: path))
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seekToEnd()
    for _ in 0..<70 { try handle.write(contentsOf: Data(repeating: 0x20, count: 1 << 20)) }
    try handle.close()
    let error = #expect(throws: StoreError.self) { try XMLStoreSummary.read(path) }
    #expect(error?.description.contains("a tag or comment is larger than 64 MiB") == true)
  }

  @Test("a pulse that returns false ends the reading")
  func stopped() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Store.xml")
    try Data(try Self.text().utf8).write(to: URL(fileURLWithPath: path))
    let reader = #expect(throws: StoreError.self) { try XMLStoreReader(path, pulse: { false }) }
    guard case .sqlite(let error)? = reader else {
      Issue.record("\(String(describing: reader))")
      return
    }
    #expect(error.interruption == .request)
  }
}
