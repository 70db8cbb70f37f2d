import DecantTestSupport
import Foundation
import Testing

@Suite("decant classes")
struct ClassesTests {
  func decant(_ arguments: [String]) throws -> (code: Int32, output: String, messages: String) {
    let process = Process()
    process.executableURL = Repository.programs.appendingPathComponent("decant")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let (output, messages) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = messages
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let words = try messages.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: text, as: UTF8.self), String(decoding: words, as: UTF8.self)
    )
  }

  private static let bundle = Repository.root.appendingPathComponent(
    "config/examples/policies/Notas/Notas.xcdatamodeld")

  @Test("the output for the example's versions equals the files of the example and the tests")
  func example() throws {
    let folder = try TemporaryFolder()
    let run = try decant([
      "classes", Self.bundle.path + "#Notas", Self.bundle.path + "#Notas 2", "--output", folder.path("classes"),
    ])
    #expect(run.code == 0, "\(run.messages)")
    for name in ["Nota.swift", "Categoria.swift"] {
      let text = try String(contentsOfFile: folder.path("classes/\(name)"), encoding: .utf8)
      for place in ["Examples/NotasWorker", "Tests/PolicyShapes"] {
        let kept = Repository.root.appendingPathComponent(place).appendingPathComponent(name)
        #expect(try String(contentsOf: kept, encoding: .utf8) == text, "\(place)/\(name)")
      }
    }
    let again = try decant(["classes", Self.bundle.path, "--output", folder.path("classes")])
    #expect(again.code == 73)
  }

  @Test("a transformable attribute has the model's class if that is a class of property lists, otherwise Any")
  func transformables() throws {
    let folder = try TemporaryFolder()
    let names = [
      "list": "[String]", "entries": "[String:Any]", "array": "NSArray", "set": "Set<String>",
      "deep": "Dictionary<String, [Int]>", "own": "UIColor", "wrong": "[Any: String]", "code": "NSArray? { 1 }",
      "open": "[[String]",
    ]
    let attributes = names.map {
      let name = $0.value.replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      return "<attribute name=\"\($0.key)\" attributeType=\"Transformable\" customClassName=\"\(name)\"/>"
    }
    try folder.write(
      "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\"><entity name=\"N\" "
        + "representedClassName=\"N\">\(attributes.joined())<attribute name=\"plain\" attributeType=\"Transformable\"/>"
        + "</entity></model>", to: "M.xcdatamodel/contents")
    for further in [[], ["--objects"]] {
      let run = try decant(["classes", folder.path("M.xcdatamodel")] + further)
      #expect(run.code == 0 && run.messages.isEmpty, "\(run.messages)")
      for (name, type) in [
        ("list", "[String]"), ("entries", "[String: Any]"), ("array", "NSArray"), ("set", "Set<String>"),
        ("deep", "Dictionary<String, [Int]>"),
      ] {
        #expect(
          run.output.contains("var \(name): \(type)? {\n    get { value(forKey: \"\(name)\") as? \(type) }"))
      }
      for name in ["own", "wrong", "code", "open", "plain"] {
        #expect(run.output.contains("\(name)"), "\(name)")
        #expect(run.output.contains(": Any? {\n    get { value(forKey: \"\(name)\") }"), "\(name)")
      }
    }
  }

  @Test(
    "types, ordered relationships, keywords and inheritance work; names that Swift can't use are reported"
  )
  func hostileNames() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Base" representedClassName="App.Base" isAbstract="YES">
          <attribute name="class" optional="YES" attributeType="String"/>
          <attribute name="description" optional="YES" attributeType="String"/>
          <attribute name="a-b" optional="YES" attributeType="String"/>
          <relationship name="all" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify"
            destinationEntity="Leaf" inverseName="owner" inverseEntity="Leaf"/>
        </entity>
        <entity name="Leaf" representedClassName=".protocol" parentEntity="Base">
          <attribute name="i16" attributeType="Integer 16" defaultValueString="0"/>
          <attribute name="i64" optional="YES" attributeType="Integer 64"/>
          <attribute name="f" optional="YES" attributeType="Float"/>
          <attribute name="flag" optional="YES" attributeType="Boolean"/>
          <attribute name="price" optional="YES" attributeType="Decimal"/>
          <attribute name="url" optional="YES" attributeType="URI"/>
          <attribute name="id" optional="YES" attributeType="UUID"/>
          <attribute name="raw" optional="YES" attributeType="Binary"/>
          <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify"
            destinationEntity="Base" inverseName="all" inverseEntity="Base"/>
        </entity>
        <entity name="Odd" representedClassName="String"><attribute name="x" optional="YES" attributeType="String"/></entity>
        <entity name="Plain"><attribute name="x" optional="YES" attributeType="String"/></entity>
      </model>
      """, to: "M.xcdatamodel/contents")
    let run = try decant(["classes", folder.path("M.xcdatamodel")])
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.output.contains("class Base: NSManagedObject {"))
    #expect(run.output.contains("class `protocol`: Base {"))
    #expect(run.output.contains("var `class`: String? {"))
    #expect(run.output.contains("func insertIntoAll(_ value: `protocol`, at index: Int)"))
    #expect(run.output.contains("var i64: Int64 {"))
    for left in ["“Base.description”", "“Base.a-b”", "“String”"] {
      #expect(run.messages.contains(left), "\(run.messages)")
    }
    let objects = try decant(["classes", folder.path("M.xcdatamodel"), "--objects", "--quiet"])
    #expect(objects.output.contains("var i64: NSNumber? {"))
    #expect(objects.messages.isEmpty)
  }
}
