import DecantMigration
import DecantSQLite
import Foundation
import Testing

@testable import DecantReport

/// Working files that are damaged between two runs.
@Suite("Damage in a working file") struct DamagedWorkTests {
  /// Fills one page of a file with invalid bytes.
  ///
  /// The first page is 0.
  private static func damage(_ file: URL, page: Int) throws {
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: 0xA5, count: 4096))
    try bytes.write(to: file)
  }

  private static func pages(_ file: URL) throws -> Int { try Data(contentsOf: file).count / 4096 }

  @Test(
    "damage in a working file isn't reported as damage of the store, and the next run starts again",
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
        #expect(error.reason == .damagedWork && error.disposition == .fault, "page \(page): \(error)")
        damaged += 1
      }
      try? FileManager.default.removeItem(at: shop.output)
      let result = try shop.migrate(chunkSize: 7)
      #expect(try PassChunkTests.rows(result) == whole, "page \(page)")
      #expect(try Data(contentsOf: shop.source) == source)
      page += 1
    }
    // Without checks, only damage in the pages that the run reads is found.
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

  @Test("damage in the store of an earlier step isn't reported as damage of the source either")
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
        #expect(error.reason == .damagedWork && error.disposition == .fault, "page \(page): \(error)")
        damaged += 1
      }
      try? FileManager.default.removeItem(at: shop.output)
      #expect(try shop.migrate(chunkSize: 7).lines == whole.lines, "page \(page)")
      page += 1
    }
    #expect(page > 5 && damaged > 4, "\(damaged) of \(page)")
  }

  /// Makes the first entry in the last page of an index refer to a missing row.
  private static func misleadIndex(_ name: String, of store: URL) throws {
    let root = try SQLiteDatabase(store.path, mode: .immutable)
      .integer("SELECT rootpage FROM sqlite_master WHERE name = '\(name)'")
    var bytes = try Data(contentsOf: store)
    func number(_ place: Int, _ length: Int) -> Int {
      bytes[place..<place + length].reduce(0) { $0 << 8 | Int($1) }
    }
    var page = (root - 1) * 4096
    while bytes[page] == 2 { page = (number(page + 8, 4) - 1) * 4096 }
    // A cell has its length, a header of three bytes, the author, and the key in two bytes (sqlite.org/fileformat2).
    let cell = page + number(page + 8, 2)
    try #require(bytes[page] == 10 && bytes[cell + 1] == 3 && bytes[cell + 3] == 2)
    let end = cell + 1 + Int(bytes[cell])
    bytes.replaceSubrange(end - 2..<end, with: [0x7F, 0xF0])
    try bytes.write(to: store)
  }

  @Test(
    "a wrong entry in an index of the source is reported as damage of the source", arguments: [true, false])
  func ofTheStore(checksPages: Bool) throws {
    let shop = try Workshop(
      "Book\n pages Int32?\n author -> Author.books\nAuthor\n books ->> Book.author",
      "Book\n pages Int32?\n author -> Author.books\nAuthor\n pages Int64?\n books ->> Book.author")
    try shop.map(
      #"{ source: "Book", destination: "Book" }, "#
        + #"{ source: "Author", destination: "Author", attributes: { pages: "$source.books.@sum.pages" } }"#)
    try shop.makeStore(
      """
      WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 3000) INSERT INTO ZBOOK
        (Z_PK, Z_ENT, Z_OPT, ZPAGES, ZAUTHOR) SELECT k, 2, 1, k, 1 + k % 10 FROM n;
      INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT) SELECT Z_PK, 1, 1 FROM ZBOOK WHERE Z_PK <= 10
      """)
    try Self.misleadIndex("ZBOOK_ZAUTHOR_INDEX", of: shop.source)
    var job = shop.job()
    job.checksPages = checksPages
    let checked = job
    let before = try Data(contentsOf: shop.source)
    for _ in 0..<2 {
      let failure = #expect(throws: MigrationFailure.self) { try Migration.run(checked) }
      #expect(failure?.reason == .damaged && failure?.disposition == .refuse, "\(String(describing: failure))")
    }
    #expect(try Data(contentsOf: shop.source) == before)
  }
}
