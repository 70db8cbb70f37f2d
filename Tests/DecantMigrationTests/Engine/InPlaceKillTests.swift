import CatalogueSupport
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Inferred steps in place: killed runs") struct InPlaceKillTests {
  /// The largest number of states per store.
  ///
  /// By default it is a sample of all statements.
  private static let most = MatrixSettings.isWhole ? Int.max : 40

  /// Runs a job in place once, and once more from each state that a kill leaves, and compares the results.
  private func check(_ start: MigrationJob, in folder: URL, most: Int) throws {
    var job = start
    job.inferredWay = .inPlace
    job.claimedAt = Date(timeIntervalSince1970: 1_700_000_000)
    let place = URL(fileURLWithPath: folder.resolvingSymlinksInPath().path).appendingPathComponent("kill")
    func set(_ name: String, _ job: inout MigrationJob) {
      job.output = place.appendingPathComponent("\(name)/out.sqlite")
      job.workFolder = place.appendingPathComponent("\(name)/work")
    }
    set("first", &job)
    let counting = StatementSnapshots(of: job.workFolder, in: place.appendingPathComponent("none"), every: .max)
    let expected = try StatementTrap.with(folder: job.workFolder.path, action: { counting.take() }) {
      try Migration.run(job)
    }
    #expect(expected.steps.contains { $0.way == "in place" })
    let store = try SourceStore(job.output.path, scratch: place.appendingPathComponent("scratch").path)
    let total = counting.count.withLock { $0 }
    #expect(total > 20)

    set("second", &job)
    let snapshots = StatementSnapshots(
      of: job.workFolder, in: place.appendingPathComponent("states"), every: max(1, total / most))
    try FileManager.default.createDirectory(at: snapshots.place, withIntermediateDirectories: true)
    _ = try StatementTrap.with(folder: job.workFolder.path, action: { snapshots.take() }) {
      try Migration.run(job)
    }
    let states = snapshots.folders.withLock { $0 }
    // The number of statements differs a little from run to run, because the source is checked in parallel.
    #expect(states.count >= min(total, most) * 9 / 10)
    var resumed = 0
    for state in states {
      set("state-\(state.lastPathComponent)", &job)
      try FileManager.default.createDirectory(
        at: job.workFolder.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.moveItem(at: state, to: job.workFolder)
      let report = try Migration.run(job)
      let result = try SourceStore(job.output.path, scratch: place.appendingPathComponent("scratch").path)
      #expect(try BothWays.differences(store, result) == [], "after statement \(state.lastPathComponent)")
      #expect(report.warnings == expected.warnings && report.losses == expected.losses)
      #expect(report.steps.map(\.entities) == expected.steps.map(\.entities))
      resumed += report.steps.contains { $0.resumedChunks > 0 } ? 1 : 0
      try FileManager.default.removeItem(at: job.output.deletingLastPathComponent())
    }
    #expect(resumed > 0)
  }

  @Test("a run that is killed at any statement continues to the same result", arguments: [0, 1])
  func anyStatement(number: Int) throws {
    let shop = try number == 0 ? RichStore.workshop() : Self.renumbered()
    try check(shop.job(chunkSize: 2), in: shop.folder.url, most: Self.most)
  }

  @Test(
    "with a genuine store, a run that is killed at any statement continues to the same result",
    .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"),
    arguments: [
      ("wire", "store2-24-1.wiredatabase", nil), ("ddg-bookmarks", "Bookmarks_V1.sqlite", "BookmarksModel 6"),
      ("artsy-folio", "ArtsyPartner_1.4.sqlite", "ArtsyFolio v2.3"),
    ] as [(String, String, String?)])
  func genuine(folder: String, store: String, target: String?) throws {
    let genuine = try GenuineStore(folder, store)
    var job = genuine.job(to: target)
    job.chunkSize = 5
    try check(job, in: genuine.folder.url, most: Self.most)
  }

  @Test("a run that is killed at each 1000th row of a large table continues to the same result")
  func largeTable() throws {
    let shop = try Self.renumbered(rows: 20_000)
    try check(shop.job(chunkSize: 4_000), in: shop.folder.url, most: 25)
  }

  /// A store of 8 MiB or more is scanned during the migration.
  @Test("with a store that is scanned during the migration, a killed run continues to the same result")
  func scannedStore() throws {
    let shop = try Self.renumbered(rows: 20_000, text: 400)
    let size = try shop.source.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    try #require(size > 8 << 20)
    try check(shop.job(chunkSize: 4_000), in: shop.folder.url, most: MatrixSettings.isWhole ? 60 : 6)
    let ways = try BothWays(shop.job(), in: shop.folder.url)
    #expect(ways.hasCopied && ways.differences == [])
    #expect(ways.inPlace.source?.sha256 == ways.anew.source?.sha256)
  }

  /// A store whose second version gives other entity numbers, renames a column, and fills a new one.
  private static func renumbered(rows: Int = 12, text: Int = 0) throws -> Workshop {
    let shop = try Workshop(
      """
      Gone
        text String?
      Note
        text String
        count Int32
        tags ->> Tag.notes
      Tag
        name String
        notes ->> Note.tags
      """,
      """
      Added
        text String?
      Again
        text String?
      Note
        body String was text
        count Int32
        more String = 'new'
        tags ->> Tag.notes
      Tag
        name String
        notes ->> Note.tags
      """)
    try shop.makeStore(
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZCOUNT) SELECT i, 2, 1, 'note ' || i || hex(zeroblob(\(text / 2))), i FROM n;
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'a'), (2, 3, 1, 'b');
      INSERT INTO Z_2TAGS SELECT Z_PK, 1 + Z_PK % 2 FROM ZNOTE;
      INSERT INTO ZGONE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'x');
      """)
    return shop
  }
}
