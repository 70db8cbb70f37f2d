import DecantSQLite
import DecantStore
import Foundation
import Testing

@testable import DecantMigration

/// The disk space that a plan estimates, compared with the real need.
@Suite("The disk need of a plan") struct DiskNeedTests {
  /// 12,000 notes of 300 bytes, together 4 MB, and 40 pictures of 20,000 bytes.
  private static func shop(_ mappings: String) throws -> Workshop {
    let shop = try Workshop(
      "Note\n text String?\n rank Int32?\nPicture\n data Binary?",
      "Note\n text String?\n rank Int32?\nCopy\n text String?\nPicture\n data Binary?\nFrame\n data Binary?")
    let left = ["Note", "Picture"].filter { !mappings.contains("source: \"\($0)\"") }
    try shop.map(([mappings] + left.map { "{ remove: \"\($0)\" }" }).joined(separator: ", "))
    try shop.makeStore(
      "WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 12000) INSERT INTO ZNOTE "
        + "(Z_PK, Z_ENT, Z_OPT, ZRANK, ZTEXT) SELECT k, 1, 1, k % 4, printf('%0300d', k) FROM n; "
        + "WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 40) INSERT INTO ZPICTURE "
        + "(Z_PK, Z_ENT, Z_OPT, ZDATA) SELECT k, 2, 1, zeroblob(20000) FROM n")
    return shop
  }

  private static let pictures = #"{ source: "Picture", destination: "Picture" }"#

  private static func range(_ destination: String, _ filter: String) -> String {
    #"{ name: "\#(destination) \#(filter)", source: "Note", destination: "\#(destination)", filter: "\#(filter)", "#
      + #"attributes: { text: "$source.text" } }"#
  }

  private static func size(_ file: URL) throws -> Double {
    Double(try #require(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize))
  }

  @Test(
    "the disk need is more than the size of the result, and less than twice that size",
    arguments: [
      #"{ source: "Note", destination: "Note" }, \#(pictures)"#,
      // Two or three objects are made from each note.
      #"{ source: "Note", destination: "Note" }, { name: "C", source: "Note", destination: "Copy" }, \#(pictures)"#,
      #"{ source: "Note", destination: "Note" }, { name: "C", source: "Note", destination: "Copy" }, "#
        + #"{ name: "D", source: "Note", destination: "Copy" }, \#(pictures)"#,
      // Two large objects are made from each picture.
      #"{ source: "Note", destination: "Note" }, \#(pictures), { name: "F", source: "Picture", destination: "Frame" }"#,
      // The result has fewer objects than the source.
      pictures,
      // Several filters take ranges of one entity, and together each note once.
      "\(range("Note", "rank < 2")), \(range("Note", "rank == 2")), \(range("Copy", "rank > 2")), \(pictures)",
    ])
  func measured(mappings: String) throws {
    let shop = try Self.shop(mappings)
    let plan = try Migration.plan(shop.job())
    _ = try shop.migrate()
    let result = try Self.size(shop.output)
    let need = Double(plan.diskBytes - 1_048_576)
    #expect(need > result && need < result * 2, "\(need) for \(result)")
  }

  @Test("with overlapping filters, the disk need is that of the rows that each filter takes, if counted")
  func counted() throws {
    let shop = try Self.shop(
      "\(Self.range("Note", "rank < 4")), \(Self.range("Copy", "rank < 4")), \(Self.pictures)")
    let counted = try Migration.plan(shop.job()).diskBytes
    let whole = try Self.shop(
      #"{ source: "Note", destination: "Note" }, { name: "C", source: "Note", destination: "Copy" }, \#(Self.pictures)"#
    )
    #expect(try Migration.plan(whole.job()).diskBytes == counted)
    let few = try Self.shop("\(Self.range("Note", "rank == 1")), \(Self.pictures)")
    _ = try few.migrate()
    let need = try Migration.plan(few.job()).diskBytes
    #expect(Double(need - 1_048_576) < (try Self.size(few.output)) * 2)
  }

  @Test("if uniqueBy differs in all rows, the disk need includes its values")
  func unique() throws {
    let shop = try Self.shop(
      Self.pictures + #", { source: "Note", destination: "Note", uniqueBy: "$source.text" }"#)
    let need = try Migration.plan(shop.job()).diskBytes
    _ = try shop.migrate()
    #expect(Double(need) > (try Self.size(shop.output)))
  }

  @Test("a run counts the rows that filters take before it says that there is no room")
  func countedForTheRun() throws {
    let shop = try Self.shop("\(Self.range("Note", "rank == 5")), \(Self.pictures)")
    let prepared = try JobPreparation(job: shop.job()).prepare()
    defer { prepared.store.endChecks() }
    let need = try DiskNeed(counting: prepared) { true }.bytes(external: 0)
    #expect(need < prepared.plan.diskBytes / 2)
    #expect(try Migration.plan(shop.job()).diskBytes == need)
  }

  @Test("keys with wide gaps don't count as rows that need space")
  func gaps() throws {
    let shop = try Self.shop(
      #"{ source: "Note", destination: "Note" }, { name: "C", source: "Note", destination: "Copy" }, \#(Self.pictures)"#
    )
    let store = try SQLiteDatabase(shop.source.path, mode: .readWrite)
    try store.execute("UPDATE ZNOTE SET Z_PK = Z_PK + 4611686018427380000 WHERE Z_PK > 6000")
    let prepared = try JobPreparation(job: shop.job()).prepare()
    defer { prepared.store.endChecks() }
    let spread = try #require(try prepared.store.keySpread(of: "ZNOTE"))
    #expect(spread.rows <= 1_000_000_000_000 && !spread.isDense)
    #expect(Double(prepared.plan.diskBytes) < (try Self.size(shop.source)) * 12)
  }

  @Test(
    "a run that has a third of its files continues if a little space is left",
    arguments: [
      (held: 0, free: 90, goesOn: false), (33, 8, false), (34, 8, true), (34, 7, false), (100, 8, true),
      (90, 0, false),
    ])
  func begun(held: Int, free: Int, goesOn: Bool) {
    #expect(JobRun.isWorthGoingOn(held: held << 20, of: 100 << 20, free: free << 20) == goesOn)
  }

  @Test("a chain needs room for two of its stores")
  func chain() throws {
    let shop = try Workshop(
      "A\n x String?", "A\n x String?\n y String?", "A\n x String?\n y String?\n z String?")
    try shop.map(
      from: "V1", to: "V2", #"{ source: "A", destination: "A" }, { name: "B", source: "A", destination: "A" }"#)
    try shop.makeStore(
      "WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 9000) INSERT INTO ZA "
        + "(Z_PK, Z_ENT, Z_OPT, ZX) SELECT k, 1, 1, printf('%0300d', k) FROM n")
    let plan = try Migration.plan(shop.job())
    _ = try shop.migrate()
    #expect(plan.steps.count == 2)
    let need = Double(plan.diskBytes - 1_048_576)
    let both = try Self.size(shop.output) * 2
    #expect(need > both && need < both * 2, "\(need) for \(both)")
  }
}
