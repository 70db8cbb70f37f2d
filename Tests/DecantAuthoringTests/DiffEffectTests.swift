import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantConsole

@Suite("The effect of each change that “decant diff” shows")
struct DiffEffectTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("decant-diff") }

  private func model(_ name: String, _ body: String) throws -> String {
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\(body)</model>
      """, to: "\(name).xcdatamodel/contents"
    ).deletingLastPathComponent().path
  }

  private struct Shown: Decodable {
    struct Detail: Decodable {
      let what: String
      let effect: String
    }
    struct Property: Decodable {
      let property: String
      let kind: String
      let effect: String
      let reasons: [String]
      let losesValues: Bool
      let condition: String?
      let details: [Detail]
    }
    struct Change: Decodable {
      let entity: String
      let effect: String
      let reasons: [String]
      let losesObjects: Bool
      let condition: String?
      let details: [Detail]
      let properties: [Property]
    }
    struct Other: Decodable {
      let kind: String
      let name: String
      let effect: String
      let change: String
    }
    struct Refusal: Decodable {
      let kind: String
      let entities: [String]
    }
    let changes: [Change]
    let otherChanges: [Other]
    let refusals: [Refusal]
    let equalHashes: Bool
    let inferable: Bool

    func effect(_ entity: String, _ property: String) -> String? {
      changes.first { $0.entity == entity }?.properties.first { $0.property == property }?.effect
    }
  }

  private func diff(_ old: String, _ new: String) throws -> Shown {
    let run = Captured(["diff", try model("Old", old), try model("New", new), "--json"])
    #expect(run.code == 0, "\(run.messages)")
    return try JSONDecoder().decode(Shown.self, from: Data(run.output.utf8))
  }

  private static let attributes = (
    old: """
    <attribute name="a" optional="YES" attributeType="String"/>
    <attribute name="b" optional="YES" attributeType="String"/>
    <attribute name="c" optional="YES" attributeType="Integer 16"/>
    <attribute name="d" optional="YES" attributeType="String"/>
    <attribute name="e" optional="YES" attributeType="String" transient="YES"/>
    <attribute name="f" optional="YES" attributeType="String"/>
    """,
    new: """
    <attribute name="a" optional="YES" attributeType="Date"/>
    <attribute name="b" attributeType="String"/>
    <attribute name="c" optional="YES" attributeType="Integer 64"/>
    <attribute name="d" optional="YES" attributeType="String" defaultValueString="x" maxValueString="9"/>
    <attribute name="e" optional="YES" attributeType="Date" transient="YES"/>
    <attribute name="g" attributeType="Date"/>
    """
  )

  @Test("every change that can't be inferred is heavy and has its reason, not only the first one")
  func everyRefusal() throws {
    let shown = try diff(
      "<entity name=\"A\">\(Self.attributes.old)</entity>", "<entity name=\"A\">\(Self.attributes.new)</entity>"
    )
    #expect(
      shown.refusals.map(\.kind) == ["type-changed", "required-without-default", "required-without-default"])
    #expect(!shown.inferable)
    #expect(shown.effect("A", "a") == "heavy")
    #expect(shown.effect("A", "b") == "heavy")
    #expect(shown.effect("A", "c") == "light")
    #expect(shown.effect("A", "d") == "none")
    #expect(shown.effect("A", "e") == "none")
    #expect(shown.effect("A", "f") == "light")
    #expect(shown.effect("A", "g") == "heavy")
    let properties = try #require(shown.changes.first?.properties)
    #expect(properties.filter(\.losesValues).map(\.property) == ["f"])
    #expect(
      properties.first { $0.property == "g" }?.reasons == [
        "attribute “g” is new and required, and has no default"
      ])
    #expect(properties.first { $0.property == "a" }?.details.map(\.effect) == ["heavy"])
  }

  @Test("a changed property of a parent entity is shown at the parent, and not again at its subentities")
  func inherited() throws {
    func body(_ type: String) -> String {
      """
      <entity name="P" isAbstract="YES"><attribute name="x" optional="YES" attributeType="\(type)"/></entity>
      <entity name="Q" parentEntity="P"/><entity name="R" parentEntity="P"/>
      """
    }
    let shown = try diff(body("String"), body("Double"))
    #expect(shown.refusals.count == 2)
    #expect(shown.changes.map(\.entity) == ["P"])
    #expect(shown.changes.first?.properties.first?.reasons.count == 1)
    #expect(shown.effect("P", "x") == "heavy")
  }

  @Test("a new root over old root entities is heavy; a removed entity loses its objects")
  func hierarchies() throws {
    let shown = try diff(
      #"<entity name="A"/><entity name="B"/><entity name="C"/>"#,
      #"<entity name="Root" isAbstract="YES"/><entity name="A" parentEntity="Root"/><entity name="B" parentEntity="Root"/>"#
    )
    #expect(shown.refusals.map(\.kind) == ["merged-hierarchies"])
    #expect(shown.refusals.first?.entities == ["Root"])
    #expect(
      shown.changes.map { "\($0.entity) \($0.effect) \($0.losesObjects)" }
        == ["A light false", "B light false", "C light true", "Root heavy false"])
  }

  @Test(
    "changes of classes, indexes, user info, fetched properties, configurations and requests have no effect")
  func withoutEffect() throws {
    let attribute = #"<attribute name="a" optional="YES" attributeType="String"/>"#
    let shown = try diff(
      "<entity name=\"A\">\(attribute)</entity><configuration name=\"Cloud\"><memberEntity name=\"A\"/></configuration>",
      """
      <entity name="A" representedClassName="Other">\(attribute)
        <fetchedProperty name="f" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" entity="A" \
      predicateString="a == 'x'"/></fetchedProperty>
        <fetchIndex name="byA"><fetchIndexElement property="a" type="Binary" order="ascending"/></fetchIndex>
        <userInfo><entry key="k" value="v"/></userInfo>
      </entity>
      <fetchRequest name="All" entity="A" predicateString="TRUEPREDICATE"/>
      """)
    #expect(shown.equalHashes)
    #expect(shown.changes.map(\.effect) == ["none"])
    #expect(shown.changes.first?.details.map(\.what) == ["class", "indexes", "user info"])
    #expect(shown.changes.first?.properties.map(\.kind) == ["fetched property"])
    #expect(
      shown.otherChanges.map { "\($0.kind) \($0.name) \($0.change) \($0.effect)" }
        == ["configuration Cloud removed none", "fetch request All added none"])
  }

  @Test(
    "conditions for a store's values are shown: smaller numbers, also inherited ones, and new uniqueness")
  func conditions() throws {
    func body(_ type: String, _ unique: String) -> String {
      """
      <entity name="P" isAbstract="YES"><attribute name="x" optional="YES" attributeType="\(type)"/></entity>
      <entity name="Q" parentEntity="P"/>
      <entity name="U"><attribute name="y" optional="YES" attributeType="String"/>\(unique)</entity>
      """
    }
    let constraint =
      "<uniquenessConstraints><uniquenessConstraint><constraint value=\"y\"/></uniquenessConstraint></uniquenessConstraints>"
    let (old, new) = (body("Integer 32", ""), body("Integer 16", constraint))
    let shown = try diff(old, new)
    #expect(shown.changes.first { $0.entity == "P" }?.properties.map(\.condition) == ["values-fit"])
    #expect(shown.changes.first { $0.entity == "U" }?.condition == "none-equal")
    #expect(shown.changes.map(\.effect) == ["light", "light"])
    let text = Captured(["diff", try model("Old", old), try model("New", new)])
    #expect(text.output.contains("type Integer 32 → Integer 16 (where the values fit)"))
    #expect(text.output.contains("~ light  entity U (where no two are equal)"))
    #expect(text.output.contains("now with uniqueness of y"))
    #expect(
      text.lines.suffix(4).joined(separator: " ").contains(
        "don't fit, or if values that must be unique are equal"))
    let inferred = Captured(["infer", try model("Old", old), try model("New", new)])
    #expect(inferred.output.contains("U: a store with two objects with equal y is refused"))
    let back = try diff(new, old)
    #expect(back.changes.flatMap { [$0.condition] + $0.properties.map(\.condition) }.compactMap { $0 } == [])
  }

  @Test(
    "removed requests and configurations are shown by name, indexes as new or removed")
  func others() throws {
    let attribute =
      "<attribute name=\"a\" optional=\"YES\" attributeType=\"String\"/><attribute name=\"b\" optional=\"YES\" attributeType=\"String\"/>"
    func index(_ name: String) -> String {
      "<fetchIndex name=\"by\(name)\"><fetchIndexElement property=\"\(name)\" type=\"Binary\" order=\"ascending\"/></fetchIndex>"
    }
    let request = #"<fetchRequest name="All" entity="A" predicateString="TRUEPREDICATE"/>"#
    let configuration = #"<configuration name="Cloud"><memberEntity name="A"/></configuration>"#
    let old = try model(
      "Old", "<entity name=\"A\">\(attribute)\(index("a"))</entity>\(request)\(configuration)")
    let new = try model("New", "<entity name=\"A\">\(attribute)\(index("b"))</entity>")
    let gone = Captured(["diff", old, new])
    #expect(gone.lines.contains("- none   fetch request All"))
    #expect(gone.lines.contains("- none   configuration Cloud"))
    #expect(gone.lines.contains("  ~ none   now with index byb (b); without index bya (a)"))
    let added = Captured(["diff", new, old])
    #expect(added.lines.contains("+ none   configuration Cloud: A"))
  }

  @Test("if one change needs a mapping model, the text advises only that")
  func advice() throws {
    let old = try model("Old", "<entity name=\"A\">\(Self.attributes.old)</entity>")
    let new = try model("New", "<entity name=\"A\">\(Self.attributes.new)</entity>")
    let lines = Captured(["diff", old, new]).lines.filter { !$0.isEmpty }.suffix(3)
    #expect(lines.first == "Write a mapping model for these versions.")
    #expect(lines.last?.hasPrefix("  decant mapping --new ") == true, "\(lines)")
  }

  @Test("the text has a column for the effect, and fits the terminal's width")
  func text() throws {
    let old = try model("Old", "<entity name=\"A\">\(Self.attributes.old)</entity>")
    let new = try model("New", "<entity name=\"A\">\(Self.attributes.new)</entity>")
    let run = Captured(["diff", old, new])
    #expect(run.lines.first == "~ heavy  entity A")
    #expect(run.lines.contains("  ~ heavy  attribute a: type String → Date"))
    #expect(run.lines.contains("  ~ none   attribute d: now with default “x”, now with maximum 9"))
    #expect(run.output.contains("✗ attribute “b” becomes required and has no default"))
    #expect(run.output.contains("Needs a mapping model: 3 changes can't be inferred."))
    for width in [40, 80] {
      for line in Captured(["diff", old, new], isTerminal: true, width: width, environment: ["NO_COLOR": "1"])
        .lines
      where !line.hasPrefix("  decant mapping") {
        #expect(DisplayWidth.columns(of: line) <= width, "\(line)")
      }
    }
  }
}
