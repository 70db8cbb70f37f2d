import DecantModel
import PredicateFormat
import Testing

@testable import DecantMapping

/// A part of an entity mapping without effect is an error in a text, and a warning in Xcode's files.
@Suite struct UnusedCheckTests {
  private static let advice =
    "Name a source entity whose objects become “Tag”, have a policy of another entity mapping insert objects, or remove the row"

  @Test(arguments: [
    (
      "{ add: 'Tag', attributes: { word: '\"x\"' } }",
      ["error Tag.word: it is never set: without a source entity no objects are made. \(advice)"]
    ),
    ("{ add: 'Tag', attributes: { word: null } }", []),
    (
      "{ remove: 'Tag', filter: 'word != nil', chunks: { size: 5 } }",
      ["filter", "chunks"].map {
        "error Tag: “\($0)” has no effect: without a destination entity no objects are made. Leave “\($0)” out; the "
          + "filters of the other entity mappings decide which objects are left behind"
      }
    ),
    (
      "{ remove: 'Tag', attributes: { word: '\"x\"' } }",
      [
        "error Tag.word: it is never set: without a destination entity no objects are made. Remove the row, or name a "
          + "destination entity"
      ]
    ),
    (
      "{ source: 'Tag', destination: 'Tag', type: 'copy', attributes: { word: 'uppercase($source.word)' } }",
      [
        "error TagToTag.word: type “copy” says that objects stay as they are, but this value is calculated. Leave “type” out, "
          + "or say type: \"transform\""
      ]
    ),
    (
      "{ source: 'Tag', destination: 'Tag', type: 'copy', uniqueBy: '$source.word' }",
      [
        "error TagToTag: type “copy” says that objects stay as they are, but “uniqueBy” makes one object of several. Leave “type” out, "
          + "or say type: \"transform\""
      ]
    ),
    (
      "{ source: 'Tag', destination: 'Tag' }, { remove: 'Tag' }",
      [
        "warning Tag: no object of “Tag” is left to remove: “TagToTag” takes all of them. Remove one of the two entity "
          + "mappings, or give “TagToTag” a filter"
      ]
    ), ("{ source: 'Tag', destination: 'Tag', filter: 'word != nil' }, { remove: 'Tag' }", []),
    ("{ source: 'Tag', destination: 'Tag', uniqueBy: '$source.word' }, { remove: 'Tag' }", []),
    ("{ source: 'Tag', destination: 'Tag', type: 'copy', attributes: { word: '$source.word' } }", []),
    ("{ source: 'Tag', destination: 'Tag', attributes: { word: 'uppercase($source.word)' } }", []),
  ])
  func whatATextSaysToNoEffectIsAnError(mappings: String, expected: [String]) throws {
    #expect(try findings(mappings) == expected)
  }

  @Test func aRelationshipOfAnAddedEntityIsAnError() throws {
    #expect(
      try findings(
        "\(mappedPeople) { add: 'Note', relationships: { author: \"FUNCTION($manager, "
          + "'destinationInstancesForEntityMappingNamed:sourceInstances:', 'PersonToPerson', 1)\" } }"
      ).contains {
        $0.hasPrefix("error Note.author: it is never set: without a source entity no objects are made.")
      }
    )
  }

  @Test func theLineIsThatOfTheKeyOrTheProperty() throws {
    let (source, destination) = try checkedModels()
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("Step.mapping.json5")
      try """
      { source: "One", destination: "Two", entityMappings: [
        { remove: "Tag",
          filter: "word != nil" },
        { add: "Strict",
          attributes: {
            must: "'x'" } },
      ] }
      """.write(to: url, atomically: true, encoding: .utf8)
      let reading = try MappingModelReading.read(at: url)
      let findings = MappingCheck.findings(
        in: try reading.compiled(from: source, to: destination), from: source, to: destination,
        reading: reading)
      #expect(findings.map { reading.place(of: $0)?.line } == [3, 6])
    }
  }

  /// Parts without effect in Xcode's files are warnings, and the text leaves them out.
  @Test func theSameOfAFileOfXcodesIsAWarningAndItsTextHasNoErrors() throws {
    let (source, destination) = try checkedModels()
    let word = AttributeMapping(destinationName: "word", value: .expression(.constant(.string("x"))))
    let model = MappingModel(
      name: "Step", origin: .file(path: "/Step.cdm"), sourceVersion: "One", destinationVersion: "Two",
      entityMappings: [
        EntityMapping(
          name: "Tag", type: .add, sourceEntityName: nil, destinationEntityName: "Tag",
          attributeMappings: [word]),
        EntityMapping(
          name: "Gone", type: .remove, sourceEntityName: "Tag", destinationEntityName: nil,
          filter: try FormatPredicate(parsing: "word == nil")),
        EntityMapping(
          name: "TagToTag", type: .copy, sourceEntityName: "Tag", destinationEntityName: "Tag",
          filter: try FormatPredicate(parsing: "word != nil"), attributeMappings: [word]),
      ])
    let told = MappingCheck.findings(in: model, from: source, to: destination)
    #expect(
      told.map { "\($0.severity) \($0.entityMapping ?? "") \($0.subject)" } == [
        "warning Tag unused", "warning Gone unused",
      ])
    for models in [(source, destination), nil] {
      let text = MappingModelText.text(of: model, from: models?.0, to: models?.1)
      let reading = try readText(text)
      let again = try reading.compiled(from: source, to: destination)
      #expect(
        MappingCheck.findings(in: again, from: source, to: destination, reading: reading) == [], "\(text)")
      #expect(again.entityMappings[2].attributeMappings == [word])
    }
  }
}
