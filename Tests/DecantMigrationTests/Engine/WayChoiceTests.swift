import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantPasses

@Suite("Inferred steps: the choice between in place and anew") struct WayChoiceTests {
  /// The way and its reason as the plan states them for the first step, and how many rows change in each table.
  private func way(
    _ old: String, _ new: String, way: MigrationJob.InferredWay? = nil, family: String? = nil,
    sql: String, then: String = "", rewrite: Bool = false
  ) throws -> (words: String, extents: [String]) {
    let shop = try Workshop(old, new, family: family)
    try shop.makeStore(finally: then, sql)
    var job = shop.job(rewrite: rewrite)
    (job.inferredWay, job.mostSmallBytes) = (way, 0)
    let prepared = try JobPreparation(job: job).prepare()
    let chosen = try #require(prepared.ways[0])
    let extents = chosen.alteration?.extents([]).map { "\($0.0) \($0.1)" } ?? []
    return ("\(chosen.word): \(chosen.reason)", extents.sorted())
  }

  private static let notes =
    "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b')"

  @Test("a new column without a default, or a new name, changes no row")
  func noRow() throws {
    let found = try way(
      "Note\n text String?\n", "Note\n body String? was text\n more Int32?\n", sql: Self.notes)
    #expect(found.words == "in place: a copy of the store, of which less than 1 % changes")
    #expect(found.extents == ["ZNOTE none"])
  }

  @Test("a default of a new attribute changes all rows, a required value changes only rows without a value")
  func someRows() throws {
    let all = try way("Note\n text String?\n", "Note\n text String?\n more Int32 = 5\n", sql: Self.notes)
    #expect(all.words == "anew: about 100 % of the store changes, so a new file is quicker")
    let few = try way("Note\n text String?\n", "Note\n text String = 'none'\n", sql: Self.notes)
    #expect(few.words == "in place: a copy of the store, of which less than 1 % changes")
    #expect(few.extents == ["ZNOTE few"])
  }

  @Test("indexes that stay can outweigh changed rows, and the plan says so")
  func indexesThatStay() throws {
    let found = try way(
      "Note\n text String?\n index byText text\n", "Note\n text String?\n more Int32 = 5\n index byText text\n",
      sql: Self.notes)
    #expect(
      found.words
        == "in place: a copy of the store, of which about 100 % changes; in a new file all indexes would have to be built"
    )
  }

  @Test("a table that loses a column is written anew, and a copy is made only if most bytes stay")
  func lostColumn() throws {
    let (old, new) = (
      "Note\n text String?\n gone String?\nTag\n name String?\n", "Note\n text String?\nTag\n name String?\n"
    )
    let anew = try way(old, new, sql: Self.notes)
    #expect(anew.words == "anew: about 100 % of the store changes, so a new file is quicker")
    let inPlace = try way(
      old, new,
      sql: Self.notes + "; INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, hex(zeroblob(500)))")
    #expect(inPlace.words.hasPrefix("in place: a copy of the store, of which about"), "\(inPlace.words)")
    #expect(inPlace.extents == ["ZTAG none"])
  }

  @Test("the plan names what prevents a step in place")
  func obstacles() throws {
    let (old, new) = ("Note\n text String?\n", "Note\n text String?\n more Int32?\n")
    let reasons = try [
      way(old, new, way: .anew, sql: Self.notes), way(old, new, sql: Self.notes, rewrite: true),
      way(old, new, family: "{ rewrite: true }", sql: Self.notes),
      way(old, new, family: "{ validation: \"quarantine\" }", sql: Self.notes),
      way(old, new, sql: Self.notes, then: "PRAGMA journal_mode=DELETE; PRAGMA page_size=1024; VACUUM"),
      way(old, new, sql: Self.notes, then: "PRAGMA auto_vacuum=0; VACUUM"),
      way(old, new, sql: Self.notes, then: "PRAGMA auto_vacuum=1; VACUUM"),
    ].map(\.words)
    #expect(
      reasons == [
        "anew: a new file is asked for (--rewrite)", "anew: a new file is asked for (--rewrite)",
        "anew: family.json5 asks for it (rewrite: true)", "anew: invalid objects go to quarantine",
        "anew: the store's pages have 1024 bytes and not 4096",
        "anew: the store doesn't use incremental auto-vacuum",
        "anew: the store doesn't use incremental auto-vacuum",
      ])
  }

  @Test(
    "a table whose statement says more than the model is written anew; another form of the statement stays",
    arguments: [
      (
        "CREATE TABLE \"ZNOTE\" (Z_PK INTEGER PRIMARY KEY,Z_ENT INTEGER,\n`Z_OPT` INTEGER , [ZTEXT] varchar)",
        true
      ),
      ("CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, ZTEXT VARCHAR, Z_ENT INTEGER, Z_OPT INTEGER )", true),
      (
        "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR COLLATE NOCASE )",
        false
      ),
      (
        "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR, ZOLD VARCHAR )",
        false
      ),
      (
        "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR CHECK (ZTEXT <> '') )",
        false
      ),
    ])
  func statements(text: String, stays: Bool) throws {
    let shop = try Workshop("Note\n text String?\n", "Note\n text String?\n more Int32?\n")
    try shop.makeStore(
      finally: "DROP TABLE ZNOTE; \(text); INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a')",
      "")
    var job = shop.job(chunkSize: 5)
    job.inferredWay = .inPlace
    let prepared = try JobPreparation(job: job).prepare()
    let extents = try #require(prepared.ways[0]?.alteration).extents([]).map(\.0)
    #expect(extents == (stays ? ["ZNOTE"] : []))
    job.claimedAt = Date(timeIntervalSince1970: 1_700_000_000)
    #expect(try BothWays(job, in: shop.folder.url).differences == [])
  }
}
