import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport
@testable import DecantSQLite
@testable import DecantStore

/// Large stores are checked while they are migrated.
///
/// Damage is reported as for small stores.
@Suite("Failures: large stores, which are checked while they are migrated")
struct LargeStoreFailureTests {
  private static let models = (
    "Note\n text String?\n tags ->> Tag.notes\nTag\n notes ->> Note.tags",
    "Note\n text String?\n more String?\n tags ->> Tag.notes\nTag\n notes ->> Note.tags"
  )

  /// A store larger than those that are checked beforehand.
  private func shop(finally: String = "") throws -> Workshop {
    let shop = try Workshop(Self.models.0, Self.models.1)
    try shop.makeStore(
      usesWriteAheadLog: false, finally: "CREATE INDEX odd ON ZNOTE (ZTEXT); \(finally)",
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
        + "WHERE i < 9000) SELECT i, 1, 1, i || hex(zeroblob(450)) FROM n;"
        + "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);"
        + "INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS) SELECT Z_PK, 1 + Z_PK % 2 FROM ZNOTE WHERE Z_PK <= 40")
    let bytes = try #require(try shop.source.resourceValues(forKeys: [.fileSizeKey]).fileSize)
    try #require(bytes > SourceChecks.smallest)
    return shop
  }

  /// The page numbers of a table's or index's pages below the root page.
  private func leaves(of name: String, in shop: Workshop) throws -> [Int] {
    let database = try SQLiteDatabase(shop.source.path, mode: .immutable)
    let root = try database.integer("SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(name)])
    let data = try Data(contentsOf: shop.source)
    let start = (root - 1) * 4096
    let cells = Int(data[start + 3]) << 8 | Int(data[start + 4])
    return (0..<cells).map { cell in
      let place = start + (Int(data[start + 12 + cell * 2]) << 8 | Int(data[start + 13 + cell * 2]))
      return (0..<4).reduce(0) { $0 << 8 | Int(data[place + $1]) }
    }
  }

  private func overwrite(_ page: Int, _ shop: Workshop) throws {
    var data = try Data(contentsOf: shop.source)
    data.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(count: 4096))
    try data.write(to: shop.source)
  }

  @Test func aSoundOneIsMigrated() throws {
    let shop = try shop()
    let report = try Migration.run(shop.job())
    #expect(report.steps[0].entities.map(\.source) == [9000, 2])
    #expect(try shop.verify(target: "V2").isEqual)
  }

  @Test("a page of zeros in a table or an index is damage", arguments: ["ZNOTE", "odd"])
  func zeros(name: String) throws {
    let shop = try shop()
    let pages = try leaves(of: name, in: shop)
    try overwrite(pages[pages.count / 2], shop)
    let failure = try shop.failure()
    #expect(failure.reason == .damaged)
    #expect(failure.disposition == .refuse)
    #expect(failure.message.hasPrefix("\(shop.source.path) is damaged: "), "\(failure.message)")
  }

  @Test("stray rows and wrong keys are reported as for small stores")
  func strayRows() throws {
    for (statement, message) in [
      ("UPDATE ZNOTE SET Z_ENT = 4 WHERE Z_PK > 8997", "table ZNOTE has 3 rows of entity number 4"),
      ("UPDATE ZNOTE SET Z_PK = 0 WHERE Z_PK = 41", "rows whose key (Z_PK) is not a whole number from 1 up"),
    ] {
      let failure = try shop(finally: statement).failure()
      #expect(failure.reason == .inconsistentStore)
      #expect(failure.message.contains(message), "\(failure.message)")
    }
  }

  @Test func anIndexThatDisagreesWithItsJoinTableIsDamage() throws {
    let shop = try shop(
      finally: "CREATE TABLE other (a INTEGER, b INTEGER, PRIMARY KEY (a, b)); "
        + "INSERT INTO other SELECT Z_1NOTES + 100, Z_2TAGS FROM Z_1TAGS;")
    // Replaces the index of the join table's primary key by that of `other`, which has the same number of entries.
    do {
      let database = try SQLiteDatabase(shop.source.path, mode: .immutable)
      let pages = try ["sqlite_autoindex_Z_1TAGS_1", "sqlite_autoindex_other_1"].map {
        try database.integer("SELECT rootpage FROM sqlite_master WHERE name = ?", [.text($0)])
      }
      var data = try Data(contentsOf: shop.source)
      let range = (pages[0] - 1) * 4096..<pages[0] * 4096
      data.replaceSubrange(range, with: data.subdata(in: (pages[1] - 1) * 4096..<pages[1] * 4096))
      try data.write(to: shop.source)
    }
    try SQLiteDatabase(shop.source.path, mode: .readWrite).execute("DROP TABLE other")
    let failure = try shop.failure()
    #expect(failure.reason == .damaged, "\(failure.message)")
  }

  @Test("without checks, unread damage isn't found; other faults are reported")
  func unchecked() throws {
    let shop = try shop(finally: "CREATE INDEX part ON ZNOTE (ZTEXT) WHERE Z_OPT > 0;")
    let pages = try leaves(of: "part", in: shop)
    try overwrite(pages[pages.count / 2], shop)
    #expect(try shop.failure().reason == .damaged)
    var job = shop.job()
    job.checksPages = false
    // A step in place copies the store with this index, and reads the index when it drops it.
    job.inferredWay = .anew
    let report = try Migration.run(job)
    #expect(report.steps[0].entities.map(\.source) == [9000, 2])
    #expect(report.warnings.contains { $0.hasPrefix("Pages and indexes") }, "\(report.warnings)")
    #expect(report.source == nil && report.destination == nil)

    let damaged = try self.shop()
    let rows = try leaves(of: "ZNOTE", in: damaged)
    try overwrite(rows[rows.count / 2], damaged)
    job = damaged.job()
    job.checksPages = false
    #expect(#expect(throws: MigrationFailure.self) { try Migration.run(job) }?.disposition == .refuse)
    #expect(!FileManager.default.fileExists(atPath: damaged.output.path))

    let odd = try self.shop(finally: "UPDATE ZNOTE SET Z_ENT = 4 WHERE Z_PK > 8997")
    job = odd.job()
    job.checksPages = false
    #expect(#expect(throws: MigrationFailure.self) { try Migration.run(job) }?.reason == .inconsistentStore)
  }

  @Test func aStopDoesntWaitForTheChecks() throws {
    let shop = try shop()
    let failure = #expect(throws: MigrationFailure.self) {
      try Migration.run(shop.job(chunkSize: 100), shouldStop: { true })
    }
    #expect(failure?.disposition == .stopped)
    #expect(!FileManager.default.fileExists(atPath: shop.output.path))
    #expect(try Migration.run(shop.job(chunkSize: 100)).result == .migrated)
  }

  @Test("a cancelled check never counts as passed")
  func givenUp() throws {
    let shop = try shop()
    let store = try SourceStore(shop.source.path, scratch: shop.folder.path("scratch"), isCheckedBeside: true)
    let gate = DispatchSemaphore(value: 0)
    try store.check { _ throws(StoreError) in gate.wait() }
    #expect(throws: StoreError.self) { try store.finishChecks { false } }
    gate.signal()
    #expect(throws: StoreError.self) { try store.finishChecks { true } }
    #expect(!store.hasFailedCheck)
  }

  @Test func metadataOnADamagedPageAreDamage() throws {
    let shop = try shop()
    let root = try SQLiteDatabase(shop.source.path, mode: .immutable).integer(
      "SELECT rootpage FROM sqlite_master WHERE name = 'Z_METADATA'")
    try overwrite(root, shop)
    #expect(try shop.failure().reason == .damaged)
  }

  @Test func whatElseIsWrongWaitsForThem() throws {
    let shop = try shop()
    let pages = try leaves(of: "odd", in: shop)
    try overwrite(pages[pages.count / 2], shop)
    // The catalogue has no version “V9”. The damage is reported first.
    let failure = try shop.failure(to: "V9")
    #expect(failure.reason == .damaged, "\(failure.message)")
  }
}
