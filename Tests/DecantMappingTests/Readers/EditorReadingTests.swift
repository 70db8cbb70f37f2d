import DecantModel
import DecantTestSupport
import Foundation
import KeyedArchive
import PredicateFormat
import Testing

@testable import DecantMapping

/// Reads the model editor's `xcmapping.xml` (docs/formats/mapping-models.md 1).
@Suite struct EditorReadingTests {
  private func draft(_ reading: MappingModelReading) throws -> MappingModelDraft {
    guard case .draft(let draft) = reading.content else { throw CancellationError() }
    return draft
  }

  @Test func rowsExpressionsFiltersAndUserInfoAreRead() throws {
    var text = EditorText()
    let rows = [
      try text.attribute("plain"), try text.attribute("made", FormatExpression(parsing: "$source.a * 60")),
    ]
    let links = [
      text.relationship("r"), text.relationship("s", [("sourcemappingname", "BToB")]),
      text.relationship(
        "t", [("sourcekeypath", "$source.x.@distinctUnionOfSets.y"), ("sourcemappingname", "BToB")]),
    ]
    var writer = ArchiveWriter()
    let info = writer.dictionary([("modelVersion", .string("3"))], as: "NSMutableDictionary")
    let mapping = text.mapping(
      [
        ("sourcename", "A"), ("destinationname", "A &amp; B"), ("mappingtypename", "Undefined"),
        ("migrationpolicyclassname", "Module.Policy"), ("sourcefilterpredicatestring", "id \\u3c00 10000"),
      ], data: [("userinfodata", writer.data(root: info))], rows: rows, relationships: links)
    let reading = try text.read([mapping])
    let draft = try draft(reading)
    #expect(draft.sourceVersion == "M" && draft.destinationVersion == "M 2")
    let entity = try #require(draft.entityMappings.first)
    #expect(entity.compiledName == "AToA & B")
    #expect(entity.policy == .className("Module.Policy"))
    #expect(entity.filter == .compare(.key("id"), .less, .constant(.integer(10000))))
    #expect(entity.userInfo == ["modelVersion": "3"])
    #expect(
      entity.attributes == [
        "plain": .rule, "made": .expression(try FormatExpression(parsing: "$source.a * 60")),
      ])
    #expect(
      entity.relationships == [
        "r": .rule(path: nil, mapping: .rule), "s": .rule(path: nil, mapping: .named("BToB")),
        "t": .rule(
          path: try FormatExpression(parsing: "$source.x.@distinctUnionOfSets.y"), mapping: .named("BToB")),
      ])
    #expect(
      reading.warnings == ["it holds no copy of the source model", "it holds no copy of the destination model"])
  }

  @Test func mappingsAreSortedByNumberWithGapsAndKeepTheirOrderWhereAllAreEqual() throws {
    var text = EditorText()
    var ids: [String] = []
    for (name, number) in [("C", "12"), ("A", "2"), ("B", "7"), ("D", "")] {
      ids.append(text.mapping([("sourcename", name)] + (number.isEmpty ? [] : [("mappingnumber", number)])))
    }
    #expect(try draft(text.read(ids)).entityMappings.map(\.sourceEntityName) == ["A", "B", "C", "D"])
    var equal = EditorText()
    ids = ["C", "A", "B"].map { equal.mapping([("sourcename", $0), ("mappingnumber", "0")]) }
    #expect(try draft(equal.read(ids)).entityMappings.map(\.sourceEntityName) == ["C", "A", "B"])
  }

  @Test func whatIsLeftOverIsTold() throws {
    var text = EditorText()
    _ = try text.attribute("orphan")
    _ = text.mapping([])
    let rows = [try text.attribute(nil), try text.attribute("x"), try text.attribute("x"), "z404"]
    let mapping = text.mapping([("destinationname", "A")], rows: rows, relationships: [rows[1]])
    let unfinished = text.mapping([("mappingtypename", "Custom")])
    let odd = text.mapping([("sourcename", "B"), ("mappingtypename", "Move")])
    let reading = try text.read([mapping, unfinished, odd, mapping])
    #expect(
      reading.warnings.filter { !$0.contains("copy of") } == [
        "2 unused objects of earlier editing are ignored",
        "1 entity mapping with neither source nor destination is ignored",
        "1 row without a property's name is ignored",
        "1 reference to missing objects is ignored",
        "2 further references to objects that were already read are ignored",
        "entity mapping “A”: “x” has several rows; the first one counts",
        "entity mapping “B”: the type “Move” isn't known and is ignored",
      ])
    let draft = try draft(reading)
    #expect(draft.entityMappings.map(\.compiledName) == ["A", "B"])
    #expect(draft.entityMappings[0].attributes == ["x": .rule] && draft.entityMappings[0].relationships.isEmpty)
  }

  @Test func embeddedModelsServeForTheRulesAndTheHashes() throws {
    var text = EditorText()
    let mapping = text.mapping(
      [("sourcename", "A"), ("destinationname", "A")],
      rows: [try text.attribute("x"), try text.attribute("new")])
    let reading = try text.read(
      [mapping],
      data: [
        ("sourcemodeldata", EditorText.model(["A": ["x"]])),
        ("destinationmodeldata", EditorText.model(["A": ["x", "new"]])),
      ])
    #expect(reading.warnings == [])
    let source = try model(entity("A", [optional("x")]))
    let made = try reading.compiled()
    #expect(made.entityMappings[0].type == .copy)
    #expect(made.entityMappings[0].sourceHash == source.entityVersionHashes["A"])
    #expect(made.entityMappings[0].attributeMappings.map(\.value) == [.unset, .expression(.source("x"))])
    // The rules use the given models. The hashes come from the embedded copies, so that stale hashes are found.
    let other = try model(entity("A", [optional("x"), optional("new")]))
    let present = try reading.compiled(from: other, to: other)
    #expect(
      present.entityMappings[0].attributeMappings.map(\.value) == [
        .expression(.source("new")), .expression(.source("x")),
      ])
    #expect(present.entityMappings[0].sourceHash == source.entityVersionHashes["A"])
  }

  @Test func aWrittenSourceExpressionOfTheStandardFormGivesTheFilter() throws {
    let standard = SourceFetch(entity: "A", predicate: "x == 1").expression
    let odd = SourceFetch(entity: "B").expression
    var text = EditorText()
    let mappings = try [standard, odd].map { expression in
      text.mapping(
        [("sourcename", "A")], data: [("sourceexpressiondata", try expression.archived().binaryData())])
    }
    let drafts = try draft(text.read(mappings)).entityMappings
    #expect(drafts[0].filter == .compare(.key("x"), .equal, .constant(.integer(1))))
    #expect(drafts[0].sourceExpression == nil)
    #expect(drafts[1].filter == nil && drafts[1].sourceExpression == odd)
  }

  @Test func whatCantBeReadIsNamed() throws {
    func reason(_ attributes: [(String, String)], _ data: [(String, Data)] = []) throws -> String? {
      var text = EditorText()
      let mapping = text.mapping([("sourcename", "A")] + attributes, data: data)
      do {
        _ = try text.read([mapping])
        return nil
      } catch MappingModelError.malformed(_, let reason, _, _) {
        return reason
      }
    }
    let filter = try #require(try reason([("sourcefilterpredicatestring", "x = ")]))
    #expect(filter.hasPrefix("entity mapping “A”, filter: column 4: "))
    let bad = try #require(try reason([], [("sourceexpressiondata", Data("junk".utf8))]))
    #expect(bad.hasPrefix("entity mapping “A”, source expression: not a keyed archive"))
    var writer = ArchiveWriter()
    let block = writer.add("NSBlockExpression", [:])
    let unknown = try #require(try reason([], [("sourceexpressiondata", writer.data(root: block))]))
    #expect(unknown.contains("NSBlockExpression"))
  }

  @Test func damagedCopiesOfModelsAreToldAndTheRestIsRead() throws {
    var text = EditorText()
    let mapping = text.mapping([("sourcename", "A")])
    let reading = try text.read(
      [mapping], data: [("sourcemodeldata", Data("x".utf8)), ("destinationmodeldata", EditorText.model([:]))])
    #expect(
      reading.warnings.count == 1 && reading.warnings[0].hasPrefix("its copy of the source model can't be read")
    )
    #expect(reading.sourceModel == nil && reading.destinationModel != nil)
  }
}
