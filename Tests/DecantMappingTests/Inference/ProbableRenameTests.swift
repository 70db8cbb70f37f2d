import DecantModel
import Testing

@testable import DecantMapping

@Suite struct ProbableRenameTests {
  private func infer(_ before: [Attribute], _ after: [Attribute]) throws -> [String] {
    drops(try .make(from: model(entity("Note", before)), to: model(entity("Note", after))))
  }

  @Test(arguments: [
    ("title", "noteTitle"), ("dueDate", "due_date"), ("createdAt", "creationDate"),
    ("recievedBytes", "receivedBytes"),
    ("isForSale", "isAvailableForSale"), ("date", "dueDate"), ("eventID_data", "eventId"),
    ("firstname", "firstName"),
  ])
  func aNewNameOfRelatedWordsIsProbablyARename(old: String, new: String) throws {
    #expect(try infer([optional(old)], [optional(new)]) == ["Note.\(old) [Note] → \(new)?"])
  }

  /// The first four pairs are changes in the models of Wire.
  @Test(arguments: [
    ("eventID_data", "associatedTaskIdentifier_data"), ("isActive", "needsToDownloadRoles"),
    ("draftMessageText", "domain"), ("needsToBeUpdatedFromBackend", "hasInitialDefault"),
    ("lastName", "firstName"),
    ("activeConversations", "inactiveConversations"), ("createdDate", "dueDate"), ("isRead", "isSent"),
    ("a", "b"),
    ("uploadMedium", "uploadPreview"), ("user", "lastConversationUserRole"), ("_", "-"),
  ])
  func aNewNameOfOtherWordsIsNone(old: String, new: String) throws {
    #expect(try infer([optional(old)], [optional(new)]) == ["Note.\(old) [Note]"])
  }

  @Test func anotherTypeOrTwoCandidatesOrAnIdentifierIsNone() throws {
    #expect(try infer([optional("title", .date)], [optional("noteTitle")]) == ["Note.title [Note]"])
    #expect(
      try infer([optional("title")], [optional("noteTitle"), optional("bookTitle")]) == ["Note.title [Note]"])
    #expect(
      try infer([optional("bookTitle"), optional("noteTitle")], [optional("title")])
        == ["Note.bookTitle [Note]", "Note.noteTitle [Note]"])
    #expect(try infer([optional("title")], [optional("noteTitle", was: "x")]) == ["Note.title [Note]"])
  }

  @Test func amongSeveralOfATypeTheNamesDecide() throws {
    #expect(
      try infer([optional("title"), optional("body")], [optional("noteTitle"), optional("author")])
        == ["Note.body [Note]", "Note.title [Note] → noteTitle?"])
  }

  @Test func anIdentifierOfAnotherVersionTellsWhatNamesDoNot() throws {
    let first = try model(entity("Note", [optional("isSilenced", .boolean), optional("x", .boolean)]))
    let between = try model(entity("Note", [optional("isSilenced", .boolean, was: "mutedStatus")]))
    let last = try model(entity("Note", [optional("mutedStatus", .integer32)]))
    let history = RenameHistory(of: [first, between, last])
    #expect(
      drops(try .make(from: first, to: last, history: history))
        == ["Note.isSilenced [Note] → mutedStatus?", "Note.x [Note]"])
    #expect(drops(try .make(from: first, to: last)) == ["Note.isSilenced [Note]", "Note.x [Note]"])
    let text = try model(entity("Note", [optional("mutedStatus")]))
    #expect(
      drops(try .make(from: first, to: text, history: history)) == ["Note.isSilenced [Note]", "Note.x [Note]"])
  }

  @Test func manyPropertiesOfOneEntityAreNotCompared() throws {
    let names = (1...65).map { "property\($0)" }
    let found = try infer(names.map { optional($0) }, names.map { optional("\($0)x") })
    #expect(found.count == 65 && !found.contains { $0.contains("→") })
  }

  @Test func anInheritedAttributeIsListedOnceWhereItIsDeclared() throws {
    let before = try model(entity("Item", [optional("due")]), entity("Note", under: "Item"))
    let after = try model(entity("Item", [optional("dueDate")]), entity("Note", under: "Item"))
    #expect(drops(try .make(from: before, to: after)) == ["Item.due [Item Note] → dueDate?"])
  }

  @Test func anEntityWithMostlyEqualPropertiesIsProbablyARename() throws {
    let before = try model(entity("Nota", [optional("a"), optional("b"), optional("c")]))
    let alike = try model(entity("Apunte", [optional("a"), optional("b"), optional("d")]))
    #expect(drops(try .make(from: before, to: alike)) == ["Nota [Nota] → Apunte?"])
    let other = try model(entity("Apunte", [optional("a"), optional("x"), optional("y")]))
    #expect(drops(try .make(from: before, to: other)) == ["Nota [Nota]"])
  }

  @Test func aRelationshipOfARelatedNameToTheSameEntityIsProbablyARename() throws {
    func infer(_ old: Relationship, _ new: Relationship) throws -> [String] {
      drops(
        try .make(
          from: model(entity("Note", [], [old]), entity("Tag"), entity("Mark")),
          to: model(entity("Note", [], [new]), entity("Tag"), entity("Mark"))))
    }
    #expect(try infer(toOne("tag", "Tag"), toOne("mainTag", "Tag")) == ["Note.tag [Note] → mainTag?"])
    #expect(try infer(toOne("tag", "Tag"), toOne("label", "Tag")) == ["Note.tag [Note]"])
    #expect(try infer(toOne("tag", "Tag"), toOne("mainTag", "Mark")) == ["Note.tag [Note]"])
    #expect(try infer(toOne("tag", "Tag"), toMany("tags", "Tag")) == ["Note.tag [Note]"])
  }
}
