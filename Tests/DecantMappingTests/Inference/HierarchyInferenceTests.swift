import DecantModel
import Testing

@testable import DecantMapping

@Suite struct HierarchyInferenceTests {
  @Test func entitiesComeAndGo() throws {
    let mapping = try InferredMapping.make(
      from: model(entity("A"), entity("B")), to: model(entity("A"), entity("C")))
    #expect(mappings(mapping) == ["AToA copy A → A", "C add – → C", "B remove B → –"])
    #expect(drops(mapping) == ["B [B]"])
  }

  @Test func aNewParentOverOneEntityIsFine() throws {
    let mapping = try InferredMapping.make(
      from: model(entity("Note", [optional("a")])),
      to: model(entity("Item", [optional("a")]), entity("Note", under: "Item")))
    #expect(mappings(mapping) == ["Item add – → Item", "NoteToNote transform Note → Note"])
    #expect(lines(mapping) == ["Item.a ← default", "Note.a ← a"])
    #expect(mapping.drops.isEmpty)
  }

  @Test func aNewParentOverOneWholeHierarchyIsFine() throws {
    let mapping = try InferredMapping.make(
      from: model(entity("Note"), entity("Memo", under: "Note")),
      to: model(entity("Item", isAbstract: true), entity("Note", under: "Item"), entity("Memo", under: "Note")))
    #expect(mapping.drops.isEmpty)
  }

  @Test func twoHierarchiesUnderOneParentAreRefused() throws {
    let before = try model(entity("Note"), entity("Photo"), entity("Film", under: "Photo"))
    let after = try model(
      entity("Item", isAbstract: true), entity("Note", under: "Item"), entity("Photo", under: "Item"),
      entity("Film", under: "Photo"))
    #expect(
      refusal(from: before, to: after)
        == "the entities “Note”, “Photo” have separate tables and would come under one root, “Item”; several root "
        + "entities can't be merged into one table. Write a mapping model for these versions.")
  }

  @Test func anEntityUnderAnExistingRootIsRefused() throws {
    #expect(
      refusal(from: try model(entity("A"), entity("B")), to: try model(entity("A"), entity("B", under: "A")))
        == "the entities “A”, “B” have separate tables and would come under one root, “A”; several root entities "
        + "can't be merged into one table. Write a mapping model for these versions.")
  }

  @Test func anEntityLeavesItsHierarchyAndAnotherStays() throws {
    let mapping = try InferredMapping.make(
      from: model(entity("Item", [optional("a")]), entity("Note", under: "Item", [optional("b")])),
      to: model(entity("Item", [optional("a")]), entity("Note", [optional("a"), optional("b")])))
    #expect(lines(mapping) == ["Item.a ← a", "Note.a ← a", "Note.b ← b"])
    #expect(mapping.drops.isEmpty)
  }

  @Test func anEntityMovesFromOneHierarchyToANewParentOfItsOwn() throws {
    let mapping = try InferredMapping.make(
      from: model(entity("Item"), entity("Note", under: "Item")),
      to: model(entity("Item"), entity("Text", isAbstract: true), entity("Note", under: "Text")))
    #expect(mappings(mapping).contains("NoteToNote transform Note → Note"))
  }

  @Test func aPropertyMovesUpWithoutLoss() throws {
    let mapping = try InferredMapping.make(
      from: model(entity("Item"), entity("Note", under: "Item", [optional("a")])),
      to: model(entity("Item", [optional("a")]), entity("Note", under: "Item")))
    #expect(lines(mapping) == ["Item.a ← default", "Note.a ← a"])
    #expect(mapping.drops.isEmpty)
  }

  @Test func aPropertyMovesDownAndIsLostWhereItIsNoLonger() throws {
    let before = try model(
      entity("Item", [optional("a")]), entity("Note", under: "Item"), entity("Photo", under: "Item"))
    let after = try model(
      entity("Item"), entity("Note", under: "Item", [optional("a")]), entity("Photo", under: "Item"))
    let mapping = try InferredMapping.make(from: before, to: after)
    #expect(lines(mapping) == ["Note.a ← a"])
    #expect(drops(mapping) == ["Item.a [Item Photo]"])
  }

  @Test func aPropertyMovesDownFromAnAbstractParentToEveryChildWithoutLoss() throws {
    let before = try model(entity("Item", isAbstract: true, [optional("a")]), entity("Note", under: "Item"))
    let after = try model(entity("Item", isAbstract: true), entity("Note", under: "Item", [optional("a")]))
    #expect(try InferredMapping.make(from: before, to: after).drops.isEmpty)
  }

  @Test func aConcreteEntityBecomesAbstractAndItsRowsAreDropped() throws {
    let mapping = try InferredMapping.make(
      from: model(entity("Item", [optional("a")]), entity("Note", under: "Item")),
      to: model(entity("Item", isAbstract: true, [optional("a")]), entity("Note", under: "Item")))
    #expect(drops(mapping) == ["Item [Item] becameAbstract"])
    #expect(lines(mapping) == ["Item.a ← a", "Note.a ← a"])
  }

  @Test func anAbstractEntityBecomesConcrete() throws {
    let mapping = try InferredMapping.make(
      from: model(entity("Item", isAbstract: true)), to: model(entity("Item", [required("a")])))
    #expect(mapping.drops.isEmpty)
  }

  @Test func oddEntityNamesGetMappingsOfDifferentNames() throws {
    let mapping = try InferredMapping.make(
      from: model(entity("A"), entity("AToB")),
      to: model(entity("BToC", was: "A"), entity("C", was: "AToB")))
    #expect(mapping.mappingModel.entityMappings.map(\.name) == ["AToBToC", "AToBToC 2"])
  }
}
