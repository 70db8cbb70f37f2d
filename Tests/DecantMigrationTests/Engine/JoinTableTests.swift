import DecantStore
import Foundation
import Testing

@testable import DecantMigration

@Suite("Inferred steps: join tables") struct JoinTableTests {
  @Test func theTableFollowsWhenItsNamingEndItsNumberAndItsNameChange() throws {
    let shop = try Workshop(
      "Label\n marks ->> Note.labels\nNote\n labels ->> Label.marks",
      "Aaa\nZabel was Label\n notes ->> Note.tags was marks\nNote\n tags ->> Zabel.notes was labels")
    try shop.makeStore(
      """
      INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
      INSERT INTO Z_1MARKS (Z_1LABELS, Z_2MARKS) VALUES (1, 2), (2, 1), (2, 2);
      """)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Note#1 tags=[Zabel#2]", "Note#2 tags=[Zabel#1 Zabel#2]", "Zabel#1 notes=[Note#2]",
        "Zabel#2 notes=[Note#1 Note#2]",
      ])
    #expect(
      try result.store.store.rows("SELECT Z_2NOTES, Z_3TAGS FROM Z_2TAGS ORDER BY 1, 2") == [
        [.integer(1), .integer(2)], [.integer(2), .integer(1)], [.integer(2), .integer(2)],
      ])
    #expect(result.report.steps[0].joinRows == ["Z_2TAGS": 3])
  }

  private static func chain(_ attributes: Int) -> String {
    "Person\n previous ->> Person.next\n next ->> Person.previous\n"
      + (0..<attributes).map { " a\($0) String?\n" }.joined()
  }

  @Test func bothEndsOnOneEntityKeepTheirDirectionWhenANewAttributeTurnsTheTableRound() throws {
    // By the hash order of the names the fourth attribute makes “next” come first.
    let shop = try Workshop(Self.chain(3), Self.chain(4))
    try shop.makeStore(
      """
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1);
      INSERT INTO Z_1PREVIOUS (Z_1NEXT, Z_1PREVIOUS) VALUES (2, 1), (3, 1), (3, 2);
      """)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Person#1 next=[Person#2 Person#3]", "Person#2 next=[Person#3] previous=[Person#1]",
        "Person#3 previous=[Person#1 Person#2]",
      ])
    #expect(
      try result.store.store.rows("SELECT Z_1PREVIOUS, Z_1NEXT FROM Z_1NEXT ORDER BY 1, 2") == [
        [.integer(1), .integer(2)], [.integer(1), .integer(3)], [.integer(2), .integer(3)],
      ])
  }

  @Test func whereTheStoreContradictsTheHashRuleADestinationIsRefusedUnlessAReferenceStoreSettlesIt() throws {
    let shop = try Workshop(Self.chain(3), Self.chain(4))
    let rows = "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);"
    let turned = """
      DROP TABLE Z_1PREVIOUS;
      CREATE TABLE Z_1NEXT ( Z_1PREVIOUS INTEGER, Z_1NEXT INTEGER, PRIMARY KEY (Z_1PREVIOUS, Z_1NEXT) );
      INSERT INTO Z_1NEXT VALUES (1, 2);
      """
    try shop.makeStore(finally: turned, rows)
    #expect(try shop.failure().reason == "unsettled-layout")
    let reference = shop.catalogue.appendingPathComponent("Notes/reference")
    try FileManager.default.createDirectory(at: reference, withIntermediateDirectories: true)
    try shop.makeStore(of: "V2", rows)
    try FileManager.default.moveItem(at: shop.source, to: reference.appendingPathComponent("V2.sqlite"))
    try shop.makeStore(finally: turned, rows)
    #expect(try shop.migrate().lines == ["Person#1 next=[Person#2]", "Person#2 previous=[Person#1]"])
  }

  @Test func relationshipsOfOneNameToOneEntityKeepTheirPairsApart() throws {
    let shop = try Workshop(
      """
      Reaction
        users ->> User.reactions
      Message
        users ->> User.messages
      User
        messages ->> Message.users
        reactions ->> Reaction.users
      """,
      """
      Reaction
        users ->> User.zreactions
      Message
        users ->> User.messages
      User
        messages ->> Message.users
        zreactions ->> Reaction.users was reactions
      Aaa
      """)
    try shop.makeStore(
      """
      INSERT INTO ZMESSAGE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
      INSERT INTO ZREACTION (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1);
      INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 3, 1);
      INSERT INTO Z_1USERS (Z_1MESSAGES, Z_3USERS) VALUES (1, 2);
      INSERT INTO Z_2USERS (Z_2REACTIONS, Z_3USERS1) VALUES (1, 1);
      """)
    #expect(
      try shop.migrate().lines == [
        "Message#1 users=[User#2]", "Reaction#1 users=[User#1]", "User#1 zreactions=[Reaction#1]",
        "User#2 messages=[Message#1]",
      ])
  }
}
