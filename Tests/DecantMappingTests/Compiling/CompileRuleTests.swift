import DecantModel
import PredicateFormat
import Testing

@testable import DecantMapping

/// The rules of docs/formats/mapping-models.md 3, applied to drafts that the tests make.
@Suite struct CompileRuleTests {
  /// The draft of an entity mapping as the model editor writes it, with a row for every property.
  static func draft(
    _ source: String?, _ destination: String?, name: String? = nil, _ attributes: [String] = [],
    relationships: [String: EntityMappingDraft.RelationshipValue] = [:]
  ) -> EntityMappingDraft {
    var draft = EntityMappingDraft()
    draft.name = name
    draft.sourceEntityName = source
    draft.destinationEntityName = destination
    for attribute in attributes { draft.attributes[attribute] = .rule }
    draft.relationships = relationships
    return draft
  }

  static func compiled(
    _ drafts: EntityMappingDraft..., from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws -> MappingModel {
    var model = MappingModelDraft(name: "M", path: "/M")
    model.entityMappings = drafts
    return try model.compiled(from: source, to: destination)
  }

  private static let rule = EntityMappingDraft.RelationshipValue.rule(path: nil, mapping: .rule)

  @Test func namesFollowFromTheEntitiesWhereNoneIsGiven() throws {
    let one = try model(entity("A"), entity("B"))
    let made = try Self.compiled(
      Self.draft("A", "B"), Self.draft(nil, "B"), Self.draft("A", nil), Self.draft("A", "A", name: "Own"),
      from: one, to: one)
    #expect(made.entityMappings.map(\.name) == ["AToB", "B", "A", "Own"])
    #expect(made.entityMappings.map(\.type) == [.transform, .add, .remove, .copy])
  }

  @Test func aPolicyMakesAMappingCustomAndAWrittenTypeWins() throws {
    let one = try model(entity("A"))
    var custom = Self.draft("A", "A")
    custom.policy = .className("P")
    var written = custom
    written.type = .transform
    let made = try Self.compiled(custom, written, from: one, to: one)
    #expect(made.entityMappings.map(\.type) == [.custom, .transform])
  }

  @Test func aCopyKeepsEveryPropertyAndMayAddSome() throws {
    let source = try model(entity("A", [optional("x"), optional("y", .integer16)], [toOne("r", "A")]))
    let more = try model(
      entity(
        "A", [optional("x"), optional("y", .integer16), optional("z")], [toOne("r", "A"), toOne("s", "A")]))
    let other = try model(entity("A", [optional("x"), optional("y", .integer32)], [toOne("r", "A")]))
    let fewer = try model(entity("A", [optional("x")], [toOne("r", "A")]))
    let parent = try model(
      entity("P"), entity("A", under: "P", [optional("x"), optional("y", .integer16)], [toOne("r", "A")]))
    let renamed = try model(entity("B", [optional("x"), optional("y", .integer16)], [toOne("r", "B")]))
    func type(_ destination: ManagedObjectModel, _ name: String = "A") throws -> EntityMappingType? {
      try Self.compiled(Self.draft("A", name), from: source, to: destination).entityMappings.first?.type
    }
    #expect(try type(source) == .copy)
    #expect(try type(more) == .copy)
    #expect(try type(other) == .transform)
    #expect(try type(fewer) == .transform)
    #expect(try type(parent) == .transform)
    #expect(try type(renamed, "B") == .transform)
  }

  @Test func attributesFollowTheRenamingIdentifierThenTheNameAndAreSortedWithoutCase() throws {
    let source = try model(
      entity("P", [optional("old")]), entity("A", under: "P", [optional("same"), optional("new")]))
    let destination = try model(
      entity(
        "A", [optional("same"), optional("new", was: "old"), optional("Fresh"), optional("gone", was: "none")]))
    let made = try Self.compiled(
      Self.draft("A", "A", ["same", "new", "Fresh", "gone"]), from: source, to: destination)
    #expect(
      made.entityMappings[0].attributeMappings == [
        AttributeMapping(destinationName: "Fresh", value: .unset),
        AttributeMapping(destinationName: "gone", value: .unset),
        AttributeMapping(destinationName: "new", value: .expression(.source("old"))),
        AttributeMapping(destinationName: "same", value: .expression(.source("same"))),
      ])
  }

  @Test func aDerivedAttributeIsComputedAndANewEntitysStayEmpty() throws {
    let derived = Attribute(name: "d", type: .integer64, isOptional: true, derivationExpression: "now()")
    let one = try model(entity("A", [optional("x"), derived]))
    let made = try Self.compiled(
      Self.draft("A", "A", ["d"]), Self.draft(nil, "A", ["x"]), from: one, to: one)
    #expect(made.entityMappings[0].attributeMappings.map(\.value) == [.derived])
    #expect(made.entityMappings[1].attributeMappings.map(\.value) == [.unset])
  }

  @Test func aRelationshipAsksTheOnlyMappingOfItsDestination() throws {
    let one = try model(entity("A", [], [toMany("bs", "B")]), entity("B"))
    let made = try Self.compiled(
      Self.draft("A", "A", relationships: ["bs": Self.rule]), Self.draft("B", "B"), from: one, to: one)
    #expect(
      made.entityMappings[0].relationshipMappings.map { "\($0.value)" } == [
        "expression(FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"BToB\", "
          + "$source.bs))"
      ])
  }

  @Test func aRelationshipToAnEntityOfSeveralMappingsAsksForAnyDestination() throws {
    let one = try model(entity("A", [], [toMany("bs", "B")]), entity("B"), entity("C", under: "B"))
    let many = try Self.compiled(
      Self.draft("A", "A", relationships: ["bs": Self.rule]), Self.draft("B", "B"), Self.draft("C", "C"),
      from: one, to: one)
    let any = DestinationLookup(.sourceRelationship("bs"), of: .source("bs")).expression
    #expect(many.entityMappings[0].relationshipMappings.map(\.value) == [.expression(any)])
    // If only a subentity has an entity mapping, the relationship asks for that one; without any, for any destination.
    let below = try Self.compiled(
      Self.draft("A", "A", relationships: ["bs": Self.rule]), Self.draft("C", "C"), from: one, to: one)
    let only = DestinationLookup(.entityMapping("CToC"), of: .source("bs")).expression
    #expect(below.entityMappings[0].relationshipMappings.map(\.value) == [.expression(only)])
    let none = try Self.compiled(
      Self.draft("A", "A", relationships: ["bs": Self.rule]), from: one, to: one)
    #expect(none.entityMappings[0].relationshipMappings.map(\.value) == [.expression(any)])
  }

  @Test func aWrittenPathOrMappingNameTakesTheRulesPlace() throws {
    let source = try model(entity("A", [], [toMany("bs", "B")]), entity("B"))
    let destination = try model(entity("A", [], [toMany("bs", "B"), toMany("cs", "B")]), entity("B"))
    let path = FormatExpression.source("bs")
    let made = try Self.compiled(
      Self.draft(
        "A", "A",
        relationships: [
          "bs": .rule(path: nil, mapping: .named("Other")), "cs": .rule(path: path, mapping: .rule),
        ]),
      Self.draft("B", "B"), from: source, to: destination)
    #expect(
      made.entityMappings[0].relationshipMappings.map(\.value) == [
        .expression(DestinationLookup(.entityMapping("Other"), of: path).expression),
        .expression(DestinationLookup(.entityMapping("BToB"), of: path).expression),
      ])
    let bare = try Self.compiled(
      Self.draft("A", "A", relationships: ["cs": Self.rule]), from: source, to: destination)
    #expect(bare.entityMappings[0].relationshipMappings.map(\.value) == [.unset])
  }

  @Test func hashesAreThoseOfTheModels() throws {
    let (source, destination) = (try model(entity("A", [optional("x")])), try model(entity("A")))
    let made = try Self.compiled(
      Self.draft("A", "A"), Self.draft("Gone", "Gone"), from: source, to: destination)
    #expect(made.entityMappings[0].sourceHash == source.entityVersionHashes["A"])
    #expect(made.entityMappings[0].destinationHash == destination.entityVersionHashes["A"])
    #expect(made.entityMappings[1].sourceHash == nil && made.entityMappings[1].destinationHash == nil)
  }

  @Test func withoutModelsNothingIsCompiled() {
    #expect(throws: MappingModelError.noModels(path: "/M")) {
      try MappingModelDraft(name: "M", path: "/M").compiled()
    }
  }
}
