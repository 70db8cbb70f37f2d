import DecantModel
import Testing

@testable import DecantMapping

@Suite struct RelationshipInferenceTests {
  /// The mapping inferred for `Note` with the relationships `before` and then `after`, beside `Tag` and `Label`.
  private func infer(_ before: [Relationship], _ after: [Relationship]) throws -> InferredMapping {
    try InferredMapping.make(
      from: model(entity("Note", [], before), entity("Tag"), entity("Label")),
      to: model(entity("Note", [], after), entity("Tag"), entity("Label")))
  }

  @Test func toOneBecomesToMany() throws {
    #expect(lines(try infer([toOne("tag", "Tag")], [toMany("tag", "Tag")])) == ["Note.tag ⇐ tag"])
  }

  @Test func toManyBecomesToOneIsRefused() throws {
    #expect(
      refusal(
        from: try model(entity("Note", [], [toMany("tags", "Tag")]), entity("Tag")),
        to: try model(entity("Note", [], [toOne("tag", "Tag", was: "tags")]), entity("Tag")))
        == "entity “Note”: relationship “tag” (before: “tags”) changes from to-many to to-one. Write a mapping model "
        + "for these versions.")
  }

  @Test func orderCountsInverseAndDeleteRuleMayChange() throws {
    #expect(
      lines(try infer([toMany("tags", "Tag")], [toMany("tags", "Tag", isOrdered: true)])) == [
        "Note.tags ⇐ tags"
      ])
    var counted = toMany("tags", "Tag")
    counted.minimumCount = 1
    counted.maximumCount = 7
    counted.isOptional = false
    counted.deleteRule = .cascade
    #expect(lines(try infer([toMany("tags", "Tag")], [counted])) == ["Note.tags ⇐ tags"])
  }

  @Test func aNewRelationshipStartsEmptyRequiredOrNot() throws {
    var tag = toOne("tag", "Tag")
    tag.isOptional = false
    #expect(lines(try infer([], [tag])) == ["Note.tag ⇐ none"])
  }

  @Test func anotherDestinationLosesTheValues() throws {
    let mapping = try infer([toOne("tag", "Tag")], [toOne("tag", "Label")])
    #expect(lines(mapping) == ["Note.tag ⇐ none"])
    #expect(drops(mapping) == ["Note.tag [Note] destinationChanged(from: \"Tag\", to: \"Label\")"])
  }

  @Test func aToManyThatBecomesToOneOfAnotherDestinationIsALossAndNoRefusal() throws {
    #expect(lines(try infer([toMany("tag", "Tag")], [toOne("tag", "Label")])) == ["Note.tag ⇐ none"])
  }

  @Test func aRenamedDestinationKeepsTheValues() throws {
    let mapping = try InferredMapping.make(
      from: model(entity("Note", [], [toOne("tag", "Tag")]), entity("Tag")),
      to: model(entity("Note", [], [toOne("tag", "Label")]), entity("Label", was: "Tag")))
    #expect(lines(mapping) == ["Note.tag ⇐ tag"])
    #expect(mapping.drops.isEmpty)
  }

  @Test func aDestinationThatMovesToItsParentKeepsTheValues() throws {
    let tags = [entity("Mark"), entity("Tag", under: "Mark")]
    let mapping = try InferredMapping.make(
      from: ManagedObjectModel(entities: tags + [entity("Note", [], [toOne("tag", "Tag")])]),
      to: ManagedObjectModel(entities: tags + [entity("Note", [], [toOne("tag", "Mark")])]))
    #expect(lines(mapping) == ["Note.tag ⇐ tag"])
    #expect(mapping.lostTargets.isEmpty)
  }

  @Test func aDestinationThatMovesToASubentityLosesTheValues() throws {
    let tags = [entity("Mark"), entity("Tag", under: "Mark")]
    let mapping = try InferredMapping.make(
      from: ManagedObjectModel(entities: tags + [entity("Note", [], [toOne("tag", "Mark")])]),
      to: ManagedObjectModel(entities: tags + [entity("Note", [], [toOne("tag", "Tag")])]))
    #expect(lines(mapping) == ["Note.tag ⇐ none"])
  }

  @Test func anAbstractDestinationRenamedWithoutIdentifierKeepsTheValuesWhereEveryTargetFits() throws {
    let mapping = try InferredMapping.make(
      from: model(
        entity("Note", [], [toOne("tag", "Mark")]), entity("Mark", isAbstract: true),
        entity("Tag", under: "Mark")),
      to: model(
        entity("Note", [], [toOne("tag", "Sign")]), entity("Sign", isAbstract: true),
        entity("Tag", under: "Sign")))
    #expect(lines(mapping) == ["Note.tag ⇐ tag"])
    #expect(drops(mapping) == ["Mark []"])
  }

  @Test func targetsThatLeaveTheDestinationAreNamed() throws {
    let before = try model(
      entity("Note", [], [toOne("tag", "Mark")]), entity("Mark"), entity("Tag", under: "Mark"),
      entity("Star", under: "Mark"))
    let after = try model(entity("Note", [], [toOne("tag", "Mark")]), entity("Mark"), entity("Tag"))
    let mapping = try InferredMapping.make(from: before, to: after)
    #expect(lines(mapping) == ["Note.tag ⇐ tag"])
    #expect(
      mapping.lostTargets == [
        InferredMapping.LostTargets(
          entityMapping: "NoteToNote", sourceEntity: "Note", sourceRelationship: "tag",
          destinationRelationship: "tag",
          targets: ["Star", "Tag"])
      ])
  }

  @Test func transientRelationshipsHaveNoRow() throws {
    var transient = toOne("tag", "Tag")
    transient.isTransient = true
    #expect(lines(try infer([transient], [transient])) == [])
    #expect(lines(try infer([transient], [toOne("tag", "Tag")])) == ["Note.tag ⇐ none"])
    #expect(drops(try infer([toOne("tag", "Tag")], [transient])) == ["Note.tag [Note] becameTransient"])
  }

  @Test func oneEndThatGoesAwayIsNoLossWhereTheOtherEndStays() throws {
    let before = try model(
      entity("Note", [], [toOne("tag", "Tag", inverse: "notes")]),
      entity("Tag", [], [toMany("notes", "Note", inverse: "tag")]))
    let after = try model(entity("Note", [], [toOne("tag", "Tag")]), entity("Tag"))
    #expect(try InferredMapping.make(from: before, to: after).drops.isEmpty)
    let neither = try InferredMapping.make(from: before, to: model(entity("Note"), entity("Tag")))
    #expect(drops(neither) == ["Note.tag [Note]", "Tag.notes [Tag]"])
  }

  // MARK: Both ends

  private static func link(_ left: [Relationship], _ right: [Relationship]) throws -> ManagedObjectModel {
    try model(entity("A", [], left), entity("B", [], right))
  }

  @Test func endsOfDifferentRelationshipsAreNotMergedIntoOne() throws {
    let before = try Self.link(
      [toMany("x", "B", inverse: "y"), toMany("u", "B", inverse: "v")],
      [toOne("y", "A", inverse: "x"), toOne("v", "A", inverse: "u")])
    let merged = try Self.link([toMany("x", "B", inverse: "v")], [toOne("v", "A", inverse: "x")])
    #expect(
      refusal(from: before, to: merged)
        == "entity “A”: relationship “x” continues “A.x”, but its inverse “B.v” continues “B.v”, which is another "
        + "relationship, so the pairs of one of the two would be lost. Give both ends the renaming identifiers of the "
        + "two ends of one old relationship, or rename or remove one end in a new version, or write a mapping model for "
        + "these versions.")
    let swapped = try Self.link(
      [toMany("x", "B", inverse: "v"), toMany("u", "B", inverse: "y")],
      [toOne("y", "A", inverse: "u"), toOne("v", "A", inverse: "x")])
    #expect(refusal(from: before, to: swapped)?.contains("another relationship") == true)
    let renamed = try Self.link(
      [toMany("x", "B", inverse: "w")], [toOne("w", "A", inverse: "x", was: "y")])
    let mapping = try InferredMapping.make(from: before, to: renamed)
    #expect(lines(mapping) == ["A.x ⇐ x", "B.w ⇐ y"])
    #expect(drops(mapping) == ["A.u [A]", "B.v [B]"])
  }

  @Test func twoRelationshipsWithoutInverseBecomeOneWithThePairsOfBoth() throws {
    let before = try Self.link([toOne("b", "B")], [toOne("a", "A")])
    let after = try Self.link([toOne("b", "B", inverse: "a")], [toOne("a", "A", inverse: "b")])
    #expect(lines(try InferredMapping.make(from: before, to: after)) == ["A.b ⇐ b", "B.a ⇐ a"])
    let oneEnd = try Self.link([toOne("b", "B")], [])
    #expect(lines(try InferredMapping.make(from: oneEnd, to: after)) == ["A.b ⇐ b", "B.a ⇐ none"])
  }

  @Test func aRelationshipWithInverseIsNotMergedWithOneThatHadNone() throws {
    let before = try Self.link(
      [toOne("b", "B"), toOne("c", "B", inverse: "a")], [toOne("a", "A", inverse: "c")])
    let after = try Self.link([toOne("b", "B", inverse: "a")], [toOne("a", "A", inverse: "b")])
    #expect(refusal(from: before, to: after)?.contains("another relationship") == true)
  }

  @Test func relationshipsOfSiblingsAreNotMergedThoughTheyHadNoInverse() throws {
    let before = try model(
      entity("P"), entity("A", under: "P", [], [toOne("x", "Q")]),
      entity("B", under: "P", [], [toOne("x", "Q")]), entity("Q", [], [toMany("y", "P")]))
    let after = try model(
      entity("P", [], [toOne("x", "Q", inverse: "y")]), entity("A", under: "P"), entity("B", under: "P"),
      entity("Q", [], [toMany("y", "P", inverse: "x")]))
    #expect(refusal(from: before, to: after)?.contains("another relationship") == true)
  }

  @Test func endsThatMoveAlongAHierarchyStayOneRelationship() throws {
    let before = try model(
      entity("P"), entity("A", under: "P", [], [toMany("x", "B", inverse: "y")]),
      entity("B", [], [toOne("y", "A", inverse: "x")]))
    let after = try model(
      entity("P", [], [toMany("x", "B", inverse: "y")]), entity("A", under: "P"),
      entity("B", [], [toOne("y", "P", inverse: "x")]))
    #expect(lines(try InferredMapping.make(from: before, to: after)).contains("B.y ⇐ y"))
    let selfish = try model(entity("A", [], [toMany("friends", "A", inverse: "friends")]))
    #expect(lines(try InferredMapping.make(from: selfish, to: selfish)) == ["A.friends ⇐ friends"])
  }
}
