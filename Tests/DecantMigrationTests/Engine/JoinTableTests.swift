import DecantSQLite
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
    // With the fourth attribute, “next” comes first in the hash order of the names.
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
    #expect(try shop.failure().reason == .unsettledLayout)
    let reference = shop.catalogue.appendingPathComponent("Notes/reference")
    try FileManager.default.createDirectory(at: reference, withIntermediateDirectories: true)
    try Data("junk".utf8).write(to: reference.appendingPathComponent("Junk.sqlite"))
    try FileManager.default.copyItem(at: shop.source, to: reference.appendingPathComponent("Old.sqlite"))
    let advice = try shop.failure().advice
    #expect(advice.hasPrefix("Put a genuine store of version “V2” into "))
    #expect(advice.contains("reference/Junk.sqlite is not an SQLite database"), "\(advice)")
    #expect(advice.contains("reference/Old.sqlite is of version “V1”"), "\(advice)")
    try shop.makeStore(of: "V2", rows)
    try FileManager.default.moveItem(at: shop.source, to: reference.appendingPathComponent("V2.sqlite"))
    try shop.makeStore(finally: turned, rows)
    #expect(try shop.migrate().lines == ["Person#1 next=[Person#2]", "Person#2 previous=[Person#1]"])
  }

  @Test func whatTheStoreCallsItsTableIsKeptWhereTheEntitysPropertiesStayAndOnlyThere() throws {
    func entity(_ type: String, _ more: String = "") -> String {
      "Person\n next ->> Person.previous\n previous ->> Person.next\n a \(type)?\n\(more)"
    }
    let rows = "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);"
    func turned(_ layout: StoreLayout) throws -> (own: String, text: String) {
      let rule = try #require(layout.joinTables.first)
      let own = rule.name == "Z_1NEXT" ? "Z_1PREVIOUS" : "Z_1NEXT"
      return (
        own,
        "ALTER TABLE \(rule.name) RENAME TO \(own); INSERT INTO \(own) (Z_1PREVIOUS, Z_1NEXT) VALUES (1, 2);"
      )
    }
    // Another entity changes the entity number in the names of columns. The type of the attribute changes nothing.
    let shop = try Workshop(
      entity("Int16"), "Aaa\n" + entity("Int32"), "Aaa\n" + entity("Int32", " b String?\n"))
    let made = try turned(StoreLayout(shop.model("V1"), framework: .current))
    try shop.makeStore(finally: made.text, rows)
    let result = try shop.migrate(to: "V2")
    #expect(result.lines == ["Person#1 next=[Person#2]", "Person#2 previous=[Person#1]"])
    #expect(result.store.store.schema.tables[made.own.replacing("Z_1", with: "Z_2")] != nil)
    try FileManager.default.removeItem(at: shop.output.deletingLastPathComponent())
    let failure = try shop.failure(to: "V3")
    #expect(failure.reason == .unsettledLayout)
    #expect(
      failure.message.contains("The store calls the join table of “Person.")
        && failure.message.contains(made.own))
  }

  @Test func aContradictionIsNothingToADestinationWithoutJoinTables() throws {
    let shop = try Workshop(Self.chain(3), "Person\n" + (0..<3).map { " a\($0) String?\n" }.joined())
    try shop.makeStore(
      finally: "ALTER TABLE Z_1PREVIOUS RENAME TO Z_1NEXT;",
      "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);")
    #expect(try shop.migrate().lines == ["Person#1"])
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

  private static let two =
    "A\n u ->> B.v\n x ->> B.y\nB\n v ->> A.u\n y ->> A.x"
  private static let pairs = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
    INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1), (3, 2, 1);
    INSERT INTO Z_1X (Z_1Y, Z_2X) VALUES (1, 1), (1, 2), (1, 3);
    INSERT INTO Z_1U (Z_1V, Z_2U) VALUES (1, 1);
    """

  @Test func anIndexThatDisagreesWithItsJoinTableIsDamage() throws {
    let shop = try Workshop(Self.two, "\(Self.two)\n z String?")
    try shop.makeStore(
      Self.pairs + "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (2, 1, 1); UPDATE Z_1U SET Z_1V = 2;"
        + "INSERT INTO Z_1U (Z_1V, Z_2U) VALUES (2, 2), (2, 3);")
    // Exchanges the index pages of two primary keys with the same number of entries.
    var pages: [Int] = []
    var size = 0
    do {
      let database = try SQLiteDatabase(shop.source.path, mode: .immutable)
      size = try database.integer("PRAGMA page_size")
      for name in ["sqlite_autoindex_Z_1X_1", "sqlite_autoindex_Z_1U_1"] {
        pages.append(
          try database.integer("SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(name)]) - 1)
      }
    }
    var data = try Data(contentsOf: shop.source)
    try #require(pages.allSatisfy { $0 > 0 && ($0 + 1) * size <= data.count })
    let ranges = pages.map { $0 * size..<($0 + 1) * size }
    let (first, second) = (data.subdata(in: ranges[0]), data.subdata(in: ranges[1]))
    data.replaceSubrange(ranges[0], with: second)
    data.replaceSubrange(ranges[1], with: first)
    try data.write(to: shop.source)
    #expect(throws: Never.self, "the check of every page sees nothing") {
      try SourceStore(shop.source.path, scratch: shop.folder.path("scratch"))
    }
    let failure = try shop.failure()
    #expect(failure.reason == .damaged)
    #expect(failure.message.contains("the index sqlite_autoindex_Z_1"), "\(failure.message)")
  }

  @Test func danglingPairsAreAccountedFor() throws {
    let shop = try Workshop(Self.two, "\(Self.two)\n z String?")
    try shop.makeStore(Self.pairs + "INSERT INTO Z_1X (Z_1Y, Z_2X) VALUES (1, 99), (7, 1), (2, NULL);")
    let report = try Migration.run(shop.job())
    #expect(report.steps[0].joinRows == ["Z_1U": 1, "Z_1X": 3])
    #expect(report.warnings.contains { $0.hasPrefix("2 pairs of “A.x”") }, "\(report.warnings)")
  }

  @Test func aPartialIndexIsNoOrderOfItsTable() throws {
    let shop = try Workshop(Self.two, "\(Self.two)\n z String?")
    try shop.makeStore(
      finally: """
        DROP TABLE Z_1X; CREATE TABLE Z_1X ( Z_1Y INTEGER, Z_2X INTEGER );
        CREATE INDEX Z_1X_Z_1Y_INDEX ON Z_1X (Z_1Y) WHERE Z_2X > 1;
        CREATE INDEX Z_1X_Z_2X_INDEX ON Z_1X (Z_2X, Z_1Y);
        INSERT INTO Z_1X (Z_1Y, Z_2X) VALUES (1, 1), (1, 2), (1, 3);
        """, Self.pairs)
    let store = try SourceStore(shop.source.path, scratch: shop.folder.path("scratch"))
    #expect(store.leadingColumns["Z_1X"] == ["Z_2X"])
    #expect(try Migration.run(shop.job()).steps[0].joinRows == ["Z_1U": 1, "Z_1X": 3])
  }
}
