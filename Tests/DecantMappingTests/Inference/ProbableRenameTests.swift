import DecantModel
import Testing

@testable import DecantMapping

@Suite struct ProbableRenameTests {
  private func infer(_ before: [Attribute], _ after: [Attribute]) throws -> [String] {
    drops(try .make(from: model(entity("Note", before)), to: model(entity("Note", after))))
  }

  @Test func oneGoneAndOneNewOfTheSameTypeIsProbablyARename() throws {
    #expect(
      try infer([optional("fecha", .date)], [optional("momento", .date)]) == ["Note.fecha [Note] → momento?"])
  }

  @Test func anotherTypeOrTwoCandidatesOrAnIdentifierIsNone() throws {
    #expect(try infer([optional("a", .date)], [optional("b")]) == ["Note.a [Note]"])
    #expect(try infer([optional("a")], [optional("b"), optional("c")]) == ["Note.a [Note]"])
    #expect(try infer([optional("a"), optional("b")], [optional("c")]) == ["Note.a [Note]", "Note.b [Note]"])
    #expect(try infer([optional("a")], [optional("b", was: "x")]) == ["Note.a [Note]"])
  }

  @Test func anInheritedAttributeIsListedOnceWhereItIsDeclared() throws {
    let before = try model(entity("Item", [optional("a")]), entity("Note", under: "Item"))
    let after = try model(entity("Item", [optional("b")]), entity("Note", under: "Item"))
    #expect(drops(try .make(from: before, to: after)) == ["Item.a [Item Note] → b?"])
  }

  @Test func anEntityWithMostlyEqualPropertiesIsProbablyARename() throws {
    let before = try model(entity("Nota", [optional("a"), optional("b"), optional("c")]))
    let alike = try model(entity("Apunte", [optional("a"), optional("b"), optional("d")]))
    #expect(drops(try .make(from: before, to: alike)) == ["Nota [Nota] → Apunte?"])
    let other = try model(entity("Apunte", [optional("a"), optional("x"), optional("y")]))
    #expect(drops(try .make(from: before, to: other)) == ["Nota [Nota]"])
  }

  @Test func aRelationshipToTheSameEntityIsProbablyARename() throws {
    let before = try model(entity("Note", [], [toOne("tag", "Tag")]), entity("Tag"))
    let after = try model(entity("Note", [], [toOne("label", "Tag")]), entity("Tag"))
    #expect(drops(try .make(from: before, to: after)) == ["Note.tag [Note] → label?"])
  }
}
