import Foundation
import Testing

@testable import DecantMigration

/// Values and pairs that are lost with some entity mappings only.
@Suite("Properties that only some entity mappings read") struct PartlyReadTests {
  private static let split =
    "Good\n text String?\n rank Int32?\nBad\n text String?\nTag\n name String?"
  private static let tag = #"{ source: "Tag", destination: "Tag" }"#

  @Test func theObjectsOfTheOthersLoseTheValues() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Good", filter: "text == 'a'" }, "#
        + #"{ source: "Note", destination: "Bad", filter: "text != 'a' AND text != 'b'" }, \#(Self.tag)"#,
      to: Self.split)
    #expect(
      found == [
        "entity Note 1 filters", "attribute Note.rank 2 unread", "relationship Note.tags 5 unlinked",
      ])
  }

  @Test func aFilterReadsForItsOwnObjects() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Good", filter: "rank >= 2" }, "#
        + #"{ source: "Note", destination: "Bad", filter: "rank < 2 OR text == nil" }, \#(Self.tag)"#,
      to: Self.split)
    #expect(
      found == [
        "entity Note 1 filters", "relationship Note.tags 6 unlinked",
      ])
  }

  @Test func anEntityMappingWithoutAFilterReadsForAll() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Good" }, { source: "Note", destination: "Bad", filter: "text == 'a'" }, \#(Self.tag)"#,
      to: Self.split.replacingOccurrences(of: "Good\n", with: "Good\n tags ->> Tag.goods\n")
        .replacingOccurrences(of: "Tag\n", with: "Tag\n goods ->> Good.tags\n"))
    #expect(found == [])
  }

  @Test func valuesOfObjectsThatStayBehindCountOnce() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Note", filter: "rank >= 2" }, \#(Self.tag)"#,
      to: "Note\n rank Int32?\nTag\n name String?")
    #expect(
      found == [
        "entity Note 2 filters", "attribute Note.text 2 unread", "relationship Note.tags 4 unlinked",
      ])
  }

  @Test func pairsWithObjectsOfAnotherEntityMappingAreLost() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Note", relationships: { reds: { path: "$source.tags", mapping: "Reds" } } }, "#
        + #"{ name: "Reds", source: "Tag", destination: "Red", filter: "name == 'red'" }, "#
        + #"{ name: "Blues", source: "Tag", destination: "Blue", filter: "name != 'red'" }"#,
      to:
        "Note\n text String?\n rank Int32?\n reds ->> Red.notes\nRed\n name String?\n notes ->> Note.reds\nBlue\n name String?"
    )
    #expect(found == ["relationship Note.tags 3 unlinked"])
  }

  @Test func onlyThePairsThatTheInverseDoesNotReadAreLost() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Note" }, { source: "Tag", destination: "Tag" }, "#
        + #"{ source: "Zettel", destination: "Zettel" }"#,
      to:
        "Note\n text String?\n zettel ->> Zettel.notes\nTag\n name String?\nZettel\n name String?\n notes ->> Note.zettel",
      from: "Note\n text String?\n tags ->> Tag.notes\nTag\n name String?\n notes ->> Note.tags\nZettel < Tag",
      rows:
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 3, 1), (3, 3, 1);
        INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS) VALUES (1, 1), (1, 2), (2, 3);
        """)
    #expect(found == ["relationship Note.tags 1 unread", "relationship Tag.notes 1 unread"])
  }

  @Test func pairsGoWithObjectsThatStayBehind() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Note" }, { remove: "Tag" }"#, to: "Note\n text String?\n rank Int32?")
    #expect(found == ["entity Tag 3 removed"])
  }

  @Test func whatOnlyFiltersLookAtIsANote() throws {
    let shop = try Workshop(LossShop.model, "Note\n text String?\nTag\n name String?")
    try shop.map(
      #"{ source: "Note", destination: "Note", filter: "rank > 0 OR rank == nil" }, \#(Self.tag)"#)
    try shop.makeStore(LossShop.rows)
    let notes = try shop.migrate().report.notes
    #expect(
      notes.contains(
        "Only filters and uniqueBy of the mapping models from “V1” to “V2” read “Note.rank” (4 values). "
          + "No object of the new version has its values."), "\(notes)")
  }

  @Test func aLaterStepCountsWhenItBegins() throws {
    let shop = try Workshop(
      "Note\n text String?", "Note\n text String?\n rank Int32 = 7",
      "Good\n text String?\n rank Int32?\nBad\n text String?")
    try shop.map(
      "Split",
      #"{ source: "Note", destination: "Good", filter: "text == 'a'" }, { source: "Note", destination: "Bad", filter: "text != 'a'" }"#,
      further: "", source: "V2", destination: "V3")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b')")
    let losses = try shop.migrate().report.losses
    #expect(losses.map(Migrated.words) == ["attribute Note.rank 1"])
    #expect(losses.first?.cause == .unread && losses.first?.version == "V2")
  }
}
