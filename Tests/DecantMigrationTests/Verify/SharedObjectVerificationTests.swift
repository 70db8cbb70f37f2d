import Testing

@testable import DecantMigration
@testable import DecantVerification

/// Relationships of objects that `uniqueBy` makes.
///
/// A comparison sets these relationships object by object. The migration sets them by statements.
@Suite("Verification of shared objects") struct SharedObjectVerificationTests {
  @Test("the later mapping replaces targets that the other end had set", arguments: [nil, 1, 2])
  func replacedTargets(size: Int?) throws {
    let shop = try Workshop(
      "Note\n kind String?\n peer -> Note.peers\n peers ->> Note.peer",
      "Note\n bests ->> Kind.best\nKind\n best -> Note.bests")
    try shop.map(
      """
      { name: "Notes", source: "Note", destination: "Note",
        relationships: { bests: { path: "$source.peers", mapping: "Kinds" } } },
      { name: "Kinds", source: "Note", destination: "Kind", uniqueBy: "$source.kind",
        relationships: { best: { path: "$source", mapping: "Notes" } } },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZPEER) VALUES (1, 1, 1, 'a', 3), (2, 1, 1, 'a', 4),
        (3, 1, 1, 'b', NULL), (4, 1, 1, 'b', 1), (5, 1, 1, 'c', 3)
      """)
    // `migrate` compares with the row by row path.
    let result = try shop.migrate(chunkSize: size)
    // Before, kind 1 had note 4, kind 2 had note 2, and kind 3 had none.
    #expect(
      result.lines.filter { $0.hasPrefix("Kind") } == [
        "Kind#1 best=Note#1", "Kind#2 best=Note#3", "Kind#3 best=Note#5",
      ])
    #expect(result.displaced.map { String($0.suffix(13)) } == ["ad set: once.", "set: 3 times."])
    try MappedFixture.change(shop.output, "UPDATE ZKIND SET ZBEST = 5 WHERE Z_PK = 1")
    #expect(MappedFixture.kinds(try shop.verify()) == ["changed-target Kind.best 1 [1 → 1]"])
  }

  @Test("a one-to-one loses the pairs that the other end had set", arguments: [nil, 1, 2])
  func replacedPairs(size: Int?) throws {
    let shop = try Workshop(
      "Note\n kind String?\n peer -> Note.peers\n peers ->> Note.peer\n best -> Note.bests\n bests ->> Note.best",
      "Note\n kind -> Kind.note\nKind\n name String?\n note -> Note.kind")
    try shop.map(
      """
      { name: "Notes", source: "Note", destination: "Note",
        relationships: { kind: { path: "$source.peer", mapping: "Kinds" } } },
      { name: "Kinds", source: "Note", destination: "Kind", uniqueBy: "$source.kind",
        attributes: { name: "$source.kind" }, relationships: { note: { path: "$source.best", mapping: "Notes" } } },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZPEER, ZBEST) VALUES (1, 1, 1, 'a', 2, NULL),
        (2, 1, 1, 'b', 3, NULL), (3, 1, 1, 'c', 5, 2), (4, 1, 1, 'a', NULL, 3), (5, 1, 1, 'd', 1, 2),
        (6, 1, 1, 'a', NULL, 1), (7, 1, 1, 'c', NULL, 6)
      """)
    let result = try shop.migrate(chunkSize: size)
    // The notes had set 1–b, 2–c, 3–d and 5–a. Then “a” claims note 3, “c” and “d” claim note 2.
    #expect(
      result.lines == [
        "Kind#1 name='a' note=Note#3", "Kind#2 name='b'", "Kind#3 name='c'", "Kind#4 name='d' note=Note#2",
        "Note#1", "Note#2 kind=Kind#4", "Note#3 kind=Kind#1", "Note#4", "Note#5", "Note#6", "Note#7",
      ])
  }

  /// Statements can't set it: the order of the objects decides which pair stays.
  @Test("a relationship that is its own inverse is set object by object", arguments: [nil, 1, 2])
  func ownInverse(size: Int?) throws {
    let shop = try Workshop(
      "Note\n kind String?\n peer -> Note.peers\n peers ->> Note.peer",
      "Kind\n name String?\n other -> Kind.other")
    try shop.map(
      """
      { name: "Kinds", source: "Note", destination: "Kind", uniqueBy: "$source.kind",
        attributes: { name: "$source.kind" }, relationships: { other: { path: "$source.peer", mapping: "Kinds" } } },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZPEER) VALUES (1, 1, 1, 'a', NULL), (2, 1, 1, 'b', 3),
        (3, 1, 1, 'c', 3), (4, 1, 1, 'a', 2), (5, 1, 1, 'd', 2), (6, 1, 1, 'e', 6), (7, 1, 1, 'f', NULL)
      """)
    let result = try shop.migrate(chunkSize: size)
    #expect(
      result.lines == [
        "Kind#1 name='a'", "Kind#2 name='b' other=Kind#4", "Kind#3 name='c' other=Kind#3",
        "Kind#4 name='d' other=Kind#2", "Kind#5 name='e' other=Kind#5", "Kind#6 name='f'",
      ])
    try MappedFixture.change(shop.output, "UPDATE ZKIND SET ZOTHER = 6 WHERE Z_PK = 5")
    #expect(MappedFixture.kinds(try shop.verify()).contains { $0.hasPrefix("changed-target Kind.other 1 [5") })
  }

  @Test("of several objects that claim a target the last one has it", arguments: [nil, 1, 2])
  func severalClaims(size: Int?) throws {
    let shop = try Workshop(
      "Note\n kind String?\n peers ->> Note.sources\n sources ->> Note.peers",
      "Note\n text String?\n kind -> Kind.notes\nKind\n name String?\n notes ->> Note.kind ordered")
    try shop.map(
      """
      { name: "Notes", source: "Note", destination: "Note" },
      { name: "Kinds", source: "Note", destination: "Kind", uniqueBy: "$source.kind",
        attributes: { name: "$source.kind" },
        relationships: { notes: { path: "$source.peers", mapping: "Notes" } } },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (3, 1, 1, 'a'),
        (4, 1, 1, 'b'), (5, 1, 1, 'c'), (6, 1, 1, 'a');
      INSERT INTO Z_1PEERS (Z_1SOURCES, Z_1PEERS) VALUES (1, 1), (1, 2), (2, 1), (2, 3), (3, 3), (3, 2), (4, 2), (5, 4),
        (6, 4), (2, 5), (6, 6)
      """)
    // Kind “a” claims notes 1, 2, 3, 4 and 6, “b” claims 1, 2, 3 and 5, “c” claims 4. The members come by their keys.
    let result = try shop.migrate(chunkSize: size)
    #expect(
      result.lines.filter { $0.hasPrefix("Kind") } == [
        "Kind#1 name='a' notes=(Note#6)", "Kind#2 name='b' notes=(Note#1 Note#2 Note#3 Note#5)",
        "Kind#3 name='c' notes=(Note#4)",
      ])
  }

  @Test("a relationship that is its own inverse also gets objects of a later pass", arguments: [nil, 1])
  func ownInverseOfLaterPass(size: Int?) throws {
    let shop = try Workshop(
      "Note\n kind String?\n peer -> Note.peers\n peers ->> Note.peer",
      "Kind\n name String?\n other -> Kind.other")
    try shop.map(
      "One",
      """
      { name: "Kinds", source: "Note", destination: "Kind", uniqueBy: "$source.kind",
        attributes: { name: "$source.kind" }, relationships: { other: { path: "$source.peer", mapping: "Rest" } } },
      """, further: "order: 1,")
    try shop.map(
      "Two", "{ name: \"Rest\", source: \"Note\", destination: \"Kind\" },", further: "order: 2,")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZPEER) VALUES (1, 1, 1, 'a', 2), (2, 1, 1, 'b', NULL)")
    let lines = try shop.migrate(chunkSize: size).lines
    #expect(lines.filter { $0.contains("name=") } == ["Kind#3 name='a' other=Kind#2", "Kind#4 name='b'"])
  }

  @Test(
    "a target of a later pass keeps its owner of the last entity mapping",
    arguments: [
      "other -> Kind.other", "back -> Kind.other\n other -> Kind.back",
      "back -> Kind.other\n other ->> Kind.back",
    ], [nil, 1])
  func laterMapping(relationships: String, size: Int?) throws {
    let shop = try Workshop(
      "Note\n kind String?\n peer -> Note.peers\n peers ->> Note.peer",
      "Kind\n name String?\n \(relationships)")
    let other = "relationships: { other: { path: \"$source.peer\", mapping: \"Rest\" } }"
    for (order, (name, further)) in [
      ("First", other), ("Second", other), ("Rest", ""),
      ("Last", "filter: \"kind == 'b'\", \(other.replacing(".peer", with: ""))"),
    ].enumerated() {
      try shop.map(
        name,
        "{ name: \"\(name)\", source: \"Note\", destination: \"Kind\", attributes: { name: \"'\(name)'\" }, \(further) },",
        further: "order: \(order),")
    }
    // All three mappings claim the object of note 2, and the first two claim that of note 3.
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZPEER) VALUES (1, 1, 1, 'a', 2), (2, 1, 1, 'b', 3),
        (3, 1, 1, 'c', NULL)
      """)
    let result = try shop.migrate(chunkSize: size)
    let end = relationships.prefix(while: { $0 != " " })
    #expect(
      result.lines.filter { $0.contains("'Rest'") } == [
        "Kind#7 name='Rest'", "Kind#8 name='Rest' \(end)=Kind#10", "Kind#9 name='Rest' \(end)=Kind#5",
      ])
  }

  @Test("both ends in one entity mapping that runs row by row", arguments: ["", "uniqueBy: \"$source.kind\","])
  func bothEnds(unique: String) throws {
    let shop = try Workshop(
      "Note\n kind String?\n peer -> Note.peers\n peers ->> Note.peer",
      "Kind\n parent -> Kind.children\n children ->> Kind.parent")
    try shop.map(
      """
      { name: "Kinds", source: "Note", destination: "Kind", \(unique) relationships: {
          parent: { path: "$source.peers", mapping: "Kinds" }, children: { path: "$source.peers", mapping: "Kinds" } } },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZPEER) VALUES (1, 1, 1, 'b', 4), (2, 1, 1, 'c', NULL),
        (3, 1, 1, 'b', 1), (4, 1, 1, 'a', 3), (5, 1, 1, 'a', 5), (6, 1, 1, 'b', 2), (7, 1, 1, 'd', 2)
      """)
    var job = shop.job()
    job.goesByRows = true
    _ = try Migration.run(job)
    #expect(MappedFixture.kinds(try shop.verify()) == [])
    try MappedFixture.change(
      shop.output,
      "UPDATE ZKIND SET ZPARENT = NULL WHERE Z_PK = (SELECT min(Z_PK) FROM ZKIND WHERE ZPARENT NOTNULL)")
    #expect(MappedFixture.kinds(try shop.verify()).count == 1)
  }

  @Test func membersComeInTheOrderOfTheirKeys() throws {
    let shop = try Workshop(
      "Note\n kind String?\n peers ->> Note.sources ordered\n sources ->> Note.peers",
      "Note\n kinds ->> Kind.notes\nKind\n notes ->> Note.kinds ordered")
    try shop.map(
      """
      { name: "Notes", source: "Note", destination: "Note" },
      { name: "Kinds", source: "Note", destination: "Kind", uniqueBy: "$source.kind",
        relationships: { notes: { path: "$source.peers", mapping: "Notes" } } },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'a'), (3, 1, 1, 'b'),
        (4, 1, 1, 'b'), (5, 1, 1, 'c');
      INSERT INTO Z_1PEERS (Z_1SOURCES, Z_1PEERS, Z_FOK_1PEERS) VALUES (1, 5, 1), (1, 3, 2), (2, 4, 1), (2, 5, 2),
        (2, 1, 3), (3, 2, 1), (4, 1, 1)
      """)
    try shop.migrate()
    let report = try shop.verify()
    #expect(MappedFixture.kinds(report) == [] && report.compared.orders == 1)
    try MappedFixture.change(shop.output, "UPDATE Z_1NOTES SET Z_FOK_2NOTES = -Z_FOK_2NOTES")
    #expect(MappedFixture.kinds(try shop.verify()) == ["changed-order Kind.notes 2 [1, 2]"])
  }
}
