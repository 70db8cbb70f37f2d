import DecantStore
import Testing

@testable import DecantMigration

@Suite("Mapping models: relationships") struct RelateTests {
  /// A relationship's expression: the call that gives the objects that an entity mapping made from source objects.
  static func call(_ mapping: String, _ sources: String) -> String {
    "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', '\(mapping)', \(sources))"
  }

  private static let family = """
    Note
      text String?
      tag -> Tag.notes
      marks ->> Mark.notes
      next -> Note.previous
      previous -> Note.next
      pages ->> Page.note ordered
    Tag
      name String?
      notes ->> Note.tag
      top -> Tag
    Mark
      notes ->> Note.marks
    Page
      note -> Note.pages
    """
  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZTAG, ZNEXT, ZPREVIOUS) VALUES (1, 2, 1, 'a', 1, 2, NULL),
      (2, 2, 1, 'b', 1, NULL, 1), (3, 2, 1, 'c', NULL, NULL, NULL), (4, 2, 1, 'd', 2, NULL, NULL);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZTOP) VALUES (1, 4, 1, 'x', 2), (2, 4, 1, 'y', 3), (3, 4, 1, 'z', NULL);
    INSERT INTO ZMARK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
    INSERT INTO Z_1NOTES (Z_1MARKS, Z_2NOTES) VALUES (1, 1), (1, 2), (2, 2), (2, 4);
    INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZNOTE, Z_FOK_NOTE) VALUES (1, 3, 1, 1, 4096), (2, 3, 1, 1, 2048),
      (3, 3, 1, 2, 2048), (4, 3, 1, 1, 3072), (5, 3, 1, NULL, NULL);
    """
  private static let lines = [
    "Mark#1 notes=[Note#1 Note#2]", "Mark#2 notes=[Note#2 Note#4]",
    "Note#1 text='a' next=Note#2 tag=Tag#1 marks=[Mark#1] pages=(Page#2 Page#4 Page#1)",
    "Note#2 text='b' previous=Note#1 tag=Tag#1 marks=[Mark#1 Mark#2] pages=(Page#3)", "Note#3 text='c'",
    "Note#4 text='d' tag=Tag#2 marks=[Mark#2]", "Page#1 note=Note#1", "Page#2 note=Note#1",
    "Page#3 note=Note#2",
    "Page#4 note=Note#1", "Page#5", "Tag#1 name='x' notes=[Note#1 Note#2] top=Tag#2",
    "Tag#2 name='y' notes=[Note#4] top=Tag#3", "Tag#3 name='z'",
  ]

  private func shop() throws -> Workshop {
    let shop = try Workshop(Self.family, Self.family + "\n  more String?")
    try shop.makeStore(Self.rows)
    return shop
  }

  private func sorted(_ lines: [String]) -> [String] {
    lines.map { $0.split(separator: " ").sorted().joined() }
  }

  @Test(arguments: [nil, 1, 2, 7])
  func everyKindOfRelationshipGoesOver(size: Int?) throws {
    let shop = try shop()
    try shop.map(
      ["Note", "Tag", "Mark", "Page"].map { "{ source: \"\($0)\", destination: \"\($0)\" }" }.joined(
        separator: ","))
    let result = try shop.migrate(chunkSize: size)
    #expect(sorted(result.lines) == sorted(Self.lines))
    #expect(result.displaced == [])
    #expect(result.report.steps[0].joinRows.values.sorted() == [4])
  }

  @Test("it is enough to set either end of a relationship", arguments: [true, false])
  func oneEndSetsTheOther(isFirst: Bool) throws {
    let shop = try shop()
    let none =
      isFirst
      ? ["tag: null, marks: null, next: null, pages: null", "", "", ""]
      : ["previous: null", "notes: null", "notes: null", "note: null"]
    try shop.map(
      zip(["Note", "Tag", "Mark", "Page"], none).map {
        "{ source: \"\($0)\", destination: \"\($0)\", relationships: { \($1) } }"
      }.joined(separator: ","))
    let result = try shop.migrate()
    // `Note.pages` states the order. If only `Page.note` is set, the keys of the pages give the order.
    let pages = isFirst ? "(Page#1 Page#2 Page#4)" : "(Page#2 Page#4 Page#1)"
    #expect(
      sorted(result.lines) == sorted(Self.lines.map { $0.replacing("(Page#2 Page#4 Page#1)", with: pages) }))
  }

  @Test func keyPathsLeadOverSeveralSteps() throws {
    let shop = try Workshop(
      Self.family,
      "Note\n text String?\n top -> Tag.under\n second -> Tag\n all ->> Tag.around\n"
        + "Tag\n name String?\n under ->> Note.top\n around ->> Note.all")
    try shop.map(
      """
      { source: "Note", destination: "Note", relationships: { top: { path: "$source.tag.top.top" },
        second: "\(Self.call("TagToTag", "$source.tag.top"))",
        all: "\(Self.call("TagToTag", "$source.marks.notes.@distinctUnionOfSets.tag"))" } },
      { source: "Tag", destination: "Tag" }, { remove: "Mark" }, { remove: "Page" },
      """)
    try shop.makeStore(Self.rows)
    #expect(
      try shop.lines() == [
        "Note#1 text='a' second=Tag#2 top=Tag#3 all=[Tag#1]",
        "Note#2 text='b' second=Tag#2 top=Tag#3 all=[Tag#1 Tag#2]",
        "Note#3 text='c'", "Note#4 text='d' second=Tag#3 all=[Tag#1 Tag#2]",
        "Tag#1 name='x' around=[Note#1 Note#2 Note#4]", "Tag#2 name='y' around=[Note#2 Note#4]",
        "Tag#3 name='z' under=[Note#1 Note#2]",
      ])
  }

  @Test func theSourceItselfCanBeTheWholePath() throws {
    let shop = try Workshop(
      "Note\n text String?\n body String?",
      "Note\n text String?\n content -> Body.note\nBody\n body String?\n note -> Note.content")
    try shop.map(
      """
      { source: "Note", destination: "Note", relationships: { content: "\(Self.call("NoteToBody", "$source"))" } },
      { source: "Note", destination: "Body", filter: "body != nil" },
      """)
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZBODY) VALUES (1, 1, 1, 'a', 'A'), (2, 1, 1, 'b', NULL), (3, 1, 1, 'c', 'C')"
    )
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Body#1 body='A' note=Note#1", "Body#3 body='C' note=Note#3", "Note#1 text='a' content=Body#1",
        "Note#2 text='b'",
        "Note#3 text='c' content=Body#3",
      ])
    #expect(result.displaced == [])
  }

  @Test func entityColumnsSayWhatATargetHasBecome() throws {
    let old =
      "Item*\nImage < Item\n box -> Box.items\nText < Item\n box -> Box\nBox\n items ->> Image.box\n any -> Item"
    let shop = try Workshop(
      old,
      "Alpha\nItem*\n box -> Box.items\nPhoto < Item\nLetter < Item\nBox*\n items ->> Item.box\n any -> Item\nCrate < Box"
    )
    try shop.map(
      """
      { source: "Image", destination: "Photo" }, { source: "Text", destination: "Letter" },
      { source: "Box", destination: "Crate" }, { add: "Alpha" },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZBOX, ZBOX1) VALUES (1, 3, 1, 1, NULL), (2, 4, 1, NULL, 1), (3, 3, 1, NULL, NULL);
      INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZANY, Z2_ANY) VALUES (1, 1, 1, 2, 4), (2, 1, 1, 3, 3), (3, 1, 1, NULL, NULL);
      """)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Crate#1 any=Letter#2 items=[Photo#1]", "Crate#2 any=Photo#3", "Crate#3", "Letter#2",
        "Photo#1 box=Crate#1",
        "Photo#3",
      ])
  }

  @Test func relationshipsWithoutInverseStandByThemselves() throws {
    let shop = try Workshop(
      "Note\n tag -> Tag\n tags ->> Tag\nTag\n name String?",
      "Note\n tag -> Tag\n tags ->> Tag\n more String?\nTag\n name String?")
    try shop.map("{ source: \"Note\", destination: \"Note\" }, { source: \"Tag\", destination: \"Tag\" }")
    let owner = try #require(
      try StoreLayout(try shop.model("V1"), framework: FrameworkVersion(1344)).ownerColumn("tags", of: "Note"))
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTAG) VALUES (1, 1, 1, 2), (2, 1, 1, 2);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME, \(owner)) VALUES (1, 2, 1, 'x', 2), (2, 2, 1, 'y', 2);
      """)
    #expect(
      try shop.lines() == [
        "Note#1 tag=Tag#2", "Note#2 tag=Tag#2 tags=[Tag#1 Tag#2]", "Tag#1 name='x'", "Tag#2 name='y'",
      ])
  }

  @Test func filteredTargetsLeaveNothingDangling() throws {
    let shop = try shop()
    try shop.map(
      """
      { source: "Note", destination: "Note", filter: "text != 'b'" }, { source: "Tag", destination: "Tag", filter: "name != 'y'" },
      { source: "Mark", destination: "Mark" }, { source: "Page", destination: "Page", filter: "note.text == 'a'" },
      """)
    let result = try shop.migrate()
    #expect(
      sorted(result.lines)
        == sorted([
          "Mark#1 notes=[Note#1]", "Mark#2 notes=[Note#4]",
          "Note#1 text='a' tag=Tag#1 marks=[Mark#1] pages=(Page#2 Page#4 Page#1)", "Note#3 text='c'",
          "Note#4 text='d' marks=[Mark#2]", "Page#1 note=Note#1", "Page#2 note=Note#1", "Page#4 note=Note#1",
          "Tag#1 name='x' notes=[Note#1]", "Tag#3 name='z'",
        ]))
    #expect(result.displaced == [])
  }

  @Test func mergedTargetsTakeTheReferencesOfAllTheyCameFrom() throws {
    let shop = try shop()
    try shop.map(
      """
      { source: "Note", destination: "Note" }, { source: "Tag", destination: "Tag", uniqueBy: "TERNARY($source.name == 'z', 'z', 'xy')" },
      { source: "Mark", destination: "Mark" }, { source: "Page", destination: "Page" },
      """)
    let lines = try shop.lines()
    #expect(lines.contains("Tag#1 name='x' top=Tag#1 notes=[Note#1 Note#2 Note#4]"), "\(lines)")
    #expect(lines.contains("Tag#2 name='z'"), "\(lines)")
  }
}
