import DecantMigration
import Foundation
import Testing

/// Working files that something else has damaged between two runs.
@Suite("Damage in a working file") struct DamagedWorkTests {
  /// Fills a page of a file, the first being 0, with what no page has.
  private static func damage(_ file: URL, page: Int) throws {
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: 0xA5, count: 4096))
    try bytes.write(to: file)
  }

  private static func pages(_ file: URL) throws -> Int { try Data(contentsOf: file).count / 4096 }

  @Test(
    "isn't blamed on the store, and the next run begins anew; whether the store's pages are looked at or not",
    arguments: [true, false])
  func ofOneStep(checksPages: Bool) throws {
    let whole = try PassChunkTests.rows(PassChunkTests.workshop().migrate())
    var damaged = 0
    var page = 1
    var isThrough = false
    while !isThrough {
      let shop = try PassChunkTests.workshop()
      let stopper = Stopper(after: 24)
      var job = shop.job(chunkSize: 7)
      job.checksPages = checksPages
      let begun = job
      #expect(throws: MigrationFailure.self) { try Migration.run(begun, shouldStop: stopper.shouldStop) }
      let file = shop.work.appendingPathComponent("step-1.sqlite.partial")
      isThrough = try Self.pages(file) <= page + 1
      try Self.damage(file, page: page)
      let source = try Data(contentsOf: shop.source)
      do throws(MigrationFailure) {
        _ = try Migration.run(job)
      } catch {
        #expect(error.reason == "damaged-work" && error.disposition == .fault, "page \(page): \(error)")
        damaged += 1
      }
      try? FileManager.default.removeItem(at: shop.output)
      let result = try shop.migrate(chunkSize: 7)
      #expect(try PassChunkTests.rows(result) == whole, "page \(page)")
      #expect(try Data(contentsOf: shop.source) == source)
      page += 1
    }
    // Without checks only what is read in passing is found.
    #expect(page > 10 && damaged > (checksPages ? 2 : 0), "\(damaged) of \(page)")
  }

  /// Three versions, each step with a mapping model.
  private static func chain() throws -> Workshop {
    let shop = try Workshop(
      "Note\n text String?", "Note\n text String?\n size Int32?", "Page\n text String?\n size Int32?")
    try shop.map(#"{ source: "Note", destination: "Note", attributes: { size: "$source.text.length" } }"#)
    try shop.map(
      "Pages", #"{ source: "Note", destination: "Page" }"#, further: "", source: "V2", destination: "V3")
    try shop.makeStore(
      "WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 60) INSERT INTO ZNOTE "
        + "(Z_PK, Z_ENT, Z_OPT, ZTEXT) SELECT k, 1, 1, printf('%0*d', 300 + k, k) FROM n")
    return shop
  }

  @Test("in the store of an earlier step isn't either")
  func ofAnEarlierStep() throws {
    let whole = try Self.chain().migrate(chunkSize: 7)
    #expect(whole.report.steps.count == 2)
    var damaged = 0
    var page = 0
    var isThrough = false
    while !isThrough {
      let shop = try Self.chain()
      let first = shop.work.appendingPathComponent("step-1.sqlite")
      #expect(throws: MigrationFailure.self) {
        try Migration.run(
          shop.job(chunkSize: 7),
          shouldStop: {
            FileManager.default.fileExists(
              atPath: shop.work.appendingPathComponent("step-2.sqlite.partial").path)
          })
      }
      isThrough = try Self.pages(first) <= page + 1
      try Self.damage(first, page: page)
      do throws(MigrationFailure) {
        _ = try Migration.run(shop.job(chunkSize: 7))
      } catch {
        #expect(error.reason == "damaged-work" && error.disposition == .fault, "page \(page): \(error)")
        damaged += 1
      }
      try? FileManager.default.removeItem(at: shop.output)
      #expect(try shop.migrate(chunkSize: 7).lines == whole.lines, "page \(page)")
      page += 1
    }
    #expect(page > 5 && damaged > 4, "\(damaged) of \(page)")
  }
}
