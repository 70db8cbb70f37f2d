import DecantModel
import DecantStore
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Indexes and columns that Decant's rules leave open") struct OpenPointTests {
  private static let plain = "Note\n  a String?\n  b Int16?"
  private static let indexed = "\(plain)\n  c String?\n  index byA a,b where 'a != nil'"
  private static let row =
    "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x'), (2, 1, 1, NULL);"
  private static let statement =
    "CREATE INDEX Z_Note_byA ON ZNOTE (ZA COLLATE BINARY ASC, ZB COLLATE BINARY ASC) WHERE ZA IS NOT NULL"

  private func sentences(_ report: MigrationReport) -> [String] {
    report.warnings.filter { $0.contains("fetch index") }
  }

  @Test func anIndexWithAPredicateIsLeftOutAndNamedInPlanAndReport() throws {
    let shop = try Workshop(Self.plain, Self.indexed)
    try shop.makeStore(Self.row)
    let plan = try Migration.plan(shop.job())
    #expect(plan.warnings.contains { $0.contains("“Note.byA” of “V2” is left out") })
    let result = try shop.migrate()
    #expect(result.lines.count == 2)
    #expect(sentences(result.report).count == 1)
    #expect(result.store.store.statements["Z_Note_byA"] == nil)
  }

  @Test func aStoreThatStaysAtItsVersionKeepsItsOwnIndex() throws {
    let shop = try Workshop(Self.indexed)
    try shop.makeStore(finally: Self.statement, Self.row)
    let result = try shop.migrate(rewrite: true)
    #expect(result.store.store.statements["Z_Note_byA"] == Self.statement)
    #expect(sentences(result.report) == [])
  }

  @Test func aConditionThatCouldDoHarmIsNotTakenOver() throws {
    let shop = try Workshop(Self.indexed)
    let harm = Self.statement + " AND hex(zeroblob(ZB)) IS NOT NULL"
    try shop.makeStore(finally: harm, Self.row)
    let report = try Migration.run(shop.job(rewrite: true))
    let result = try shop.read(shop.output, "V1")
    #expect(result.store.statements["Z_Note_byA"] == nil)
    #expect(sentences(report).count == 1)
  }

  @Test func aReferenceStoreGivesTheIndex() throws {
    let shop = try Workshop(Self.plain, Self.indexed)
    let reference = shop.catalogue.appendingPathComponent("Notes/reference")
    try FileManager.default.createDirectory(at: reference, withIntermediateDirectories: true)
    let made = try shop.makeStore(of: "V2", finally: Self.statement, "")
    try FileManager.default.moveItem(at: made, to: reference.appendingPathComponent("V2.sqlite"))
    try shop.makeStore(Self.row)
    let result = try shop.migrate()
    #expect(result.store.store.statements["Z_Note_byA"] == Self.statement)
    #expect(sentences(result.report) == [])
  }

  // MARK: Intermediate versions

  /// Two entities have a property `s` in one table, so one of the two columns gets a digit.
  ///
  /// The rules don't say which one if a property `s1` is there, too.
  private static let doubtful =
    "Note\n a Int32?\n tags ->> Tag.notes\nMemo < Note\n s String?\n s1 String?\nPost < Note\n s String?\n"
    + "Tag\n name String?\n notes ->> Note.tags"

  @Test func aVersionThatIsOnlyPassedThroughMayBeStoredInAnyWay() throws {
    let plain = "Note\n a Int32?"
    let shop = try Workshop(plain, Self.doubtful, plain + "\n b Int32?")
    try shop.map(
      "First", "{ source: \"Note\", destination: \"Note\", relationships: { tags: null } }", further: "")
    try shop.map(
      "Second",
      "{ source: \"Note\", destination: \"Note\", attributes: { b: \"$source.a + 1\" } }, "
        + "{ remove: \"Memo\" }, { remove: \"Post\" }, { remove: \"Tag\" }",
      further: "", source: "V2", destination: "V3")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (4, 1, 1, 7)")
    func errors() throws -> [String] {
      try CatalogueCheck.report(at: shop.catalogue).families.flatMap(\.findings).map { "\($0)" }.filter {
        $0.contains("be migrated to version")
      }
    }
    #expect(try errors() == [])
    #expect(try shop.migrate().lines == ["Note#4 a=7 b=8"])
    // As the target, this version is refused, and the check has an error about it.
    try? FileManager.default.removeItem(at: shop.output.deletingLastPathComponent())
    #expect(try shop.failure(to: "V2").reason == .unsettledLayout)
    try shop.folder.write("{ target: \"V2\" }", to: "models/Notes/family.json5")
    #expect(try errors().count == 1)
  }

  @Test func theCheckSaysWhatIsWrongWithAnEditorsFile() throws {
    let shop = try Workshop("Note\n a Int32?", "Note\n a Int32?\n b Int32?")
    try shop.folder.write(
      "<?xml version=\"1.0\"?><database><object", to: "models/Notes/M.xcmappingmodel/xcmapping.xml")
    let findings = try CatalogueCheck.report(at: shop.catalogue).families.flatMap(\.findings).map { "\($0)" }
    #expect(findings.contains { $0.contains("readable mapping model: ") }, "\(findings)")
    #expect(!findings.contains { $0.contains("name an .xcmappingmodel") }, "\(findings)")
  }

  // MARK: Stores whose own tables leave a point open

  /// Makes a store with the hashes of the second version and with changed tables of the first version.
  private func makeOddStore(_ shop: Workshop, changes: String = "") throws {
    let hashes = StoreMetadata(uuid: Workshop.uuid, entries: [:]).updated(
      for: try shop.model("V2"), framework: .current)
    let list = CachingStore.blob(PropertyList.dictionary(hashes.entries).binaryData())
    try shop.makeStore(finally: "\(changes)UPDATE Z_METADATA SET Z_PLIST = \(list)", Self.row)
  }

  @Test func aStoreWhoseJoinTableIsNotKnownIsRefusedByThatName() throws {
    let shop = try Workshop(Self.plain, "\(Self.plain)\n  near ->> Note.near", "\(Self.plain)\n  c String?")
    for columns in ["Z_1NEAR1 INTEGER, Z_1NEAR2 INTEGER", "Z_1NEAR INTEGER, Z_1NEAR1 INTEGER"] {
      for name in ["Z_1NEAR", "Z_1NEARS"] {
        try makeOddStore(shop, changes: "CREATE TABLE \(name) ( \(columns) ); ")
        let failure = try shop.failure()
        #expect(failure.reason == .unsettledLayout, "\(failure)")
        #expect(
          failure.details == [
            "Note.near: how the join table of a relationship that is its own inverse is laid out"
          ])
        #expect(failure.advice.hasPrefix("Not even a genuine store settles that"), "\(failure.advice)")
      }
    }
  }

  @Test func aStoreWhoseSubentityHasNoColumnForARepeatedPropertyIsRefusedByThatName() throws {
    let child = "\nMemo < Note\n  d String?"
    let shop = try Workshop(
      Self.plain + child, "\(Self.plain)\(child)\n  a String?", "\(Self.plain)\(child)\n  c String?")
    try makeOddStore(shop)
    let failure = try shop.failure()
    #expect(failure.reason == .unsettledLayout, "\(failure)")
    #expect(
      failure.details == [
        "Memo.a: whether a property that its parent entity also declares has a column of its own"
      ])
    #expect(failure.advice.hasPrefix("The store's own tables give no answer"), "\(failure.advice)")
  }

  @Test func whatIsMissingBesidesIsToldOnceAsTheTablesOfAnotherVersion() throws {
    let shop = try Workshop(
      Self.plain, "\(Self.plain)\n  c String?\n  near ->> Note.near", "\(Self.plain)\n  d String?")
    try makeOddStore(shop, changes: "CREATE TABLE Z_1NEAR ( X INTEGER ); ")
    let failure = try shop.failure()
    #expect(failure.reason == .tablesOfAnotherVersion)
    #expect(
      failure.message.hasSuffix("another version: column ZNOTE.ZC, column Z_1NEAR.Z_1NEAR are missing."),
      "\(failure.message)")
  }

  // MARK: Composite attributes inside composite attributes

  @Test func aCompositeWithinACompositeIsRefusedByName() throws {
    let shop = try Workshop(Self.plain, "\(Self.plain)\n  place {deep:Composite?,n:Int16?}?")
    try shop.makeStore(Self.row)
    let failure = try shop.failure()
    #expect(failure.reason == .unsettledLayout)
    #expect(failure.message == "Version “V2”: it isn't known for certain how Core Data stores this.")
    #expect(
      failure.details == ["Note.place: which columns a composite attribute within a composite attribute has"])
    #expect(failure.advice.hasPrefix("Not even a genuine store settles that"))
  }

  /// Makes a store with a column for the number of the inner composite attribute.
  private func makeNestedStore(_ shop: Workshop) throws {
    try makeOddStore(
      shop, changes: "ALTER TABLE ZNOTE ADD COLUMN ZPLACEONE INTEGER; UPDATE ZNOTE SET ZPLACEONE = 7; ")
  }

  @Test(arguments: ["V1", "V3"])
  func aStoreWithOneIsNotMigratedWithoutItsValues(target: String) throws {
    let shop = try Workshop(
      Self.plain, "\(Self.plain)\n  place {deep:Composite?}?", "\(Self.plain)\n  c String?")
    try makeNestedStore(shop)
    let failure = try shop.failure(to: target)
    #expect(failure.reason == .unsettledLayout)
    #expect(failure.details.contains { $0.hasPrefix("Note.place: which columns") })
    #expect(!failure.advice.isEmpty)
  }

  @Test func aStoreWithOneThatIsThereAlreadyIsLeftAlone() throws {
    let shop = try Workshop(Self.plain, "\(Self.plain)\n  place {deep:Composite?}?")
    try makeNestedStore(shop)
    #expect(try Migration.run(shop.job()).result == .alreadyCurrent)
    #expect(try shop.failure(rewrite: true).reason == .unsettledLayout)
  }
}
