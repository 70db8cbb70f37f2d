import DecantStore
import Testing

@testable import DecantMigration

@Suite("Mapping models: one object for each value of uniqueBy") struct UniqueByTests {
  private static let note = "Note\n kind String?\n text String?"
  private static let kinds =
    "Note\n text String?\n kinds ->> Kind.notes\nKind\n name String?\n first String?\n notes ->> Note.kinds"
  private static let mapping = """
    { name: "NoteToKind", source: "Note", destination: "Kind", uniqueBy: "$source.kind",
      attributes: { name: "$source.kind", first: "$source.text" } },
    { source: "Note", destination: "Note", relationships: { kinds: { path: "$source", mapping: "NoteToKind" } } },
    """

  @Test(arguments: [nil, 1, 2, 7])
  func eachDistinctValueGivesOneObjectNumberedByItsFirstSource(size: Int?) throws {
    let shop = try Workshop(Self.note, Self.kinds)
    try shop.map(Self.mapping)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZTEXT) VALUES (1, 1, 1, NULL, 'one'), (2, 1, 1, 'z', 'two'),
        (4, 1, 1, 'a', 'four'), (5, 1, 1, 'z', 'five'), (6, 1, 1, '', 'six'), (9, 1, 1, 'a', 'nine');
      """)
    let result = try shop.migrate(chunkSize: size)
    #expect(
      result.lines == [
        "Kind#1 first='two' name='z' notes=[Note#2 Note#5]",
        "Kind#2 first='four' name='a' notes=[Note#4 Note#9]",
        "Kind#3 first='six' name='' notes=[Note#6]", "Note#1 text='one'", "Note#2 text='two' kinds=[Kind#1]",
        "Note#4 text='four' kinds=[Kind#2]", "Note#5 text='five' kinds=[Kind#1]",
        "Note#6 text='six' kinds=[Kind#3]",
        "Note#9 text='nine' kinds=[Kind#2]",
      ])
    #expect(result.accounts == ["NoteToKind 6 = 5 + 1", "NoteToNote 6 = 6 + 0"])
    #expect(result.displaced == [])
  }

  @Test func bothNormalFormsOfAnAccentAreTwoValues() throws {
    let shop = try Workshop(Self.note, Self.kinds)
    try shop.map(Self.mapping)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND) VALUES (1, 1, 1, 'caf' || char(233)), (2, 1, 1, 'cafe' || char(769)),
        (3, 1, 1, 'caf' || char(233)), (4, 1, 1, 'CAF' || char(233));
      """)
    let lines = try shop.lines()
    #expect(lines.filter { $0.hasPrefix("Kind") }.count == 3)
    #expect(lines.contains("Note#3 kinds=[Kind#1]") && lines.contains("Note#2 kinds=[Kind#2]"))
  }

  @Test func aFilterAndAnExpressionDecideWhatIsDistinct() throws {
    let shop = try Workshop(Self.note, Self.kinds)
    try shop.map(
      """
      { name: "NoteToKind", source: "Note", destination: "Kind", filter: "text != nil",
        uniqueBy: "lowercase($source.kind)", attributes: { name: "lowercase($source.kind)" } },
      { source: "Note", destination: "Note", relationships: { kinds: { path: "$source", mapping: "NoteToKind" } } },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZTEXT) VALUES (1, 1, 1, 'A', 'x'), (2, 1, 1, 'a', 'x'),
        (3, 1, 1, 'b', NULL);
      """)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Kind#1 name='a' notes=[Note#1 Note#2]", "Note#1 text='x' kinds=[Kind#1]",
        "Note#2 text='x' kinds=[Kind#1]",
        "Note#3",
      ])
    #expect(result.accounts[0] == "NoteToKind 3 = 2 + 1")
  }

  @Test(arguments: [nil, 1, 2])
  func relationshipsOfAMergedObjectGatherWhatItsSourcesHave(size: Int?) throws {
    let shop = try Workshop(
      "Note\n kind String?\n tags ->> Tag.notes\n boss -> Tag\nTag\n notes ->> Note.tags",
      "Kind\n name String?\n tags ->> Tag.kinds\n boss -> Tag\nTag\n kinds ->> Kind.tags")
    try shop.map(
      """
      { source: "Tag", destination: "Tag" },
      { source: "Note", destination: "Kind", uniqueBy: "$source.kind", attributes: { name: "$source.kind" },
        relationships: { tags: { path: "$source.tags" }, boss: { path: "$source.boss" } } },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZBOSS) VALUES (1, 1, 1, 'a', NULL), (2, 1, 1, 'b', 1),
        (3, 1, 1, 'a', 3), (4, 1, 1, 'a', 2);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1), (3, 2, 1);
      INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS) VALUES (1, 1), (1, 2), (2, 3), (3, 2), (4, 3);
      """)
    #expect(
      try shop.lines(chunkSize: size) == [
        "Kind#1 name='a' boss=Tag#3 tags=[Tag#1 Tag#2 Tag#3]", "Kind#2 name='b' boss=Tag#1 tags=[Tag#3]",
        "Tag#1 kinds=[Kind#1]", "Tag#2 kinds=[Kind#1]", "Tag#3 kinds=[Kind#1 Kind#2]",
      ])
  }
}
