import DecantStore
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Inferred steps: uniqueness") struct UniquenessTests {
  private static let versions = [
    "Note\n key String?\n part Int16?\nPage < Note",
    "Note\n key String?\n part Int16?\n unique key,part\nPage < Note",
  ]

  @Test(arguments: [641, 866, 1344])
  func duplicatesRefuseThePlanNamingEntityConstraintAndExample(framework: Int) throws {
    let shop = try Workshop(Self.versions)
    try shop.makeStore(
      framework: framework,
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKEY, ZPART) VALUES (1, 1, 1, 'a', 1), (2, 2, 1, 'a', 1),
        (3, 1, 1, 'a', 1), (4, 1, 1, 'b', 2), (5, 2, 1, 'b', 2), (6, 1, 1, 'c', 3);
      """)
    let failure = try shop.failure()
    #expect(failure.reason == .notUnique)
    #expect(failure.disposition == .refuse)
    #expect(
      failure.message
        == "Store.sqlite: Entity “Note”: 2 values of the uniqueness constraint “key” + “part” occur more than once, "
        + "such as “a” + 1."
    )
    #expect(throws: MigrationFailure.self) { try Migration.plan(shop.job()) }
    #expect(!FileManager.default.fileExists(atPath: shop.work.path))
  }

  @Test(arguments: [641, 866, 1344])
  func withoutDuplicatesTheConstraintIsInTheStore(framework: Int) throws {
    let shop = try Workshop(Self.versions)
    try shop.makeStore(
      framework: framework,
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKEY, ZPART) VALUES (1, 1, 1, 'a', 1), (2, 2, 1, 'a', 2),
        (3, 1, 1, 'A', 1), (4, 1, 1, 'a', NULL), (5, 2, 1, 'a', NULL), (6, 1, 1, NULL, NULL);
      """)
    let result = try shop.migrate()
    #expect(result.lines.count == 6)
    #expect(result.store.metadata.framework == FrameworkVersion(framework))
    if framework == 641 {
      #expect(
        result.store.store.statements["ZNOTE"]
          == "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPART INTEGER, "
          + "ZKEY VARCHAR, CONSTRAINT ZKEY_ZPART UNIQUE (ZKEY, ZPART))")
    } else {
      #expect(
        result.store.store.statements["Z_Note_UNIQUE_key_part"]
          == "CREATE UNIQUE INDEX Z_Note_UNIQUE_key_part ON ZNOTE (ZKEY COLLATE BINARY ASC, ZPART COLLATE BINARY ASC)"
      )
    }
  }

  @Test func duplicatesThatOnlyADefaultMakesAreFound() throws {
    let shop = try Workshop("Note\n key String?", "Note\n key String = none\n unique key")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKEY) VALUES (1, 1, 1, NULL), (2, 1, 1, 'none')")
    #expect(
      try shop.failure().message.contains(
        "1 value of the uniqueness constraint “key” occurs more than once, such as “none”"))
  }

  @Test func duplicatesInALaterStepAreFoundBeforeItsRowsAreWritten() throws {
    let shop = try Workshop(
      "Note\n key String?\n size String?", "Note\n key String?", "Note\n key String?\n size Int16?\n unique key"
    )
    try shop.makeStore(
      framework: 641, "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKEY) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'a')")
    let failure = try shop.failure()
    #expect(failure.reason == .notUnique)
    #expect(
      failure.message.hasPrefix("Store.sqlite: Entity “Note”: 1 value of the uniqueness constraint “key”"))
  }

  @Test(arguments: [641, 1344]) func aUniqueToOneIsCheckedAfterDanglingReferencesAreGone(framework: Int) throws
  {
    let versions = ["A\n b -> B.a\nB\n a -> A.b", "A\n b -> B.a\n unique b\nB\n a -> A.b"]
    let shop = try Workshop(versions)
    try shop.makeStore(
      framework: framework,
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZB) VALUES (1, 1, 1, 5), (2, 1, 1, 5), (3, 1, 1, 1);
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 2, 1, 3);
      """)
    #expect(try shop.migrate().lines == ["A#1", "A#2", "A#3 b=B#1", "B#1 a=A#3"])
    let other = try Workshop(versions)
    try other.makeStore(
      framework: framework,
      "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZB) VALUES (1, 1, 1, 1), (2, 1, 1, 1); INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) "
        + "VALUES (1, 2, 1)")
    #expect(try other.failure().reason == .notUnique)
  }

  @Test func aBinaryThatComesIntoTheTableIsComparedByItsBytes() throws {
    let versions = ["Note\n data Binary? external", "Note\n data Binary?\n unique data"]
    let shop = try Workshop(versions)
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (1, 1, 1, x'0161'), (2, 1, 1, x'0162')")
    #expect(try shop.migrate().lines == ["Note#1 data=x61", "Note#2 data=x62"])
    let other = try Workshop(versions)
    try other.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (1, 1, 1, x'0161'), (2, 1, 1, x'0161')")
    #expect(try other.failure().reason == .notUnique)
  }
}
