import DecantModel
import Testing

@testable import DecantMapping

@Suite struct RenamingTests {
  private func infer(
    _ before: [Attribute], _ after: [Attribute], renames: Renames = .none, history: [ManagedObjectModel] = []
  ) throws -> InferredMapping {
    try InferredMapping.make(
      from: model(entity("Note", before)), to: model(entity("Note", after)), renames: renames,
      history: RenameHistory(of: history))
  }

  private func stated(_ old: String, _ new: String) -> Renames {
    Renames(properties: [Renames.Property(entity: "Note", name: old): new])
  }

  @Test func theCanonicalNameIsFollowedOverTwoRenames() throws {
    #expect(lines(try infer([optional("a")], [optional("c", was: "a")])) == ["Note.c ← a"])
    #expect(lines(try infer([optional("b", was: "a")], [optional("c", was: "a")])) == ["Note.c ← b"])
  }

  @Test func anIdentifierMayBeTheSourcesPresentName() throws {
    #expect(lines(try infer([optional("b", was: "a")], [optional("c", was: "b")])) == ["Note.c ← b"])
  }

  @Test func anIdentifierThatStaysBehindLeadsToTheSameName() throws {
    let mapping = try infer([optional("title", was: "content")], [optional("title", was: "content")])
    #expect(lines(mapping) == ["Note.title ← title"])
  }

  @Test func anIdentifierThatNothingBearsFallsBackToTheName() throws {
    let mapping = try infer([optional("title")], [optional("title", was: "content")])
    #expect(lines(mapping) == ["Note.title ← title"])
  }

  @Test func aDroppedIdentifierLeadsToTheSameName() throws {
    #expect(
      lines(try infer([optional("title", was: "content")], [optional("title")])) == ["Note.title ← title"])
  }

  @Test func theWayBackFollowsTheSourcesIdentifier() throws {
    #expect(
      lines(try infer([optional("momento", was: "fecha")], [optional("fecha")])) == ["Note.fecha ← momento"])
  }

  @Test func twoAttributesMaySwapNames() throws {
    let mapping = try infer(
      [optional("a"), optional("b")], [optional("a", was: "b"), optional("b", was: "a")])
    #expect(lines(mapping) == ["Note.a ← b", "Note.b ← a"])
  }

  @Test func aSurvivingNameAndAnIdentifierBothGetTheValue() throws {
    let mapping = try infer([optional("content")], [optional("content"), optional("title", was: "content")])
    #expect(lines(mapping) == ["Note.content ← content", "Note.title ← content"])
  }

  @Test func hopsOverSkippedVersionsAreKnownFromTheFamily() throws {
    let second = try model(entity("Note", [optional("b", was: "a")]))
    let third = try model(entity("Note", [optional("c", was: "b")]))
    let mapping = try infer([optional("a")], [optional("d", was: "c")], history: [second, third])
    #expect(lines(mapping) == ["Note.d ← a"])
    #expect(lines(try infer([optional("a")], [optional("d", was: "c")])) == ["Note.d ← default"])
  }

  @Test func hopsInACircleEnd() throws {
    let circle = try model(entity("Note", [optional("b", was: "a"), optional("a", was: "b")]))
    #expect(lines(try infer([optional("x")], [optional("a")], history: [circle])) == ["Note.a ← default"])
  }

  @Test func twoEquallyOldNamesDecideNothing() throws {
    let one = try model(entity("Note", [optional("c", was: "a")]))
    let other = try model(entity("Note", [optional("c", was: "b")]))
    let mapping = try infer([optional("a"), optional("b")], [optional("c")], history: [one, other])
    #expect(lines(mapping) == ["Note.c ← default"])
  }

  @Test func renamedEntitiesAreFollowedWithTheirProperties() throws {
    let before = try model(entity("Nota", [optional("fecha")]))
    let after = try model(entity("Apunte", was: "Nota", [optional("momento", was: "fecha")]))
    let mapping = try InferredMapping.make(from: before, to: after)
    #expect(mappings(mapping) == ["NotaToApunte transform Nota → Apunte"])
    #expect(lines(mapping) == ["Apunte.momento ← fecha"])
  }

  @Test func anEntityRenamedTwiceIsFollowedWithItsHistory() throws {
    let second = try model(entity("B", was: "A", [optional("y", was: "x")]))
    let third = try model(entity("C", was: "B", [optional("z", was: "y")]))
    let mapping = try InferredMapping.make(
      from: model(entity("A", [optional("x")])), to: third, history: RenameHistory(of: [second, third]))
    #expect(mappings(mapping) == ["AToC transform A → C"])
    #expect(lines(mapping) == ["C.z ← x"])
  }

  @Test func anEntityThatTwoContinueIsRefusedAndARenameMendsIt() throws {
    let before = try model(entity("Nota"))
    let after = try model(entity("Nota"), entity("Apunte", was: "Nota"))
    #expect(
      refusal(from: before, to: after)
        == "entity “Nota” is continued by several entities: “Apunte”, “Nota”. Name the right entity in “renames” of "
        + "family.json5, such as entities: { “Nota”: … }, or write a mapping model.")
    let renamed = try InferredMapping.make(
      from: before, to: after, renames: Renames(entities: ["Nota": "Apunte"]))
    #expect(mappings(renamed) == ["NotaToApunte transform Nota → Apunte", "Nota add – → Nota"])
    let kept = try InferredMapping.make(from: before, to: after, renames: Renames(entities: ["Nota": "Nota"]))
    #expect(mappings(kept) == ["Apunte add – → Apunte", "NotaToNota copy Nota → Nota"])
  }

  @Test func twoStatedRenamesToOneEntityAreRefused() throws {
    #expect(
      refusal(
        from: try model(entity("A"), entity("B")), to: try model(entity("C")),
        renames: Renames(entities: ["A": "C", "B": "C"]))
        == "entity “C” would continue several entities: “A”, “B”. Correct “renames” in family.json5, or write a "
        + "mapping model.")
  }

  @Test func aStatedRenameWinsOverIdentifierAndName() throws {
    let mapping = try infer(
      [optional("a"), optional("b")], [optional("a"), optional("c", was: "b")], renames: stated("a", "c"))
    #expect(lines(mapping) == ["Note.a ← default", "Note.c ← a"])
    #expect(drops(mapping) == ["Note.b [Note]"])
  }

  @Test func aStatedRenameIsPassedOverWhereBothNamesLiveOnBothSides() throws {
    let both = [optional("a"), optional("b")]
    #expect(lines(try infer(both, both, renames: stated("a", "b"))) == ["Note.a ← a", "Note.b ← b"])
  }

  @Test func aStatedRenameCountsAsAHop() throws {
    let mapping = try infer([optional("a")], [optional("c", was: "b")], renames: stated("a", "b"))
    #expect(lines(mapping) == ["Note.c ← a"])
  }

  @Test(arguments: ["Note", "Item", "Apunte"])
  func aPropertysEntityMayBeGivenByAnyOfItsNames(entityName: String) throws {
    let before = try model(entity("Item", [optional("a")]), entity("Note", under: "Item"))
    let after = try model(entity("Item", [optional("b")]), entity("Apunte", under: "Item", was: "Note"))
    let mapping = try InferredMapping.make(
      from: before, to: after,
      renames: Renames(properties: [Renames.Property(entity: entityName, name: "a"): "b"]))
    #expect(lines(mapping).contains("Apunte.b ← a"))
  }

  @Test func renamedRelationshipsAreFollowed() throws {
    let before = try model(entity("Note", [], [toOne("tag", "Tag")]), entity("Tag"))
    let after = try model(entity("Note", [], [toOne("label", "Tag", was: "tag")]), entity("Tag"))
    #expect(lines(try .make(from: before, to: after)) == ["Note.label ⇐ tag"])
  }

  @Test func aRelationshipThatTwoContinueIsRefused() throws {
    let before = try model(entity("Note", [], [toOne("tag", "Tag")]), entity("Tag"))
    let after = try model(
      entity("Note", [], [toOne("tag", "Tag"), toOne("label", "Tag", was: "tag")]), entity("Tag"))
    #expect(
      refusal(from: before, to: after)
        == "entity “Note”: relationship “tag” is continued by several relationships: “label”, “tag”. Name the right "
        + "relationship in “renames” of family.json5, or write a mapping model.")
  }
}
