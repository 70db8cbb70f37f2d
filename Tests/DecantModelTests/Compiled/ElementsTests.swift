import DecantModel
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

/// Reads archives in the form of the model editor (docs/formats/model-files.md 3) that the tests write.
@Suite struct ElementsTests {
  /// A stereotype bucket with these keys and values.
  private func facts(_ writer: inout ArchiveWriter, _ facts: [(String, PropertyList)]) -> PropertyList {
    let holders = facts.map { key, value in (key, writer.add("XDUMLPropertyImp", ["_default": value])) }
    let owned = writer.dictionary(holders)
    let stereotype = writer.add("XDUMLStereotypeImp", ["XDBucketForOwnedAttributesstorage": owned])
    return writer.dictionary([("Stereotype", stereotype)])
  }

  private func data(
    _ writer: inout ArchiveWriter, _ entities: [(String, PropertyList)],
    configurations: [(String, PropertyList)] = []
  ) -> Data {
    let classes = writer.dictionary(entities)
    let package = writer.add("XDModelPackage", ["XDBucketForClassesstorage": classes])
    let root = writer.add(
      "XDPMModel",
      [
        "_xd_rootPackage": package, "_modelVersionIdentifier": writer.text("7"),
        "_configurationsByName": writer.dictionary(configurations),
      ])
    return writer.data(root: root)
  }

  @Test("a configuration that can't be read is ignored with a warning")
  func configurations() throws {
    var writer = ArchiveWriter()
    let note = writer.add("XDPMEntity", ["_name": .string("Note")])
    let configurations = [
      ("Cloud", writer.array([note])), ("Local", writer.array([writer.add("XDPMEntity", [:])])),
      ("None", writer.text("Note")),
    ]
    let reading = try ModelElementsReader.read(data(&writer, [("Note", note)], configurations: configurations))
    #expect(reading.model.configurations.map(\.name) == ["Cloud"])
    #expect(
      reading.warnings == [
        "configuration “Local” is ignored: an archived XDPMEntity lacks “_name”",
        "configuration “None” is ignored: an object of class “text” stands where a list is expected",
      ])
  }

  @Test func entitiesAttributesAndRelationshipsAreRead() throws {
    var writer = ArchiveWriter()
    let (thing, note, next) = (writer.reserve(), writer.reserve(), writer.reserve())
    let title = writer.add(
      "XDPMAttribute",
      [
        "_name": .string("title"),
        "XDBucketForStereotypesstorage": facts(
          &writer,
          [
            ("XD_PAttK_attributeType", .integer(700)), ("XD_PAttK_defaultValueAsString", .string("none")),
            ("XD_PAttK_minValueString", .string("1")), ("XD_PPSK_isOptional", .boolean(true)),
            ("XD_PPSK_elementID", .string("name")), ("XD_PAttK_maxValueString", ArchiveWriter.null),
          ]),
      ])
    writer.set(
      next, "XDPMRelationship",
      [
        "_name": .string("next"),
        "XDBucketForStereotypesstorage": facts(
          &writer,
          [
            ("XD_PRK_destination", note), ("XD_PRK_inverseRelationship", next),
            ("XD_PRK_isToMany", .boolean(true)),
            ("XD_PRK_deleteRule", .integer(2)),
          ]),
      ])
    let general = writer.add("XDUMLGeneralizationImp", ["_general": thing])
    let thingFacts = facts(
      &writer, [("XD_PSK_isAbstract", .boolean(true)), ("XD_PSK_entityClassName", .string("T"))])
    writer.set(thing, "XDPMEntity", ["_name": .string("Thing"), "XDBucketForStereotypesstorage": thingFacts])
    writer.set(
      note, "XDPMEntity",
      [
        "_name": .string("Note"), "XDBucketForGeneralizationsstorage": writer.array([general]),
        "XDBucketForOwnedAttributesstorage": writer.dictionary([("title", title), ("next", next)]),
      ])
    let reading = try ModelElementsReader.read(data(&writer, [("Note", note), ("Thing", thing)]))
    let expected = try ManagedObjectModel(
      entities: [
        Entity(name: "Thing", managedObjectClassName: "T", isAbstract: true),
        Entity(
          name: "Note", superentityName: "Thing",
          attributes: [
            Attribute(
              name: "title", type: .string, isOptional: true, renamingIdentifier: "name",
              defaultValue: .string("none"), limits: .init(minimum: .integer(1)))
          ],
          relationships: [
            Relationship(
              name: "next", destinationEntityName: "Note", inverseName: "next", maximumCount: 0,
              deleteRule: .cascade)
          ]),
      ], versionIdentifiers: ["7"])
    #expect(reading.model == expected)
    #expect(reading.warnings.isEmpty)
  }

  @Test func aFactOfTheWrongKindNamesItsKeyAndProperty() {
    var writer = ArchiveWriter()
    let title = writer.add(
      "XDPMAttribute",
      [
        "_name": .string("title"),
        "XDBucketForStereotypesstorage": facts(&writer, [("XD_PAttK_attributeType", .string("x"))]),
      ])
    let note = writer.add(
      "XDPMEntity",
      ["_name": .string("Note"), "XDBucketForOwnedAttributesstorage": writer.dictionary([("title", title)])])
    let content = data(&writer, [("Note", note)])
    do throws(ModelError) {
      _ = try ModelElementsReader.read(content)
      Issue.record("it was read")
    } catch {
      #expect(
        error.description
          == "property “Note.title”: “XD_PAttK_attributeType” of an archived XDPMAttribute is text, where a whole "
          + "number is expected")
    }
  }

  @Test func anUnknownPropertyClassIsRefusedByName() {
    var writer = ArchiveWriter()
    let property = writer.add("XDPMFetchedProperty", ["_name": .string("f")])
    let note = writer.add(
      "XDPMEntity",
      ["_name": .string("Note"), "XDBucketForOwnedAttributesstorage": writer.dictionary([("f", property)])])
    let content = data(&writer, [("Note", note)])
    do throws(ModelError) {
      _ = try ModelElementsReader.read(content)
      Issue.record("it was read")
    } catch {
      #expect(error.description.contains("XDPMFetchedProperty"))
    }
  }

  /// An archive of one entity `Note` with these stereotypes.
  private func note(_ writer: inout ArchiveWriter, _ stereotypes: PropertyList) -> Data {
    let note = writer.add(
      "XDPMEntity", ["_name": .string("Note"), "XDBucketForStereotypesstorage": stereotypes])
    return data(&writer, [("Note", note)])
  }

  @Test func aListOfAWrongKindIsNamedByItsKey() throws {
    var writer = ArchiveWriter()
    let stereotypes = facts(&writer, [("XD_PSK_userInfo", .integer(1))])
    let content = note(&writer, stereotypes)
    let error = #expect(throws: ModelError.self) { try ModelElementsReader.read(content) }
    let words = "“XD_PSK_userInfo” of an archived XDPMEntity"
    #expect(error?.description.contains(words) == true, "\(error as Any)")
  }

  @Test func twoStereotypesWithOneKeyAreRefused() throws {
    var writer = ArchiveWriter()
    let stereotypes = (Int64(1)...2).map { number in
      let holder = writer.add("XDUMLPropertyImp", ["_default": .integer(number)])
      let owned = writer.dictionary([("XD_PEK_isAbstract", holder)])
      return ("S\(number)", writer.add("XDUMLStereotypeImp", ["XDBucketForOwnedAttributesstorage": owned]))
    }
    let bucket = writer.dictionary(stereotypes)
    let content = note(&writer, bucket)
    let error = #expect(throws: ModelError.self) { try ModelElementsReader.read(content) }
    #expect(error?.description.contains("the key “XD_PEK_isAbstract” twice") == true, "\(error as Any)")
  }

  @Test func aDateThatIsDisplayTextIsLeftAsideWithAWord() throws {
    var writer = ArchiveWriter()
    let date = writer.add(
      "XDPMAttribute",
      [
        "_name": .string("day"),
        "XDBucketForStereotypesstorage": facts(
          &writer,
          [("XD_PAttK_attributeType", .integer(900)), ("XD_PAttK_defaultValueAsString", .string("01.02.03"))]),
      ])
    let note = writer.add(
      "XDPMEntity",
      ["_name": .string("Note"), "XDBucketForOwnedAttributesstorage": writer.dictionary([("day", date)])])
    let reading = try ModelElementsReader.read(data(&writer, [("Note", note)]))
    #expect(reading.model.attribute("day", of: "Note")?.defaultValue == nil)
    #expect(reading.warnings.count == 1)
  }

  @Test func theFolderOfAnOldModelIsReadAndABrokenOneNamed() throws {
    var writer = ArchiveWriter()
    let note = writer.add("XDPMEntity", ["_name": .string("Note")])
    let content = data(&writer, [("Note", note)])
    let folder = try TemporaryFolder()
    try folder.write("", to: "Old.xcdatamodel/layout")
    let url = folder.url.appendingPathComponent("Old.xcdatamodel")
    #expect(throws: ModelError.self) { try ModelBundle.read(at: url) }
    try content.write(to: url.appendingPathComponent("elements"))
    #expect(try ModelBundle.read(at: url).currentVersion().model.entities.map(\.name) == ["Note"])
    for length in stride(from: 0, to: content.count, by: 7) {
      #expect(throws: ModelError.self) { try ModelElementsReader.read(content.prefix(length)) }
    }
  }
}
