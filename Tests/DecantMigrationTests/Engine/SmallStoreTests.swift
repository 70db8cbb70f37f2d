import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCatalogue
@testable import DecantMigration
@testable import DecantReport

@Suite("Small stores, which are built in memory and written once") struct SmallStoreTests {
  /// The statements of a store's schema, sorted.
  private func schema(_ url: URL) throws -> [String] {
    try SQLiteDatabase(url.path, mode: .immutable).rows(
      "SELECT type || ' ' || name || ' ' || ifnull(sql, '') FROM sqlite_master ORDER BY 1"
    ).compactMap { if case .text(let text)? = $0.first { text } else { nil } }
  }

  private func pragma(_ name: String, _ url: URL) throws -> Int {
    try SQLiteDatabase(url.path, mode: .immutable).integer("PRAGMA \(name)")
  }

  @Test(
    "a store that is built in memory equals one that is built in a file, with any journal mode of the source",
    arguments: [true, false])
  func alike(usesWriteAheadLog: Bool) throws {
    let inFile = try RichStore.workshop()
    var file = inFile.job(chunkSize: 1_000_000)
    file.inferredWay = .anew
    file.shelf = CatalogueShelf()
    let small = try RichStore.workshop()
    for shop in [inFile, small] {
      try setMode(of: shop.source, usesWriteAheadLog)
    }
    let expected = try inFile.finished(try Migration.run(file))
    let result = try small.finished(try Migration.run(small.job()))
    #expect(result.store.objects == expected.store.objects)
    #expect(result.rows == expected.rows)
    #expect(result.report.warnings == expected.report.warnings)
    let (schema, expectedSchema) = (try schema(small.output), try schema(inFile.output))
    #expect(schema == expectedSchema)
    for name in ["page_size", "auto_vacuum", "freelist_count"] {
      let (value, expectedValue) = (try pragma(name, small.output), try pragma(name, inFile.output))
      #expect(value == expectedValue, "\(name)")
    }
    let header = try Data(contentsOf: small.output).prefix(20)
    #expect(header.suffix(2) == Data(usesWriteAheadLog ? [2, 2] : [1, 1]))
    #expect(!FileManager.default.fileExists(atPath: small.work.path))
  }

  private func setMode(of store: URL, _ usesWriteAheadLog: Bool) throws {
    let database = try SQLiteDatabase(store.path, mode: .readWrite)
    _ = try database.rows("PRAGMA journal_mode=\(usesWriteAheadLog ? "WAL" : "DELETE")")
  }

  @Test("a store that grows beyond the memory limit is built again as a file")
  func tooLarge() throws {
    let expected = try RichStore.workshop().migrate()
    let shop = try RichStore.workshop()
    var job = shop.job()
    job.smallStoreMemory = 16 << 10
    let result = try shop.finished(try Migration.run(job))
    #expect(result.store.objects == expected.store.objects)
    #expect(result.report.warnings == expected.report.warnings)
    #expect(!FileManager.default.fileExists(atPath: shop.work.path))
  }

  @Test("a run that was killed right after writing its store starts again")
  func killed() throws {
    let expected = try RichStore.workshop().migrate()
    for content in [Data(), Data("SQLite format 3\0 and no more".utf8)] {
      let shop = try RichStore.workshop()
      try FileManager.default.createDirectory(at: shop.work, withIntermediateDirectories: true)
      try content.write(to: shop.work.appendingPathComponent("step-1.sqlite.partial"))
      let result = try shop.migrate()
      #expect(result.store.objects == expected.store.objects)
    }
  }

  @Test("stores that one process migrates after each other get their own rows and reports")
  func oneAfterAnother() throws {
    let shelf = CatalogueShelf { Int(Date().timeIntervalSince1970) + 60 }
    let shop = try Workshop(
      """
      Note
        text String
        gone String?
      """,
      """
      Note
        text String
        more String = 'new'
        size Int32?
      """)
    var reports: [MigrationReport] = []
    for values in [["a", "b"], ["c"], []] {
      let rows = values.enumerated().map { "(\($0 + 1), 1, 1, '\($1)', '\($1)')" }
      try shop.makeStore(
        rows.isEmpty
          ? "" : "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZGONE) VALUES \(rows.joined(separator: ", "))")
      try? FileManager.default.removeItem(at: shop.output)
      var job = shop.job()
      job.shelf = shelf
      let result = try shop.finished(try Migration.run(job))
      #expect(result.store.objects.count == values.count)
      #expect(result.report.losses.map(\.values) == [values.count])
      reports.append(result.report)
    }
    #expect(reports.map { $0.steps[0].entities.map(\.migrated) } == [[2], [1], [0]])

    // The next store already uses a changed catalogue.
    try shop.folder.write(
      "{ dataLoss: \"refuse\" }", to: "models/Notes/family.json5")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZGONE) VALUES (1, 1, 1, 'a', 'b')")
    try? FileManager.default.removeItem(at: shop.output)
    var job = shop.job()
    job.shelf = shelf
    let refused = job
    let failure = #expect(throws: MigrationFailure.self) { try Migration.run(refused) }
    #expect(failure?.reason == .dataLoss)
  }
}
