import Testing

@testable import DecantMigration
@testable import DecantVerification

/// Relationships of objects that `uniqueBy` makes.
///
/// A comparison sets these relationships object by object. The migration sets them by statements.
@Suite("Verification of shared objects") struct SharedObjectVerificationTests {
  @Test func anExistingTargetStays() throws {
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
    _ = try Migration.run(shop.job())
    #expect(MappedFixture.kinds(try shop.verify()) == [])
    try MappedFixture.change(shop.output, "UPDATE ZKIND SET ZBEST = 5 WHERE Z_PK = 1")
    #expect(MappedFixture.kinds(try shop.verify()) == ["changed-target Kind.best 1 [1 → 4]"])
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
    _ = try Migration.run(shop.job())
    let report = try shop.verify()
    #expect(MappedFixture.kinds(report) == [] && report.compared.orders == 1)
    try MappedFixture.change(shop.output, "UPDATE Z_1NOTES SET Z_FOK_2NOTES = -Z_FOK_2NOTES")
    #expect(MappedFixture.kinds(try shop.verify()) == ["changed-order Kind.notes 2 [1, 2]"])
  }
}
