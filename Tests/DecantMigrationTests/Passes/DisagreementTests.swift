import Testing

@testable import DecantMigration

@Suite("Mapping models: two ends of a relationship that disagree") struct DisagreementTests {
  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTAG, ZOTHER) VALUES (1, 1, 1, 1, 2), (2, 1, 1, 1, 1), (3, 1, 1, 2, NULL);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
    """
  private static let old =
    "Note\n tag -> Tag.notes\n other -> Tag.others\nTag\n notes ->> Note.tag\n others ->> Note.other"
  private static let new = "Note\n tag -> Tag.notes\nTag\n notes ->> Note.tag"

  @Test("the later entity mapping wins, with a warning", arguments: [nil, 1, 2], [true, false])
  func toOneAndToMany(size: Int?, isNoteFirst: Bool) throws {
    let shop = try Workshop(Self.old, Self.new)
    let note =
      "{ source: \"Note\", destination: \"Note\", relationships: { tag: { path: \"$source.other\" } } },"
    let tag = "{ source: \"Tag\", destination: \"Tag\" },"
    try shop.map(isNoteFirst ? note + tag : tag + note)
    try shop.makeStore(Self.rows)
    let result = try shop.migrate(chunkSize: size)
    if isNoteFirst {
      #expect(
        result.lines == [
          "Note#1 tag=Tag#1", "Note#2 tag=Tag#1", "Note#3 tag=Tag#2", "Tag#1 notes=[Note#1 Note#2]",
          "Tag#2 notes=[Note#3]",
        ])
      #expect(
        result.displaced == [
          "“TagToTag” replaced pairs of “Tag.notes” that another entity mapping, the other end or another object had "
            + "set: once."
        ])
    } else {
      #expect(
        result.lines == [
          "Note#1 tag=Tag#2", "Note#2 tag=Tag#1", "Note#3", "Tag#1 notes=[Note#2]", "Tag#2 notes=[Note#1]",
        ])
      #expect(
        result.displaced == [
          "“NoteToNote” replaced pairs of “Note.tag” that another entity mapping, the other end or another object had "
            + "set: 2 times."
        ])
    }
  }

  @Test("if two passes disagree, the later pass wins", arguments: [nil, 1], [true, false])
  func passes(size: Int?, isNoteFirst: Bool) throws {
    let shop = try Workshop(Self.old, Self.new)
    try shop.map(
      "N", "{ source: \"Note\", destination: \"Note\", relationships: { tag: { path: \"$source.other\" } } }",
      further: "order: \(isNoteFirst ? 1 : 2),")
    try shop.map("T", "{ source: \"Tag\", destination: \"Tag\" }", further: "order: \(isNoteFirst ? 2 : 1),")
    try shop.makeStore(Self.rows)
    #expect(
      try shop.lines(chunkSize: size)
        == (isNoteFirst
          ? [
            "Note#1 tag=Tag#1", "Note#2 tag=Tag#1", "Note#3 tag=Tag#2", "Tag#1 notes=[Note#1 Note#2]",
            "Tag#2 notes=[Note#3]",
          ]
          : ["Note#1 tag=Tag#2", "Note#2 tag=Tag#1", "Note#3", "Tag#1 notes=[Note#2]", "Tag#2 notes=[Note#1]"]))
  }

  @Test("a to-one that several objects claim goes to the last of them", arguments: [nil, 1, 2])
  func claims(size: Int?) throws {
    let shop = try Workshop(
      "A\n b -> B\n bs ->> B.as\nB\n as ->> A.bs",
      "A\n b -> B.a\n bs ->> B.owner ordered\nB\n a -> A.b\n owner -> A.bs")
    try shop.map("{ source: \"A\", destination: \"A\" }, { source: \"B\", destination: \"B\" }")
    try shop.makeStore(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZB) VALUES (1, 1, 1, 1), (2, 1, 1, 2), (3, 1, 1, 1);
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1), (3, 2, 1);
      INSERT INTO Z_1BS (Z_1AS, Z_2BS) VALUES (1, 1), (1, 2), (1, 3), (2, 2), (3, 1);
      """)
    let result = try shop.migrate(chunkSize: size)
    #expect(
      result.lines == [
        "A#1 bs=(B#3)", "A#2 b=B#2 bs=(B#2)", "A#3 b=B#1 bs=(B#1)", "B#1 a=A#3 owner=A#3",
        "B#2 a=A#2 owner=A#2",
        "B#3 owner=A#1",
      ])
    #expect(
      result.displaced.map {
        $0.hasPrefix("“AToA” replaced pairs of “A.b” ") ? "b \($0.suffix(8))" : "bs \($0.suffix(8))"
      }
        == ["b t: once.", "bs 2 times."])
  }

  @Test func anEmptyExpressionTakesAwayWhatTheOtherEndHadSet() throws {
    let shop = try Workshop(Self.old, Self.new)
    try shop.map(
      "{ source: \"Note\", destination: \"Note\" }, { source: \"Tag\", destination: \"Tag\", relationships: { notes: \"nil\" } }"
    )
    try shop.makeStore(Self.rows)
    let result = try shop.migrate()
    #expect(result.lines == ["Note#1", "Note#2", "Note#3", "Tag#1", "Tag#2"])
    #expect(result.displaced.count == 1 && result.displaced[0].hasSuffix("3 times."))
  }

  private static let shared = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTAG) VALUES (1, 1, 1, 1), (2, 1, 1, 1), (3, 1, 1, 2), (4, 1, 1, 3);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'a'), (2, 2, 1, 'b'), (3, 2, 1, 'a');
    INSERT INTO Z_1LIKED (Z_1FANS, Z_2LIKED) VALUES (1, 1), (2, 3), (4, 2);
    """

  @Test(
    "an object of uniqueBy replaces the targets that the other end had set", arguments: [nil, 1, 2],
    [true, false])
  func sharedToMany(size: Int?, isNoteFirst: Bool) throws {
    let model =
      "Note\n tag -> Tag.notes\n liked ->> Tag.fans\nTag\n name String?\n notes ->> Note.tag\n fans ->> Note.liked"
    // Notes and tags disagree: each destination tag gets the notes that like it, but each note keeps its own tag.
    let shop = try Workshop(
      model, "Note\n tag -> Tag.notes\nTag\n name String?\n notes ->> Note.tag ordered\n more String?")
    let note = "{ source: \"Note\", destination: \"Note\" },"
    let tag =
      "{ source: \"Tag\", destination: \"Tag\", uniqueBy: \"$source.name\", "
      + "relationships: { notes: { path: \"$source.fans\" } } },"
    try shop.map(isNoteFirst ? note + tag : tag + note)
    try shop.makeStore(Self.shared)
    // `migrate` also runs row by row and compares both results.
    let result = try shop.migrate(chunkSize: size)
    let notes = result.lines.filter { $0.hasPrefix("Note") }
    #expect(
      notes
        == (isNoteFirst
          ? ["Note#1 tag=Tag#1", "Note#2 tag=Tag#1", "Note#3", "Note#4 tag=Tag#2"]
          : ["Note#1 tag=Tag#1", "Note#2 tag=Tag#1", "Note#3 tag=Tag#2", "Note#4 tag=Tag#1"]))
    #expect(!result.displaced.isEmpty)
  }

  @Test("an object of uniqueBy replaces targets of a many-to-many", arguments: [nil, 1, 2], [true, false])
  func sharedManyToMany(size: Int?, isNoteFirst: Bool) throws {
    let model =
      "Note\n tag -> Tag.notes\n liked ->> Tag.fans\nTag\n name String?\n notes ->> Note.tag\n fans ->> Note.liked"
    let shop = try Workshop(
      model, "Note\n liked ->> Tag.fans\nTag\n name String?\n fans ->> Note.liked\n more String?")
    let note = "{ source: \"Note\", destination: \"Note\" },"
    let tag =
      "{ source: \"Tag\", destination: \"Tag\", uniqueBy: \"$source.name\", "
      + "relationships: { fans: { path: \"$source.notes\" } } },"
    try shop.map(isNoteFirst ? note + tag : tag + note)
    try shop.makeStore(Self.shared)
    let result = try shop.migrate(chunkSize: size)
    let tags = result.lines.filter { $0.hasPrefix("Tag") }.map { $0.replacing(#/ name='.'/#, with: "") }
    #expect(
      tags
        == (isNoteFirst
          ? ["Tag#1 fans=[Note#1 Note#2 Note#4]", "Tag#2 fans=[Note#3]"]
          : ["Tag#1 fans=[Note#1 Note#2]", "Tag#2 fans=[Note#4]"]))
    #expect(!result.displaced.isEmpty)
  }
}
