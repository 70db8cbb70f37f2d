import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantVerification

@Suite("Quarantine: refused objects") struct QuarantineTests {
  private static let note = "{ source: \"Note\", destination: \"Note\" }"
  private static let both = note + ", { source: \"Tag\", destination: \"Tag\" }"

  private static let old =
    "Note\n text String?\n size Int32?\n at Date?\n tags ->> Tag.notes\n boss -> Tag\nTag\n notes ->> Note.tags"
  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZSIZE, ZAT, ZBOSS) VALUES (1, 1, 1, 'abc', 5, 50, 1),
      (2, 1, 1, NULL, NULL, NULL, NULL), (3, 1, 1, 'a', 1, 5, 1), (4, 1, 1, '😀😀', 100, 500, NULL);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
    INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS) VALUES (1, 1), (3, 1), (3, 2);
    """

  @Test(
    "an object that breaks a rule goes to quarantine, with property, code and links",
    arguments: [
      ("text String", ["Note#2 text 1570 < Note/p2"]),
      ("text String? max 3", ["Note#4 text 1660 < Note/p4"]),
      ("text String? min 2", ["Note#3 text 1670 < Note/p3 boss=Tag/p1 tags=Tag/p1 Tag/p2"]),
      ("text String? matches '[a-c]+'", ["Note#4 text 1680 < Note/p4"]),
      ("size Int32? max 50", ["Note#4 size 1610 < Note/p4"]),
      ("size Int32? min 2", ["Note#3 size 1620 < Note/p3 boss=Tag/p1 tags=Tag/p1 Tag/p2"]),
      ("at Date? max 100", ["Note#4 at 1630 < Note/p4"]),
      ("at Date? min 10", ["Note#3 at 1640 < Note/p3 boss=Tag/p1 tags=Tag/p1 Tag/p2"]),
      ("boss -> Tag required", ["Note#2 boss 1570 < Note/p2", "Note#4 boss 1570 < Note/p4"]),
      ("tags ->> Tag.notes required least 1", ["Note#2 tags 1580 < Note/p2", "Note#4 tags 1580 < Note/p4"]),
      ("tags ->> Tag.notes least 2", ["Note#1 tags 1580 < Note/p1 boss=Tag/p1 tags=Tag/p1"]),
    ])
  func eachRule(property: String, list: [String]) throws {
    let name = property.split(separator: " ")[0]
    var lines = Self.old.split(separator: "\n").map(String.init)
    lines.removeAll { $0.hasPrefix(" \(name) ") }
    lines.insert(" " + property, at: 1)
    let shop = try Workshop([Self.old, lines.joined(separator: "\n") + "\n more String?"])
    try shop.map("Step", Self.both, further: "validation: \"quarantine\",")
    try shop.makeStore(Self.rows)
    let (result, aside) = try shop.putAside()
    #expect(aside.list == list)
    let refused = aside.entries.map { "\($0.entity)#\($0.key)" }
    #expect(!result.lines.contains { refused.contains(String($0.split(separator: " ")[0])) })
    #expect(result.lines.count == 6 - list.count)
    #expect(
      result.fullAccounts == [
        "NoteToNote 4 = \(4 - list.count) + 0 + \(list.count)", "TagToTag 2 = 2 + 0 + 0",
      ])
    #expect(result.report.steps.last?.quarantine?.objects == list.count)
    #expect(result.report.steps.last?.quarantine?.store == "Store.quarantine.sqlite")
    #expect(result.report.steps.last?.quarantine?.list == "Store.quarantine.json")
    #expect(result.report.warnings.contains { $0.hasSuffix("moved to quarantine.") })
  }

  @Test func withNothingToPutAsideThereIsNoQuarantine() throws {
    let shop = try Workshop([
      Self.old, Self.old.replacing("String?", with: "String? max 90") + "\n more String?",
    ])
    try shop.map("Step", Self.both, further: "validation: \"quarantine\",")
    try shop.makeStore(Self.rows)
    let result = try shop.migrate()
    #expect(result.report.steps.last?.quarantine == nil)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: shop.output.deletingLastPathComponent().path)
    #expect(names.sorted() == ["Store.associations.sqlite", "Store.sqlite"])
  }

  @Test func aComparisonHoldsTheSideStoreAgainstTheRules() throws {
    let shop = try Workshop("Note\n text String?\n size Int32?", "Note\n text String\n size Int32?")
    try shop.map("Step", Self.note, further: "validation: \"quarantine\",")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZSIZE) VALUES (1, 1, 1, NULL, 9), (2, 1, 1, 'b', 1)")
    try shop.migrate()
    #expect(try shop.verify().expected == [.init(kind: .quarantined, entity: "Note", count: 1)])
    try shop.changeAside("UPDATE ZNOTE SET ZSIZE = 10")
    #expect(try shop.verify().differences.map(\.kind) == [.asideValue])
    // The side store also gets an object that breaks no rule.
    try shop.changeAside(
      "UPDATE ZNOTE SET ZSIZE = 9; INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZSIZE) VALUES (2, 1, 1, 'b', 1)"
    )
    let kinds = try shop.verify().differences.map(\.kind)
    #expect(kinds == [.asideWithoutReason, .unexplainedObject])
    try FileManager.default.removeItem(atPath: shop.asidePath)
    #expect(try shop.verify().differences.map(\.kind) == [.lostAssociation, .missingQuarantine])
  }

  @Test func severalRulesOfOneObjectAreAllTold() throws {
    let shop = try Workshop("Note\n text String?\n size Int32?", "Note\n text String\n size Int32? max 3")
    try shop.map("Step", Self.note, further: "validation: \"quarantine\",")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZSIZE) VALUES (1, 1, 1, NULL, 9), (2, 1, 1, NULL, 1), (3, 1, 1, 'a', 1)"
    )
    let (result, aside) = try shop.putAside()
    #expect(aside.list == ["Note#1 size 1610, text 1570 < Note/p1", "Note#2 text 1570 < Note/p2"])
    #expect(result.lines == ["Note#3 size=1 text='a'"])
    #expect(
      result.report.steps.last?.quarantine?.reasons == [
        .init(entity: "Note", property: "size", code: 1610, words: "is too large", objects: 1),
        .init(entity: "Note", property: "text", code: 1570, words: "is missing", objects: 2),
      ])
  }

  @Test func whatRequiresAnObjectThatIsPutAsideFollowsIt() throws {
    let models = ["", " required"].map {
      "Box\n name String\($0 == "" ? "?" : "")\n notes ->> Note.box ordered\nNote\n box -> Box.notes\($0)\n marks ->> Mark.note\n"
        + "Mark\n note -> Note.marks\($0)\n friend -> Mark"
    }
    let shop = try Workshop(models)
    try shop.map(
      "Step",
      "{ source: \"Box\", destination: \"Box\" }, { source: \"Note\", destination: \"Note\" }, { source: \"Mark\", destination: \"Mark\" }",
      further: "validation: \"quarantine\",")
    try shop.makeStore(
      """
      INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, NULL), (2, 1, 1, 'b');
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZBOX, Z_FOK_BOX) VALUES (1, 3, 1, 1, 3072), (2, 3, 1, 2, 2048),
        (3, 3, 1, 1, 2048), (4, 3, 1, NULL, NULL);
      INSERT INTO ZMARK (Z_PK, Z_ENT, Z_OPT, ZNOTE, ZFRIEND) VALUES (1, 2, 1, 1, 2), (2, 2, 1, 2, 1), (3, 2, 1, 3, 1),
        (4, 2, 1, 4, 2);
      """)
    let (result, aside) = try shop.putAside()
    #expect(
      aside.lines == [
        "Box#1 notes=(Note#3 Note#1)", "Mark#1 note=Note#1", "Mark#3 friend=Mark#1 note=Note#3",
        "Mark#4 note=Note#4",
        "Note#1 box=Box#1 marks=[Mark#1]", "Note#3 box=Box#1 marks=[Mark#3]", "Note#4 marks=[Mark#4]",
      ])
    #expect(
      aside.list == [
        "Box#1 name 1570 < Box/p1", "Mark#1 note 1570 < Mark/p1 friend=Mark/p2", "Mark#3 note 1570 < Mark/p3",
        "Mark#4 note 1570 < Mark/p4 friend=Mark/p2", "Note#1 box 1570 < Note/p1", "Note#3 box 1570 < Note/p3",
        "Note#4 box 1570 < Note/p4",
      ])
    #expect(
      result.lines == [
        "Box#2 name='b' notes=(Note#2)", "Mark#2 note=Note#2", "Note#2 box=Box#2 marks=[Mark#2]",
      ])
    #expect(
      result.report.warnings.filter { $0.contains("quarantine") } == [
        "In 1 object of entity “Box”, “name” is missing (1570), such as Box/p1; moved to quarantine.",
        "In 1 object of entity “Note”, “box” is missing (1570), such as Note/p4; moved to quarantine.",
        "In 3 objects of entity “Mark”, “note” is missing, because of objects in quarantine (1570), such as Mark/p1, "
          + "Mark/p3, Mark/p4; moved to quarantine.",
        "In 2 objects of entity “Note”, “box” is missing, because of objects in quarantine (1570), such as Note/p1, "
          + "Note/p3; moved to quarantine.",
        "1 object had a relationship “Mark.friend” with an object that is in quarantine; the relationship is empty now.",
      ])
    // References and orders among the objects in quarantine are compared, too.
    try shop.changeAside(
      "UPDATE ZMARK SET ZFRIEND = NULL WHERE Z_PK = 3; UPDATE ZMARK SET ZFRIEND = 1 WHERE Z_PK = 4; "
        + "UPDATE ZNOTE SET Z_FOK_BOX = 9999 WHERE Z_PK = 3")
    #expect(
      MappedFixture.kinds(try shop.verify()) == [
        "quarantined-value Mark.friend 1 [3 → 1]", "quarantined-value Mark.friend 1 [4 → 1]",
        "quarantined-value Box.notes 1 [1]",
      ])
    // References to a delivered object, and to no object, are compared, too.
    try shop.changeAside(
      "UPDATE ZMARK SET ZFRIEND = 9999 WHERE Z_PK = 3; UPDATE ZMARK SET ZFRIEND = 2 WHERE Z_PK = 4")
    let kinds = MappedFixture.kinds(try shop.verify())
    #expect(kinds.contains { $0.hasPrefix("quarantined-value Mark.friend 2 ") }, "\(kinds)")
  }

  @Test func aCircleOfRequiredObjectsStaysUnlessOneOfThemIsPutAside() throws {
    let shop = try Workshop(
      "Note\n text String?\n next -> Note.previous\n previous -> Note.next",
      "Note\n text String\n next -> Note.previous required\n previous -> Note.next required")
    try shop.map("Step", Self.note, further: "validation: \"quarantine\",")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZNEXT, ZPREVIOUS) VALUES (1, 1, 1, 'a', 2, 2), (2, 1, 1, 'b', 1, 1),
        (3, 1, 1, 'c', 4, 5), (4, 1, 1, NULL, 5, 3), (5, 1, 1, 'e', 3, 4), (6, 1, 1, 'f', 6, 6);
      """)
    let (result, aside) = try shop.putAside()
    #expect(
      result.lines == [
        "Note#1 text='a' next=Note#2 previous=Note#2", "Note#2 text='b' next=Note#1 previous=Note#1",
        "Note#6 text='f' next=Note#6 previous=Note#6",
      ])
    #expect(
      aside.lines == [
        "Note#3 text='c' next=Note#4 previous=Note#5", "Note#4 next=Note#5 previous=Note#3",
        "Note#5 text='e' next=Note#3 previous=Note#4",
      ])
    #expect(
      aside.list == [
        "Note#3 next 1570 < Note/p3", "Note#4 text 1570 < Note/p4", "Note#5 previous 1570 < Note/p5",
      ])
  }

  @Test func aCountThatFallsBelowItsMinimumFollowsAndPlacesCloseUp() throws {
    let models = [
      "Note\n text String?\n tags ->> Tag.notes ordered\nTag\n notes ->> Note.tags ordered",
      "Note\n text String\n tags ->> Tag.notes ordered\nTag\n name String?\n notes ->> Note.tags ordered least 2",
    ]
    let shop = try Workshop(models)
    try shop.map("Step", Self.both, further: "validation: \"quarantine\",")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 1, 1, NULL), (3, 1, 1, 'c');
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1), (3, 2, 1);
      INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS, Z_FOK_1NOTES, Z_FOK_2TAGS) VALUES (1, 1, 4096, 4096), (2, 1, 3072, 2048),
        (3, 1, 2048, 2048), (1, 2, 2048, 2048), (2, 2, 3072, 3072), (2, 3, 2048, 4096), (1, 3, 3072, 3072), (3, 3, 4096, 3072);
      """)
    let (result, aside) = try shop.putAside()
    #expect(
      result.lines == [
        "Note#1 text='a' tags=(Tag#3 Tag#1)", "Note#3 text='c' tags=(Tag#1 Tag#3)",
        "Tag#1 notes=(Note#3 Note#1)", "Tag#3 notes=(Note#1 Note#3)",
      ])
    #expect(aside.lines == ["Note#2 tags=(Tag#2)", "Tag#2 notes=(Note#2)"])
    #expect(
      aside.list == [
        "Note#2 text 1570 < Note/p2 tags=Tag/p1 Tag/p3", "Tag#2 notes 1580 < Tag/p2 notes=Note/p1",
      ])
    let places = try result.store.store.rows("SELECT * FROM Z_1TAGS ORDER BY 1, 2").map { row in
      row.map(LogicalStore.text).joined(separator: " ")
    }
    #expect(
      places.allSatisfy {
        $0.hasSuffix("2048 3072") || $0.hasSuffix("3072 2048") || $0.hasSuffix("2048 2048")
          || $0.hasSuffix("3072 3072")
      }, "\(places)")
  }

  @Test func subentitiesGoByTheirOwnRulesAndThoseThatTheyInherit() throws {
    let shop = try Workshop(
      "Item\n text String?\n lead -> Item.followers\n followers ->> Item.lead\nNote < Item\n size Int32?\nMemo < Item",
      "Item\n text String? max 3\n lead -> Item.followers\n followers ->> Item.lead\nNote < Item\n size Int32\nMemo < Item"
    )
    try shop.map(
      "Step",
      "{ source: \"Item\", destination: \"Item\" }, { source: \"Note\", destination: \"Note\" }, { source: \"Memo\", destination: \"Memo\" }",
      further: "validation: \"quarantine\",")
    try shop.makeStore(
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZSIZE, ZLEAD, Z1_LEAD) VALUES (1, 1, 1, 'a', NULL, NULL, NULL),
        (2, 3, 1, 'b', NULL, 1, 1), (3, 3, 1, 'c', 1, 2, 3), (4, 2, 1, 'long', NULL, 3, 3), (5, 2, 1, 'd', NULL, 4, 2);
      """)
    let (result, aside) = try shop.putAside()
    #expect(
      result.lines == [
        "Item#1 text='a'", "Memo#5 text='d'", "Note#3 size=1 text='c'",
      ])
    #expect(
      aside.list == [
        "Note#2 size 1570 < Note/p2 followers=Note/p3 lead=Item/p1",
        "Memo#4 text 1660 < Memo/p4 followers=Memo/p5 lead=Note/p3",
      ])
    #expect(
      result.fullAccounts == [
        "ItemToItem 1 = 1 + 0 + 0", "NoteToNote 2 = 1 + 0 + 1", "MemoToMemo 2 = 1 + 0 + 1",
      ])
  }

  @Test(
    "of valid objects with equal unique values, the one with the lowest key stays", arguments: [nil, 1, 2],
    [641, 1344])
  func uniqueness(size: Int?, framework: Int) throws {
    let shop = try Workshop(
      "Note\n text String?\n kind String?",
      "Note\n text String?\n kind String? max 5\n unique text\n more String?")
    try shop.map("Step", Self.note, further: "validation: \"quarantine\",")
    try shop.makeStore(
      framework: framework,
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZKIND) VALUES (1, 1, 1, 'a', 'much too long'), (2, 1, 1, 'a', NULL),
        (3, 1, 1, NULL, NULL), (4, 1, 1, NULL, NULL), (5, 1, 1, 'a', NULL), (6, 1, 1, 'b', NULL), (7, 1, 1, 'a', NULL);
      """)
    let (result, aside) = try shop.putAside(chunkSize: size)
    #expect(result.lines == ["Note#2 text='a'", "Note#3", "Note#4", "Note#6 text='b'"])
    #expect(
      aside.list == [
        "Note#1 kind 1660 < Note/p1", "Note#5 text 133021 < Note/p5", "Note#7 text 133021 < Note/p7",
      ])
    guard framework < 847 else { return }
    // The result has the constraint. The refused objects violate it.
    let statement = try #require(result.store.store.statements["ZNOTE"])
    #expect(statement.hasSuffix("CONSTRAINT ZTEXT UNIQUE (ZTEXT))"))
    #expect(
      aside.store.store.statements["ZNOTE"]
        == statement.replacing(", CONSTRAINT ZTEXT UNIQUE (ZTEXT))", with: " )"))
  }

  @Test(
    "without a quarantine, duplicates are a failure whose advice names the quarantine",
    arguments: ["fail", "report"])
  func uniquenessInOtherModes(mode: String) throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n unique text\n more String?")
    try shop.map("Step", Self.note, further: "validation: \"\(mode)\",")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'a')")
    let failure = try shop.failure()
    #expect(failure.reason == .notUnique && failure.message.contains("“text”"))
    #expect(failure.advice.contains("validation: \"quarantine\""))
  }

  @Test func objectsOfManySourcesCountEachOfThem() throws {
    let shop = try Workshop(
      "Note\n kind String?", "Note\n kinds ->> Kind.notes\nKind\n name String? max 2\n notes ->> Note.kinds")
    try shop.map(
      "Step",
      """
      { name: "Kinds", source: "Note", destination: "Kind", uniqueBy: "$source.kind", attributes: { name: "$source.kind" } },
      { source: "Note", destination: "Note", relationships: { kinds: { path: "$source", mapping: "Kinds" } } }
      """, further: "validation: \"quarantine\",")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND) VALUES (1, 1, 1, 'long'), (2, 1, 1, 'b'), (3, 1, 1, 'long'), (4, 1, 1, NULL)"
    )
    let (result, aside) = try shop.putAside()
    #expect(result.fullAccounts == ["Kinds 4 = 1 + 1 + 2", "NoteToNote 4 = 4 + 0 + 0"])
    #expect(aside.list == ["Kind#1 name 1660 < Note/p1 Note/p3 notes=Note/p1 Note/p3"])
    #expect(
      result.lines == ["Kind#2 name='b' notes=[Note#2]", "Note#1", "Note#2 kinds=[Kind#2]", "Note#3", "Note#4"])
    #expect(
      result.report.warnings.contains(
        "2 pairs of “Kind.notes” have objects that are in quarantine; the pairs are left out."))
  }

  @Test func derivedCountsAreThoseOfWhatStays() throws {
    let shop = try Workshop(
      "Note\n text String?\n tag -> Tag.notes\nTag\n notes ->> Note.tag",
      "Note\n text String\n tag -> Tag.notes\nTag\n number Int64? derived 'notes.@count'\n notes ->> Note.tag")
    try shop.map("Step", Self.both, further: "validation: \"quarantine\",")
    try shop.makeStore(
      "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1);"
        + "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZTAG) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, NULL, 1)")
    let (result, aside) = try shop.putAside()
    #expect(result.lines == ["Note#1 text='a' tag=Tag#1", "Tag#1 number=1 notes=[Note#1]"])
    #expect(aside.lines == ["Note#2"])
  }

  @Test func anEntityThatMayNotLoseATargetStillRefusesTheStore() throws {
    let shop = try Workshop(
      "Note\n text String?\nTag\n note -> Note", "Note\n text String\nTag\n note -> Note required")
    try shop.map("A", Self.note, further: "order: 1, validation: \"quarantine\",")
    try shop.map("B", "{ source: \"Tag\", destination: \"Tag\" }", further: "order: 2,")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1); INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNOTE) VALUES (1, 2, 1, 1)"
    )
    let failure = try shop.failure()
    #expect(failure.message.contains("In 1 object of entity “Tag”, “note” is missing (1570)"))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: shop.output.deletingLastPathComponent().path)
    #expect(!names.contains { $0.contains("quarantine") })
  }
}
