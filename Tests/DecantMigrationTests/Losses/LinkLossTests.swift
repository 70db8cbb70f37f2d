import Foundation
import Testing

@testable import DecantMigration

/// Losses of targets, or of their order, that a relationship can't hold.
@Suite("Relationships that hold fewer targets or no order") struct LinkLossTests {
  private static let notes = #"{ source: "Note", destination: "Note" }"#
  private static let tags = #"{ source: "Tag", destination: "Tag" }"#

  private static func model(_ note: String, _ tag: String) -> String {
    "Note\n text String?\n rank Int32?\n \(note)\nTag\n name String?\n \(tag)"
  }

  @Test func aRelationshipToOneKeepsOneTarget() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Note", relationships: { tag: { path: "$source.tags" } } }, \#(Self.tags)"#,
      to: Self.model("tag -> Tag.notes", "notes ->> Note.tag"))
    #expect(found == ["relationship Note.tags 2 unlinked"])
  }

  @Test("either end's name accepts lost pairs", arguments: ["Note.tags", "Tag.notes"])
  func accepted(name: String) throws {
    let shop = try Workshop(
      LossShop.model, Self.model("tag -> Tag.notes", "notes ->> Note.tag"),
      family: "{ dataLoss: \"refuse\", acceptedLosses: [\"\(name)\"] }")
    try shop.map(
      "Step",
      #"{ source: "Note", destination: "Note", relationships: { tag: { path: "$source.tags" } } }, \#(Self.tags)"#,
      further: "")
    try shop.makeStore(LossShop.rows)
    let losses = try shop.migrate().report.losses
    #expect(losses.map(Migrated.words) == ["relationship Note.tags 2"] && losses.allSatisfy(\.accepted))
  }

  @Test func anInverseToOneKeepsOneOwner() throws {
    let found = try LossShop.losses(
      "\(Self.notes), \(Self.tags)", to: Self.model("tags ->> Tag.note", "note -> Note.tags"))
    #expect(found == ["relationship Note.tags 3 unlinked"])
  }

  @Test func theLaterMappingOfTheOtherEndReplacesPairs() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Note" }, { source: "Tag", destination: "Tag", relationships: { notes: { path: "$source.fans" } } }"#,
      to: Self.model("tags ->> Tag.notes", "notes ->> Note.tags"),
      from: Self.model("tags ->> Tag.notes\n best ->> Tag.fans", "notes ->> Note.tags\n fans ->> Note.best"),
      rows: LossShop.rows + "INSERT INTO Z_1BEST (Z_1FANS, Z_2BEST) VALUES (1, 1), (4, 3)")
    #expect(found == ["relationship Note.tags 5 unlinked"])
  }

  @Test func anEmptyExpressionOfTheOtherEndTakesPairsAway() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Note" }, { source: "Tag", destination: "Tag", relationships: { notes: "nil" } }"#,
      to: Self.model("tags ->> Tag.note", "note -> Note.tags").replacingOccurrences(
        of: "note -> ", with: "notes -> "
      )
      .replacingOccurrences(of: "Tag.note", with: "Tag.notes"))
    #expect(found == ["relationship Note.tags 6 unlinked"])
  }

  @Test func aLaterMappingTakesAwayWhatItsOwnExpressionDoesNotGive() throws {
    let source =
      "Note\n text String?\n best -> Tag.fans\n other -> Tag.others\nTag\n fans ->> Note.best\n others ->> Note.other"
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Note", relationships: { tag: { path: "$source.best" } } }, "#
        + #"{ source: "Tag", destination: "Tag", relationships: { notes: { path: "$source.others" } } }"#,
      to: "Note\n text String?\n tag -> Tag.notes\nTag\n notes ->> Note.tag", from: source,
      rows:
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZBEST, ZOTHER) VALUES (1, 1, 1, 1, NULL), (2, 1, 1, 1, NULL), (3, 1, 1, NULL, 2);
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
        """)
    #expect(found == ["relationship Note.best 2 unlinked"])
  }

  @Test func aLaterMappingThatNamesOneOfTwoEntityMappingsTakesAwayTheOthersPairs() throws {
    let model = "Note\n text String?\n tag -> Tag.notes\nTag\n notes ->> Note.tag"
    let found = try LossShop.losses(
      #"{ name: "A", source: "Note", destination: "Note", filter: "text == 'a'" }, "#
        + #"{ name: "B", source: "Note", destination: "Note", filter: "text != 'a'" }, "#
        + #"{ source: "Tag", destination: "Tag", relationships: { notes: { path: "$source.notes", mapping: "A" } } }"#,
      to: model + "\n more String?", from: model,
      rows:
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZTAG) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'b', 1), (3, 1, 1, 'b', 2);
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
        """)
    #expect(found == ["relationship Note.tag 2 unlinked"])
  }

  @Test func aNumberOfTargetsKeepsNone() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Note", attributes: { rank: "$source.tags.@count" }, "#
        + #"relationships: { tag: { path: "$source.tags" } } }, \#(Self.tags)"#,
      to: Self.model("tag -> Tag.notes", "notes ->> Note.tag"))
    #expect(found == ["relationship Note.tags 2 unlinked", "attribute Note.rank 4 unread"])
  }

  @Test func theOrderOfWhatStaysBehindIsNoLoss() throws {
    let rows = LossShop.rows.replacingOccurrences(
      of: "(Z_1NOTES, Z_2TAGS) VALUES (1, 1), (1, 2), (2, 1), (3, 2), (3, 3), (5, 1)",
      with:
        "(Z_1NOTES, Z_2TAGS, Z_FOK_2TAGS) VALUES (1, 1, 8), (1, 2, 4), (2, 1, 1), (3, 2, 1), (3, 3, 2), (5, 1, 1)"
    )
    let ordered = Self.model("tags ->> Tag.notes ordered", "notes ->> Note.tags")
    let filtered = try LossShop.losses(
      #"\#(Self.notes), { source: "Tag", destination: "Tag", filter: "name == 'red' OR name == 'blue'" }"#,
      to: Self.model("tags ->> Tag.notes", "notes ->> Note.tags"), from: ordered, rows: rows)
    #expect(filtered == ["entity Tag 1 filters", "relationship Note.tags 2 order"])
    let one = try LossShop.losses(
      #"{ source: "Note", destination: "Note", relationships: { tag: { path: "$source.tags" } } }, \#(Self.tags)"#,
      to: Self.model("tag -> Tag.notes", "notes ->> Note.tag"), from: ordered, rows: rows)
    #expect(one == ["relationship Note.tags 2 unlinked"])
  }

  @Test func pairsOfObjectsInQuarantineAreNoLoss() throws {
    let shop = try Workshop(
      "Note\n text String?\n tags ->> Tag.notes\nTag\n notes ->> Note.tags",
      "Note\n text String\n tags ->> Tag.notes\nLog\n text String?\nTag\n notes ->> Note.tags",
      family: "{ validation: \"quarantine\" }")
    try shop.map(
      "Step",
      #"{ source: "Note", destination: "Note" }, { source: "Note", destination: "Log" }, \#(Self.tags)"#,
      further: "")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, NULL), (2, 1, 1, 'b');
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1);
      INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS) VALUES (1, 1), (2, 1);
      """)
    let report = try Migration.run(shop.job())
    #expect(report.steps.first?.quarantine != nil)
    #expect(report.losses == [])
  }

  @Test("an expression that leaves targets out loses them", arguments: [true, false])
  func expressions(isNote: Bool) throws {
    let note =
      #"{ source: "Note", destination: "Note", relationships: { tag: { path: "TERNARY($source.text == 'a', nil, $source.tag)" } } }"#
    let tag =
      #"{ source: "Tag", destination: "Tag", relationships: { notes: { path: "SUBQUERY($source.notes, $n, $n.text != 'a')" } } }"#
    let model = "Note\n text String?\n tag -> Tag.notes\nTag\n notes ->> Note.tag"
    let found = try LossShop.losses(
      isNote ? "\(Self.tags), \(note)" : "\(Self.notes), \(tag)", to: model + "\n more String?", from: model,
      rows:
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZTAG) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'b', 1), (3, 1, 1, 'a', 2);
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
        """)
    #expect(
      found == ["relationship Note.tag 2 unlinked"] || found == ["relationship Tag.notes 2 unlinked"],
      "\(found)")
  }

  @Test func anotherRelationshipKeepsAllTargets() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Note", relationships: { main: { path: "$source.tags" } } }, \#(Self.tags)"#,
      to: Self.model("tags ->> Tag.notes\n main -> Tag.mains", "notes ->> Note.tags\n mains ->> Note.main"))
    #expect(found == [])
  }

  @Test func manySubentitiesAreNoQuestionOfSQLitesLimits() throws {
    let names = (10..<36).map { "E\($0)" }
    let base = "Base*\n parent -> Base.children\n children ->> Base.parent\n"
    let entities = names.map { "\($0) < Base\n" }.joined()
    let mappings = names.enumerated().map { place, name in
      "{ source: \"\(name)\", destination: \"\(name)\"\(place == 0 ? ", uniqueBy: \"$source.name\"" : "") }"
    }
    let model = base.replacingOccurrences(of: "Base*\n", with: "Base*\n name String?\n") + entities
    let found = try LossShop.losses(
      mappings.joined(separator: ", "), to: model + "Other\n x String?\n", from: model,
      rows:
        """
        INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZNAME, ZPARENT) VALUES (1, 2, 1, 'a', NULL), (2, 2, 1, 'a', 4), (3, 2, 1, 'a', 5),
          (4, 3, 1, 'b', NULL), (5, 3, 1, 'b', 4);
        """)
    #expect(
      found == ["relationship Base.children 1 unlinked"] || found == ["relationship Base.parent 1 unlinked"],
      "\(found)")
  }

  @Test func filtersLimitWhatIsCounted() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Note", filter: "rank > 1", relationships: { tag: { path: "$source.tags" } } }, \#(Self.tags), { remove: "Note" }"#,
      to: Self.model("tag -> Tag.notes", "notes ->> Note.tag"))
    #expect(found == ["relationship Note.tags 1 unlinked", "entity Note 2 removed"])
  }

  @Test func sharedObjectsHaveOneTarget() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Kind", uniqueBy: "$source.text" }, \#(Self.tags)"#,
      to: "Kind\n text String?\n boss -> Tag.kinds\nTag\n name String?\n kinds ->> Kind.boss",
      from: "Note\n text String?\n boss -> Tag.notes\nTag\n name String?\n notes ->> Note.boss",
      rows:
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZBOSS) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'a', 2), (3, 1, 1, 'a', 1),
          (4, 1, 1, 'b', 2), (5, 1, 1, 'a', NULL);
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'red'), (2, 2, 1, 'blue');
        """)
    #expect(found == ["relationship Note.boss 1 unlinked"])
  }

  @Test(
    "an unordered relationship loses the order of several targets",
    arguments: [nil, "\(notes), \(tags)"])
  func order(mappings: String?) throws {
    let rows = LossShop.rows.replacingOccurrences(
      of: "(Z_1NOTES, Z_2TAGS) VALUES (1, 1), (1, 2), (2, 1), (3, 2), (3, 3), (5, 1)",
      with:
        "(Z_1NOTES, Z_2TAGS, Z_FOK_2TAGS) VALUES (1, 1, 8), (1, 2, 4), (2, 1, 1), (3, 2, 1), (3, 3, 2), (5, 1, 1)"
    )
    let found = try LossShop.losses(
      mappings, to: Self.model("tags ->> Tag.notes", "notes ->> Note.tags"),
      from: Self.model("tags ->> Tag.notes ordered", "notes ->> Note.tags"), rows: rows)
    #expect(found == ["relationship Note.tags 4 order"])
    let kept = try LossShop.losses(
      mappings, to: Self.model("tags ->> Tag.notes ordered", "notes ->> Note.tags\n kind String?"),
      from: Self.model("tags ->> Tag.notes ordered", "notes ->> Note.tags"), rows: rows)
    #expect(kept == [])
  }
}
