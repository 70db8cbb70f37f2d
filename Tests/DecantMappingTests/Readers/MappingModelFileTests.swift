import DecantModel
import Foundation
import KeyedArchive
import Testing

@testable import DecantMapping

@Suite struct MappingModelFileTests {
  private func read(_ name: String, _ data: Data) throws -> Result<MappingModelFile, MappingModelError> {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent(name)
      var file = url
      if name.hasSuffix(".xcmappingmodel") {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        file = url.appendingPathComponent("xcmapping.xml")
      }
      try data.write(to: file)
      return Result { () throws(MappingModelError) in try MappingModelFile.read(at: url) }
    }
  }

  private func reason(_ name: String, _ text: String) throws -> String? {
    guard case .failure(.malformed(_, let reason, _, _)) = try read(name, Data(text.utf8)) else { return nil }
    return reason
  }

  // MARK: xcmappingmodel

  private static let source = """
    <?xml version="1.0" standalone="yes"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
    <database><databaseInfo><version>134481920</version></databaseInfo>
    <object type="XDDEVATTRIBUTEMAPPING" id="z1"><attribute name="name" type="string">title</attribute></object>
    <object type="XDDEVATTRIBUTEMAPPING" id="z9"><attribute name="name" type="string">orphan</attribute></object>
    <object type="XDDEVRELATIONSHIPMAPPING" id="z2"><attribute name="name" type="string">tags</attribute></object>
    <object type="XDDEVENTITYMAPPING" id="z3">
      <attribute name="destinationname" type="string">Note</attribute>
      <relationship name="attributemappings" type="0/0" destination="XDDEVATTRIBUTEMAPPING" idrefs="z1"></relationship>
      <relationship name="relationshipmappings" type="0/0" destination="XDDEVRELATIONSHIPMAPPING" idrefs="z2 z404"/>
    </object>
    <object type="XDDEVMAPPINGMODEL" id="z4">
      <attribute name="sourcemodelpath" type="string">App/My \\u2600 Model.xcdatamodeld/Model.xcdatamodel</attribute>
      <attribute name="destinationmodelpath" type="string">App/My \\u2600 Model.xcdatamodeld/Model 2.xcdatamodel</attribute>
      <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="z3"></relationship>
    </object></database>
    """

  @Test func aSourceFileNamesItsModelsAndTheDestinationsProperties() throws {
    let file = try read("One Two.xcmappingmodel", Data(Self.source.utf8)).get()
    #expect(file.name == "One Two")
    guard case .modelFolders(let source, let destination) = file.endpoints else {
      Issue.record("no model folders")
      return
    }
    #expect(source.description == "My & Model#Model")
    #expect(destination.description == "My & Model#Model 2")
    #expect(file.destinationProperties == ["Note": ["title", "tags"]])
  }

  @Test func escapesAreUndoneLowByteFirst() {
    #expect(EditorDocument.unescaped("messageID \\u3c00 10000") == "messageID < 10000")
    #expect(EditorDocument.unescaped("\\u3dd800de") == "\u{FFFD}00de")
    #expect(EditorDocument.unescaped("\\u3dd8\\u00de") == "😀")
    #expect(EditorDocument.unescaped("\\u+3c0 \\u3c") == "\\u+3c0 \\u3c")
  }

  @Test func aSourceFileWithoutMappingModelOrXMLIsRefused() throws {
    #expect(
      try reason("A.xcmappingmodel", "<database></database>") == "it holds no mapping model (XDDEVMAPPINGMODEL)"
    )
    #expect(try reason("A.xcmappingmodel", "<database>")?.contains("it may be truncated") == true)
  }

  @Test func aSourceFileWithoutPathsHasUnknownVersions() throws {
    let text = "<database><object type=\"XDDEVMAPPINGMODEL\" id=\"z1\"></object></database>"
    #expect(try read("A.xcmappingmodel", Data(text.utf8)).get().endpoints == .unknown)
  }

  @Test func modelFoldersAreTakenFromPathsOfEveryKind() {
    #expect(MappingModelFile.ModelFolder(path: "/a/B.xcdatamodeld/C 2.xcdatamodel")?.description == "B#C 2")
    #expect(MappingModelFile.ModelFolder(path: "C.xcdatamodel")?.description == "C")
    #expect(MappingModelFile.ModelFolder(path: "a/C.xcdatamodel/")?.description == "C")
    #expect(MappingModelFile.ModelFolder(path: "a/C.mom") == nil)
    #expect(MappingModelFile.ModelFolder(path: "") == nil)
  }

  // MARK: mapping.json5

  @Test func aTextFileNamesVersionsAndOrder() throws {
    let text =
      "{ name: \"StepOne\", source: \"Notas\", destination: \"Notas 2\", order: 1, entityMappings: [], }"
    let file = try read("First.mapping.json5", Data(text.utf8)).get()
    #expect(file.name == "First")
    #expect(file.endpoints == .names(source: "Notas", destination: "Notas 2"))
    #expect(file.order == 1)
  }

  @Test(arguments: [
    ("{ source: \"A\" }", "“destination” is missing"),
    ("{ source: 1, destination: \"B\" }", "line 1, column 11: “source” must be a version's name in quotes"),
    (
      "{ source: \"A\", destination: \"B\", order: \"x\" }", "line 1, column 41: “order” must be a whole number"
    ),
    ("[]", "it is not an object { … }"),
    ("{ source: ", "it is not JSON5: line 1, column 11: a value is missing; there is the end of the text"),
    (
      "{ source: \"A\", destination: [] }",
      "line 1, column 29: “destination” must be a version's name in quotes"
    ),
    ("", "it is empty; write a mapping model into it, or remove it"),
  ])
  func aTextFileThatCantBeReadSaysWhy(text: String, expected: String) throws {
    #expect(try reason("A.mapping.json5", text) == expected)
  }

  // MARK: cdm

  private func archive(mappings: [PropertyList], rest: [PropertyList] = []) -> Data {
    PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100000),
      "$top": .dictionary(["root": .uid(1)]),
      "$objects": .array(
        [
          .string("$null"), .dictionary(["NSEntityMappings": .uid(2)]),
          .dictionary(["NS.objects": .array(mappings), "$class": .uid(3)]),
          .dictionary(["$classname": .string("NSArray")]),
        ] + rest),
    ]).binaryData()
  }

  @Test func aCompiledFileNamesVersionHashes() throws {
    let (one, two) = (Data(repeating: 1, count: 32), Data(repeating: 2, count: 32))
    let mapping = PropertyList.dictionary([
      "NSSourceEntityName": .uid(5), "NSDestinationEntityName": .uid(5), "NSSourceEntityVersionHash": .uid(6),
      "NSDestinationEntityVersionHash": .data(two),
    ])
    let file = try read("A.cdm", archive(mappings: [.uid(4)], rest: [mapping, .string("Note"), .data(one)]))
      .get()
    let expected = MappingModelFile.Endpoints.hashes(
      source: ["Note": try #require(VersionHash(one))], destination: ["Note": try #require(VersionHash(two))])
    #expect(file.endpoints == expected)
  }

  @Test func aCompiledFileWithReferencesInACircleOrToNowhereIsRefused() throws {
    for circle in [
      PropertyList.dictionary(["NSSourceEntityName": .uid(4), "NSSourceEntityVersionHash": .uid(4)]),
      PropertyList.dictionary(["NSDestinationEntityName": .uid(99)]),
    ] {
      #expect(throws: MappingModelError.self) {
        try read("A.cdm", archive(mappings: [.uid(4)], rest: [circle])).get()
      }
    }
    #expect(throws: MappingModelError.self) {
      try read("A.cdm", archive(mappings: [.uid(4_000_000_000)])).get()
    }
  }

  @Test func aCompiledFileThatIsNoneSaysWhy() throws {
    #expect(try reason("A.cdm", "x")?.isEmpty == false)
    let other = PropertyList.dictionary(["a": .integer(1)]).binaryData()
    #expect(throws: MappingModelError.self) { try read("A.cdm", other).get() }
  }

  // MARK: Files

  @Test func aFileThatIsNotThereOrOfNoKnownKindIsRefused() {
    let missing = URL(fileURLWithPath: "/nowhere/A.cdm")
    #expect(throws: MappingModelError.unreadable(path: "/nowhere/A.cdm")) {
      try MappingModelFile.read(at: missing)
    }
    let other = URL(fileURLWithPath: "/nowhere/A.txt")
    #expect(throws: MappingModelError.unknownForm(path: "/nowhere/A.txt")) {
      try MappingModelFile.read(at: other)
    }
  }
}
