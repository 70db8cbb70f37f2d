import DecantCatalogue
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Paths over several versions, and paths that are refused") struct ChainTests {
  @Test func lossesOfAChainAreCountedUnderTheNamesOfTheStore() throws {
    let shop = try Workshop(
      "Note\n title String?\n size String?\n tags ->> Tag.notes\nTag\n notes ->> Note.tags\nOld\n x String?",
      "Memo was Note\n name String? was title\n extra String? = added\n labels ->> Tag.notes was tags\nTag\n notes ->> Memo.labels\n"
        + "Elder was Old\n x String?",
      "Memo was Note\n size Int16?\nTag")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZSIZE) VALUES (1, 1, 1, 'a', 'x'), (2, 1, 1, 'b', NULL);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1);
      INSERT INTO Z_1TAGS (Z_1NOTES, Z_3TAGS) VALUES (1, 1), (2, 1);
      INSERT INTO ZOLD (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1), (3, 2, 1);
      """)
    let result = try shop.migrate()
    #expect(result.report.steps.map(\.sourceVersion) == ["V1", "V2"])
    #expect(result.lines == ["Memo#1", "Memo#2", "Tag#1"])
    #expect(
      Set(result.losses.map { $0.split(separator: " →")[0] }) == [
        "attribute Note.size 1", "attribute Note.title 2", "entity Old 3", "relationship Note.tags 2",
        "relationship Tag.notes 2",
      ])
  }

  @Test func pairsThatChangedTheirNamesEndByEndAreCountedWhereTheyAreDropped() throws {
    let versions = [
      "A\n k Int32?\n x ->> B.y\nB\n y ->> A.x", "A\n l Int32?\n z ->> B.y\nB\n y ->> A.z",
      "A\n k String?\n z ->> B.w\nB\n w ->> A.z", "A\n k String?\n l String?\nB",
    ]
    let rows = """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
      INSERT INTO Z_1X (Z_1Y, Z_2X) VALUES (1, 1), (1, 2);
      """
    let shop = try Workshop(versions)
    try shop.makeStore(rows)
    let result = try shop.migrate()
    #expect(result.report.steps.count == 3)
    #expect(result.losses.filter { $0.hasPrefix("relationship") } == ["relationship B.y 2"])
    let strict = try Workshop(versions, family: "{ dataLoss: \"refuse\" }")
    try strict.makeStore(rows)
    #expect(try strict.failure().reason == .dataLoss)
  }

  /// Two steps, of which only the second makes the relationship one-to-one.
  private static let narrowing = [
    "A\n k Int32?\n b -> B\nB\n m String?", "A\n b -> B\nB\n m String?",
    "A\n k String?\n b -> B.a\nB\n m String?\n a -> A.b",
  ]
  private static let crowd = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZB) VALUES (1, 1, 1, 1), (2, 1, 1, 1), (3, 1, 1, 1);
    INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1);
    """

  @Test func pairsThatALaterStepLeavesOutAreCountedInTheStore() throws {
    let shop = try Workshop(Self.narrowing)
    try shop.makeStore(Self.crowd)
    #expect(try Migration.plan(shop.job()).losses.map(Migrated.words).contains("relationship A.b 2"))
    let result = try shop.migrate()
    #expect(result.report.steps.count == 2)
    #expect(result.lines == ["A#1", "A#2", "A#3 b=B#1", "B#1 a=A#3"])
    #expect(result.losses == ["attribute A.k 0", "relationship A.b 2"])
  }

  @Test func pairsThatALaterStepLeavesOutRefuseThePlanWhereLossIsForbidden() throws {
    let shop = try Workshop(Self.narrowing, family: "{ dataLoss: \"refuse\" }")
    try shop.makeStore(Self.crowd)
    let failure = try shop.failure()
    #expect(failure.reason == .dataLoss)
    #expect(failure.message.contains("relationship “A.b” with 2 targets"), "\(failure.message)")
  }

  @Test func whatCanBeInferredDirectlyTakesOneStep() throws {
    let shop = try Workshop(
      "Note\n a String?", "Note\n a String?\n b String?", "Note\n a String?\n b String?\n c String?")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x')")
    let result = try shop.migrate()
    #expect(result.report.steps.map(\.destinationVersion) == ["V3"])
    #expect(result.lines == ["Note#1 a='x'"])
  }

  @Test func aWayThroughAMappingModelThatNeedsAPolicyIsRefusedNamingItsFile() throws {
    let shop = try Workshop("Note\n a String?", "Note\n b String?", "Note\n b String?\n c String?")
    try shop.folder.write(
      "{ source: \"V1\", destination: \"V2\", entityMappings: [{ source: \"Note\", destination: \"Note\", policy: \"P\" }] }",
      to: "models/Notes/Step.mapping.json5")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x')")
    let failure = try shop.failure()
    #expect(failure.reason == .needsPolicy)
    #expect(failure.disposition == .catalogue)
    #expect(failure.message.contains(shop.catalogue.path + "/Notes/Step.mapping.json5"))
  }

  @Test func aMappingModelWithASlipInAVersionHoldsTheFamilyInsteadOfBeingBypassed() throws {
    let shop = try Workshop("Note\n a String?", "Note\n b String?")
    try shop.folder.write("{ source: \"V 1\", destination: \"V2\" }", to: "models/Notes/Step.mapping.json5")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x')")
    let failure = try shop.failure()
    #expect(failure.reason == .brokenFamily)
    #expect(failure.disposition == .catalogue)
    #expect(
      failure.message.contains(
        "Step.mapping.json5, line 1: the family has no version “V 1”; perhaps “V1” is meant; the versions are: V1, V2."
      )
    )
  }

  @Test func aMappingModelBesideTheWayStopsNothing() throws {
    let shop = try Workshop("Note\n a String?", "Note\n b String?", "Note\n b String?\n c String?")
    try shop.folder.write("{ source: \"V1\", destination: \"V2\" }", to: "models/Notes/Step.mapping.json5")
    try shop.makeStore(of: "V2", "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZB) VALUES (1, 1, 1, 'x')")
    #expect(try shop.migrate().lines == ["Note#1 b='x'"])
  }

  @Test func aChangeThatCannotBeInferredIsNamed() throws {
    let shop = try Workshop("Note\n a String?", "Note\n a Int16?")
    try shop.makeStore("")
    let failure = try shop.failure()
    #expect(failure.reason == .notInferable)
    #expect(
      failure.message
        == "The step from “V1” to “V2” can't be inferred: entity “Note”: attribute “a” changes its type from String to "
        + "Integer 16.")
  }

  @Test(
    arguments: [
      ("Note\n b String", "attribute “b” is new and required, and has no default"),
      ("Note\n a String", "attribute “a” becomes required and has no default"),
      ("Note\n a String?\n t String", "attribute “t” was transient and becomes stored and required"),
    ])
  func requiredAttributesWithoutAValueAreRefused(version: String, words: String) throws {
    let shop = try Workshop("Note\n a String?\n t String? transient", version)
    try shop.makeStore("")
    let failure = try shop.failure()
    #expect(failure.reason == .notInferable)
    #expect(failure.message.contains(words), "\(failure.message)")
  }

  @Test func aStoreThatFitsSeveralFamiliesNeedsItsFamilyNamed() throws {
    let shop = try Workshop("Note\n a String?", "Note\n a String?\n b String?")
    try FileManager.default.copyItem(
      at: shop.catalogue.appendingPathComponent("Notes"), to: shop.catalogue.appendingPathComponent("Others"))
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x')")
    let failure = try shop.failure()
    #expect(failure.reason == .ambiguousFamily)
    #expect(failure.message.contains("“Notes”, “Others”"))
    var job = shop.job()
    job.family = "Others"
    #expect(try Migration.run(job).family == "Others")
    job.family = "None"
    #expect(throws: MigrationFailure.self) { try Migration.plan(job) }
  }

  @Test func unknownTargetsAndVersionsAreRefusedByName() throws {
    let shop = try Workshop("Note\n a String?", "Note\n a String?\n b String?")
    try shop.makeStore("")
    let unknown = try shop.failure(to: "V9")
    #expect(unknown.reason == .unknownTarget)
    #expect(unknown.message == "Family “Notes” has no version “V9”.")
    let stranger = try Workshop("Note\n a String?\n z Int16?", "Tag")
    try stranger.makeStore("")
    try FileManager.default.removeItem(at: shop.source)
    try FileManager.default.copyItem(at: stranger.source, to: shop.source)
    let failure = try shop.failure()
    #expect(failure.reason == .unknownVersion)
    #expect(failure.message.contains("“V1” of family “Notes” (changed: “Note”)"))
  }

  @Test func aStoreIsBroughtToAnOlderVersionOnRequestWithAWarning() throws {
    let shop = try Workshop("Note\n a String?", "Note\n a String?\n b String?")
    try shop.makeStore(of: "V2", "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA, ZB) VALUES (1, 1, 1, 'x', 'y')")
    let result = try shop.migrate(to: "V1")
    #expect(result.lines == ["Note#1 a='x'"])
    #expect(result.losses == ["attribute Note.b 1"])
    #expect(result.report.warnings.contains { $0.contains("seems to be older") })
  }
}
