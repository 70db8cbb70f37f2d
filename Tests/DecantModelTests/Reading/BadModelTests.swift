import DecantModel
import Foundation
import Testing

@Suite("Faulty models, and files that aren't models")
struct BadModelTests {
  private static func e(_ name: String, _ inside: String = "", _ attributes: String = "") -> String {
    "<entity name=\"\(name)\" \(attributes)>\(inside)</entity>"
  }

  private static func r(_ name: String, _ attributes: String) -> String {
    "<relationship name=\"\(name)\" \(attributes)/>"
  }

  static let cases: [(String, String)] = [
    (
      e("Nota", r("etiquetas", "destinationEntity=\"Etiqueta\"")),
      "entity “Nota”: relationship “etiquetas” leads to entity “Etiqueta”, which the model doesn't have; correct its destination in the model editor"
    ),
    (
      e("Nota", r("etiquetas", "")),
      "entity “Nota”: relationship “etiquetas” has no destination; set it in the model editor"
    ),
    (
      e("Nota", r("otra", "destinationEntity=\"Nota\" inverseName=\"vuelta\"")),
      "entity “Nota”: relationship “otra” names the inverse “vuelta”, which entity “Nota” doesn't have; correct the inverse in the model editor"
    ),
    (
      e("Nota", "", "parentEntity=\"Base\""),
      "entity “Nota” has the parent “Base”, which the model doesn't have; add it or clear the parent"
    ),
    (
      two(e("A", "", "parentEntity=\"B\""), e("B", "", "parentEntity=\"A\"")),
      "entity “A” is its own ancestor; correct the parent entities"
    ),
    (e("A", "", "parentEntity=\"A\""), "entity “A” is its own ancestor; correct the parent entities"),
    (two(e("A"), e("A")), "entity “A” is there twice; rename or remove one in the model editor"),
    (
      e("A", "<attribute name=\"x\"/><attribute name=\"x\"/>"),
      "entity “A”: property “x” is there twice; rename or remove one in the model editor"
    ),
    (
      e("A", "<attribute name=\"x\"/><fetchedProperty name=\"x\"/>"),
      "entity “A”: property “x” is there twice; rename or remove one in the model editor"
    ),
    ("\n<entity/>", "line 3: element “entity” lacks its attribute “name”"),
    ("\n<entity name=\"\"/>", "line 3: element “entity” lacks its attribute “name”"),
    ("<entity name=\"A\">\n<attribute/></entity>", "line 3: element “attribute” lacks its attribute “name”"),
    (
      e("A", "<attribute name=\"x\" attributeType=\"Composite\"/>"),
      "line 2: element “attribute” lacks its attribute “composite”"
    ),
    (
      e("A", composite),
      "entity “A”: attribute “x” is of the composite “C”, which the model doesn't have"
    ),
    (
      two(e("A", composite), "<composite name=\"C\">\(composite)</composite>"),
      "entity “A”: attribute “x” is of the composite “C”, which contains itself"
    ),
    (
      "<configuration name=\"K\"><memberEntity name=\"A\"/></configuration>",
      "configuration “K” names entity “A”, which the model doesn't have"
    ),
  ]

  private static let composite = "<attribute name=\"x\" attributeType=\"Composite\" composite=\"C\"/>"

  private static func two(_ one: String, _ other: String) -> String { one + other }

  @Test("the error of each case names entity and property and says what to do", arguments: cases)
  func sentences(body: String, sentence: String) {
    let error = #expect(throws: ModelError.self) { try ModelText.read(body) }
    #expect(error?.description == sentence)
  }

  @Test("composites that contain each other many times are refused at a limit")
  func compositeBomb() {
    func nested(_ levels: Int, _ names: String) -> String {
      let composites = (0..<levels).map { level in
        let children = names.map {
          "<attribute name=\"\($0)\" attributeType=\"Composite\" composite=\"C\(level + 1)\"/>"
        }
        return "<composite name=\"C\(level)\">\(children.joined())</composite>"
      }
      return "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Composite\" composite=\"C0\"/></entity>"
        + composites.joined() + "<composite name=\"C\(levels)\"/>"
    }
    #expect(throws: ModelError.compositeTooLarge(entity: "A", attribute: "x", limit: 10_000)) {
      try ModelText.read(nested(14, "abc"))
    }
    #expect(throws: ModelError.compositeTooDeep(entity: "A", attribute: "x", limit: 16)) {
      try ModelText.read(nested(9_000, "a"))
    }
  }

  @Test("a chain of 5,000 parent entities is refused at a limit; a chain of 100 is read")
  func longChain() throws {
    func chain(_ count: Int) -> String {
      (0..<count).map { Self.e("E\($0)", "", $0 == 0 ? "" : "parentEntity=\"E\($0 - 1)\"") }.joined()
    }
    let error = #expect(throws: ModelError.self) { try ModelText.read(chain(5000)) }
    #expect(error?.description.hasSuffix("has more than 200 ancestors; correct the parent entities") == true)
    let model = try ModelText.read(chain(100)).model
    #expect(model.entityVersionHashes.count == 100)
    #expect(model.root(of: "E99")?.name == "E0")
  }

  @Test(
    "files that aren't models are refused",
    arguments: [
      ("<plist/>", "not a Core Data model: the root element is “plist”"),
      ("<model type=\"other\"/>", "not a Core Data model: the file says that it is of type “other”"),
    ])
  func wrongRoot(text: String, sentence: String) {
    let error = #expect(throws: ModelError.self) { try ModelContentsReader.read(Data(text.utf8)) }
    #expect(error?.description == sentence)
  }

  @Test(
    "malformed XML is reported with its line",
    arguments: [
      ("", 1), ("hello", 1), ("<model>\n<entity name=\"A\">\n</model>", 3),
      ("<model>\n\n<entity name=A/></model>", 3),
      ("<model>\n", 2), ("<model>\n<a/>\n</model>\n<again/>", 4),
    ])
  func malformed(text: String, line: Int) {
    let error = #expect(throws: ModelError.self) { try ModelContentsReader.read(Data(text.utf8)) }
    #expect(error?.description.hasPrefix("line \(line): ") == true, "\(error?.description ?? "")")
  }

  @Test("too deep XML, and XML entities that multiply in texts or in attributes, are refused")
  func bombs() {
    let deep = String(repeating: "<a>", count: 5000) + String(repeating: "</a>", count: 5000)
    #expect(throws: ModelError.self) { try ModelText.read(deep) }
    let laughs = (1...9).map { "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 - 1);", count: 10))\">" }.joined()
    for body in ["<model>&a9;</model>", "<model x=\"&a9;\"/>"] {
      #expect(throws: ModelError.self) {
        try ModelContentsReader.read(Data("<!DOCTYPE model [<!ENTITY a0 \"lol\">\(laughs)]>\(body)".utf8))
      }
    }
  }

  @Test("external XML entities aren't read")
  func externalEntities() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("decant-\(UUID().uuidString)")
    try Data("<entity name=\"Secret\"/>".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    for declaration in [
      "<!ENTITY e SYSTEM \"\(file.absoluteString)\">", "<!ENTITY % e SYSTEM \"\(file.absoluteString)\"> %e;",
    ] {
      let text = "<!DOCTYPE model [\(declaration)]><model>&e;</model>"
      let reading = try? ModelContentsReader.read(Data(text.utf8))
      #expect(reading?.model.entities.isEmpty != false)
    }
  }

  @Test("a file cut off at any byte is refused; with any byte changed it is read or refused")
  func damage() {
    let data = ModelText.model(
      "<entity name=\"A\" parentEntity=\"B\"><attribute name=\"x\" attributeType=\"Decimal\" defaultValueString=\"1.5\"/>"
        + "<relationship name=\"r\" toMany=\"YES\" maxCount=\"5\" destinationEntity=\"B\"/></entity><entity name=\"B\"/>"
    )
    for length in 0..<(data.count - 8) {
      #expect(throws: ModelError.self, "\(length)") { try ModelContentsReader.read(data.prefix(length)) }
    }
    for index in 0..<data.count {
      for byte in [0, 0x20, 0x26, 0x3c, 0x3e, 0x22, 0x41, 0xff] as [UInt8] {
        var copy = data
        copy[index] = byte
        _ = try? ModelContentsReader.read(copy).model.entityVersionHashes
      }
    }
  }
}
