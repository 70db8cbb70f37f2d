import DecantStore
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Inferred steps: derived attributes, CloudKit") struct DerivedTests {
  private static let bare = "Item\n list -> List.items\nList\n items ->> Item.list"
  private static let derived =
    "\(bare)\n number Int64? derived 'items.@count'\n stamp Date? derived 'now()'"
  private static let rows = """
    INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZLIST) VALUES (1, 1, 1, 1), (2, 1, 1, 1), (3, 1, 1, NULL), (4, 1, 1, 99);
    """

  private func triggers(_ store: LogicalStore) throws -> [String] {
    try store.store.rows("SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid").map {
      LogicalStore.text($0[0])
    }
  }

  @Test(arguments: [nil, 1])
  func newOnesAreFilledAndTheirTriggersStandButDidNotRun(chunkSize: Int?) throws {
    let shop = try Workshop(Self.bare, Self.derived)
    try shop.makeStore(Self.rows)
    let before = Date().timeIntervalSinceReferenceDate
    let result = try shop.migrate(chunkSize: chunkSize)
    let lists = result.store.objects.sorted { $0.key < $1.key }.filter { $0.key.entity == "List" }.map(\.value)
    #expect(lists.map { $0.attributes["number"] } == [.integer(2), .integer(0)])
    for list in lists {
      guard case .real(let stamp)? = list.attributes["stamp"] else {
        Issue.record("no time")
        continue
      }
      #expect(stamp >= before - 1 && stamp <= Date().timeIntervalSinceReferenceDate + 1)
    }
    #expect(
      try triggers(result.store) == [
        "'Z_DA_ZITEM_List_number_PARAMETER_INSERT'", "'Z_DA_ZITEM_List_number_PARAMETER_UPDATE_INCREMENT'",
        "'Z_DA_ZITEM_List_number_PARAMETER_UPDATE_DECREMENT'", "'Z_DA_ZITEM_List_number_PARAMETER_DELETE'",
        "'Z_DA_ZLIST_List_number_SOURCE_INSERT'", "'Z_DA_ZLIST_List_stamp_INSERT'",
        "'Z_DA_ZLIST_List_stamp_UPDATE'",
      ])
    #expect(
      result.store.store.statements["Z_DA_ZITEM_List_number_PARAMETER_DELETE"]?.contains("ZNUMBER - 1") == true)
    #expect(result.store.metadata.framework == FrameworkVersion(1_344))
  }

  @Test func thoseThatWereThereKeepTheirTimesAndAreCountedAnew() throws {
    let shop = try Workshop(Self.derived, "Aaa\n\(Self.derived)\n x String?")
    try shop.makeStore(Self.rows + "UPDATE ZLIST SET ZNUMBER = 7, ZSTAMP = 5.5")
    // The result isn't compared with the source, whose counts are wrong.
    _ = try Migration.run(shop.job())
    #expect(
      try shop.read(shop.output, "V2").lines.filter { $0.hasPrefix("List") } == [
        "List#1 number=2 stamp=5.5 items=[Item#1 Item#2]", "List#2 number=0 stamp=5.5",
      ])
  }

  @Test func oneThatIsComputedOtherwiseTakesNothingOver() throws {
    let shop = try Workshop(
      "\(Self.bare)\n d Int64? derived 'items.@count'\n e Int64? derived 'items.@count'",
      "\(Self.bare)\n d Date? derived 'now()'\n e Int64? derived 'items.@count'")
    try shop.makeStore(Self.rows + "UPDATE ZLIST SET ZD = 3, ZE = 2")
    var job = shop.job()
    job.claimedAt = Date(timeIntervalSinceReferenceDate: 1000.5)
    _ = try Migration.run(job)
    #expect(
      try shop.read(shop.output, "V2").lines.filter { $0.hasPrefix("List") } == [
        "List#1 d=1000.5 e=2 items=[Item#1 Item#2]", "List#2 d=1000.5 e=0",
      ])
  }

  @Test func aNilTimeThatWasThereStaysNil() throws {
    let shop = try Workshop(Self.derived, "Aaa\n\(Self.derived)\n x String?")
    try shop.makeStore(Self.rows + "UPDATE ZLIST SET ZNUMBER = 2")
    _ = try Migration.run(shop.job())
    #expect(
      try shop.read(shop.output, "V2").lines.filter { $0.hasPrefix("List") } == [
        "List#1 number=2 items=[Item#1 Item#2]", "List#2 number=0",
      ])
  }

  @Test(arguments: [(1, false), (3, false), (5, false), (1, true), (2, true), (3, true)])
  func aResumedRunHasTheTimeOfTheOneThatBegan(stop: Int, isInPlace: Bool) throws {
    let shop = try Workshop(Self.bare, Self.derived)
    try shop.makeStore(Self.rows)
    var job = shop.job(chunkSize: 1)
    job.inferredWay = isInPlace ? .inPlace : .anew
    job.claimedAt = Date(timeIntervalSinceReferenceDate: 1000.5)
    let asked = Asked()
    let failure = #expect(throws: MigrationFailure.self) {
      try Migration.run(job, shouldStop: { asked.count() > stop })
    }
    #expect(failure?.disposition == .stopped)
    job.claimedAt = Date(timeIntervalSinceReferenceDate: 2000.5)
    let result = try shop.finished(try Migration.run(job))
    for (key, object) in result.store.objects where key.entity == "List" {
      #expect(object.attributes["stamp"] == .real(1000.5))
    }
  }

  /// `@unchecked Sendable`: only one run uses this object, with one call at a time.
  private final class Asked: @unchecked Sendable {
    private var number = 0

    func count() -> Int {
      number += 1
      return number
    }
  }

  @Test func aStoreOfAnOlderFrameworkIsWrittenForTheOldestThatKnowsDerivedAttributes() throws {
    let shop = try Workshop(Self.bare, Self.derived)
    try shop.makeStore(framework: 754, Self.rows)
    let result = try shop.migrate()
    #expect(result.store.metadata.framework == FrameworkVersion(977))
    #expect(try triggers(result.store).count == 7)
  }

  @Test func aDerivationWhoseTriggersAreNotKnownIsRefused() throws {
    let shop = try Workshop(Self.bare, "\(Self.bare)\n most Int64? derived 'items.size.@max'")
    try shop.makeStore("")
    let failure = try shop.failure()
    #expect(failure.reason == .unsettledLayout)
    let details = failure.details.joined()
    #expect(details.contains("List.most") && details.contains("items.size.@max"))
  }

  // MARK: CloudKit

  private static let cloudKit =
    HistoryTests.history + """
      CREATE TABLE ANSCKDATABASEMETADATA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER );
      CREATE INDEX ANSCKDATABASEMETADATA_Z_ENT_INDEX ON ANSCKDATABASEMETADATA (Z_ENT);
      INSERT INTO Z_PRIMARYKEY VALUES (17001, 'NSCKDatabaseMetadata', 0, 12);
      """

  @Test func aStoreMirroredByCloudKitIsRefusedUnlessTheFamilySaysReset() throws {
    let versions = ["Note\n a String?", "Note\n a String?\n b String?"]
    let row = "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x')"
    let shop = try Workshop(versions)
    try shop.makeStore(finally: Self.cloudKit, row)
    let failure = try shop.failure()
    #expect(failure.reason == .cloudKit)
    #expect(failure.advice.contains("cloudKit: \"reset\""))
    let reset = try Workshop(versions, family: "{ cloudKit: \"reset\" }")
    try reset.makeStore(finally: Self.cloudKit, row)
    let result = try reset.migrate()
    #expect(result.lines == ["Note#1 a='x'"])
    #expect(result.store.store.cloudKitTables == [])
    #expect(!result.store.store.statements.keys.contains { $0.hasPrefix("ANSCK") })
    #expect(try result.store.store.rows(HistoryTests.further).count == 3)
    #expect(result.report.warnings.contains { $0.contains("CloudKit") })
  }
}
