import DecantSQLite
import DecantStore
import Foundation
import Testing

@testable import DecantMigration

/// The free space that a plan asks for, beside what comes of it.
@Suite("Disk needed") struct DiskNeedTests {
  /// 12,000 notes of 300 bytes in 4 MB, and 40 pictures of 20,000.
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
    "is enough for the result and no more than half as much again",
    arguments: [
      #"{ source: "Note", destination: "Note" }, \#(pictures)"#,
      // Two and three of one.
      #"{ source: "Note", destination: "Note" }, { name: "C", source: "Note", destination: "Copy" }, \#(pictures)"#,
      #"{ source: "Note", destination: "Note" }, { name: "C", source: "Note", destination: "Copy" }, "#
        + #"{ name: "D", source: "Note", destination: "Copy" }, \#(pictures)"#,
      // What is large, and what is small although there are more of it.
      #"{ source: "Note", destination: "Note" }, \#(pictures), { name: "F", source: "Picture", destination: "Frame" }"#,
      // Less than there was.
      pictures,
      // One object for many.
      #"{ source: "Note", destination: "Note" }, \#(pictures), { name: "U", source: "Note", destination: "Copy", "#
        + #"uniqueBy: "$source.rank", attributes: { text: null } }"#,
      // Ranges are the entity once.
      "\(range("Note", "rank < 2")), \(range("Note", "rank == 2")), \(range("Copy", "rank > 2")), \(pictures)",
    ])
  func measured(mappings: String) throws {
    let shop = try Self.shop(mappings)
    let plan = try Migration.plan(shop.job())
    _ = try shop.migrate()
    let result = try Self.size(shop.output)
    let need = Double(plan.diskBytes - 1_048_576)
    #expect(need > result && need < result * 1.5, "\(need) for \(result)")
  }

  @Test("filters that overlap count as what they take, where they were counted")
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
    #expect(Double(need - 1_048_576) < (try Self.size(few.output)) * 1.5)
  }

  @Test("an object of each row, by something that no two of them share, counts with the values that it takes")
  func unique() throws {
    let shop = try Self.shop(
      Self.pictures + #", { source: "Note", destination: "Note", uniqueBy: "$source.text" }"#)
    let need = try Migration.plan(shop.job()).diskBytes
    _ = try shop.migrate()
    #expect(Double(need) > (try Self.size(shop.output)))
  }

  @Test(
    "few values are few objects, as rows from all over the table tell; what each row has of its own isn't",
    arguments: [("$source.rank", 0.1), ("$source.text", 1.0)])
  func values(unique: String, share: Double) throws {
    let shop = try Self.shop(
      #"\#(Self.pictures), { name: "U", source: "Note", destination: "Copy", uniqueBy: "\#(unique)", "#
        + #"attributes: { text: "$source.text" } }"#)
    let all = try Self.shop(
      #"\#(Self.pictures), { name: "U", source: "Note", destination: "Copy", attributes: { text: "$source.text" } }"#
    )
    let none = try Self.shop(Self.pictures)
    let need = Double(try Migration.plan(shop.job()).diskBytes)
    let least = Double(try Migration.plan(none.job()).diskBytes)
    let most = Double(try Migration.plan(all.job()).diskBytes)
    #expect(share < 1 ? need < least + (most - least) * share : need > most)
    _ = try shop.migrate()
    #expect(need > (try Self.size(shop.output)))
  }

  @Test(
    "what a few rows can't tell of values isn't told by them",
    arguments: [
      // One row in ten has a value, and each its own.
      "UPDATE ZNOTE SET ZRANK = iif(Z_PK % 10, NULL, Z_PK)",
      // Every so often a value that many have.
      "UPDATE ZNOTE SET ZRANK = iif(Z_PK % 12 IN (0, 1, 2), 0, Z_PK)",
      // Every value comes twice.
      "UPDATE ZNOTE SET ZRANK = Z_PK / 2",
      // The same in a table that is looked at whole.
      "DELETE FROM ZNOTE WHERE Z_PK > 1000; UPDATE ZNOTE SET ZRANK = Z_PK / 2",
      // A wide gap behind all rows but one, and then most rows at the end.
      "UPDATE ZNOTE SET ZRANK = Z_PK; INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZRANK) VALUES (1000000000000, 1, 1, 1)",
      "UPDATE ZNOTE SET ZRANK = Z_PK; UPDATE ZNOTE SET Z_PK = 9223372036854000000 + Z_PK WHERE Z_PK > 3",
    ])
  func deceptive(change: String) throws {
    let shop = try Self.shop(
      #"{ name: "U", source: "Note", destination: "Copy", uniqueBy: "$source.rank", attributes: { text: "$source.text" } }"#
    )
    try SQLiteDatabase(shop.source.path, mode: .readWrite).execute(change)
    let need = Double(try Migration.plan(shop.job()).diskBytes)
    _ = try shop.migrate()
    let result = try Self.size(shop.output)
    // Of values of which a few rows show one each it can't be told how often they come.
    #expect(need > result && need - 1_048_576 < result * 3.5, "\(need) for \(result)")
  }

  @Test("before it says that there is no room, a run counts what filters take")
  func countedForTheRun() throws {
    let shop = try Self.shop("\(Self.range("Note", "rank == 5")), \(Self.pictures)")
    let prepared = try JobPreparation(job: shop.job()).prepare()
    defer { prepared.store.endChecks() }
    let need = try DiskNeed(counting: prepared) { true }.bytes(external: 0)
    #expect(need < prepared.plan.diskBytes / 2)
    #expect(try Migration.plan(shop.job()).diskBytes == need)
  }

  @Test("small rows that get texts and relationships are reckoned with what they get")
  func grownRows() throws {
    let shop = try Workshop(
      "Event\n at Date?",
      "Dated\n text String?\n timed -> Timed.dated\nTimed\n seconds Double?\n dated -> Dated.timed")
    try shop.map(
      #"{ source: "Event", destination: "Dated", "#
        + #"attributes: { text: "formatDate($source.at, 'yyyy-MM-dd HH:mm:ss', 'en_US_POSIX', 'GMT')" }, "#
        + #"relationships: { timed: null } }, { source: "Event", destination: "Timed", "#
        + #"attributes: { seconds: "CAST($source.at, 'NSNumber')" }, "#
        + #"relationships: { dated: { path: "$source", mapping: "EventToDated" } } }"#)
    try shop.makeStore(
      "WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 40000) INSERT INTO ZEVENT "
        + "(Z_PK, Z_ENT, Z_OPT, ZAT) SELECT k, 1, 1, k * 1000.5 FROM n")
    let need = Double(try Migration.plan(shop.job()).diskBytes - 1_048_576)
    _ = try shop.migrate()
    let result = try Self.size(shop.output)
    // While it is set, a one-to-one relationship takes 90 bytes for each link.
    #expect(need > result && need < result * 1.8 + 40_000 * 90, "\(need) for \(result)")
  }

  @Test("join tables and keys of relationships count as what they take, and only where they are mapped")
  func links() throws {
    let models = [
      "Author\n name String?\n books ->> Book.author\nBook\n author -> Author.books\n tags ->> Tag.books\nTag\n books ->> Book.tags",
      "Writer\n name String?\n books ->> Volume.writer\nVolume\n writer -> Writer.books\n labels ->> Label.books\nLabel\n books ->> Volume.labels",
    ]
    func need(_ writer: String, _ volume: String, _ label: String) throws -> (need: Double, result: Double) {
      let shop = try Workshop(models[0], models[1])
      try shop.map(
        "{ source: \"Author\", destination: \"Writer\", relationships: { books: \(writer) } }, "
          + "{ source: \"Book\", destination: \"Volume\", relationships: { \(volume) } }, "
          + "{ source: \"Tag\", destination: \"Label\", relationships: { books: \(label) } }")
      let layout = try StoreLayout(try shop.model("V1"), framework: FrameworkVersion(1344))
      let (numbers, join) = (layout.entityNumbers, try #require(layout.joinTables.first))
      let isBookFirst = join.first.relationship.entity == "Tag"
      let (book, tag) =
        isBookFirst ? (join.first.column, join.second.column) : (join.second.column, join.first.column)
      try shop.makeStore(
        """
        WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 30000) INSERT INTO ZBOOK
          (Z_PK, Z_ENT, Z_OPT, ZAUTHOR) SELECT k, \(numbers["Book"] ?? 0), 1, 1 + k / 10 FROM n;
        INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT k, \(numbers["Author"] ?? 0), 1, 'author ' || k
          FROM (SELECT DISTINCT ZAUTHOR AS k FROM ZBOOK);
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) SELECT Z_PK, \(numbers["Tag"] ?? 0), 1 FROM ZBOOK WHERE Z_PK <= 100;
        INSERT INTO \(join.name) (\(book), \(tag)) SELECT b.Z_PK, 1 + (b.Z_PK * 7 + t.Z_PK * 31) % 100
          FROM ZBOOK AS b, ZTAG AS t WHERE t.Z_PK <= 3
        """)
      let need = Double(try Migration.plan(shop.job()).diskBytes - 1_048_576)
      _ = try shop.migrate()
      return (need, try Self.size(shop.output))
    }
    let path = { (name: String, mapping: String) in #"{ path: "$source.\#(name)", mapping: "\#(mapping)" }"# }
    let none = try need("null", "writer: null, labels: null", "null")
    let one = try need("null", "writer: \(path("author", "AuthorToWriter")), labels: null", "null")
    let other = try need(path("books", "BookToVolume"), "writer: null, labels: null", "null")
    let both = try need(
      path("books", "BookToVolume"), "writer: \(path("author", "AuthorToWriter")), labels: null", "null")
    let pairs = try need("null", "writer: null, labels: \(path("tags", "TagToLabel"))", "null")
    let all = try need(
      path("books", "BookToVolume"),
      "writer: \(path("author", "AuthorToWriter")), labels: \(path("tags", "TagToLabel"))",
      path("books", "BookToVolume"))
    for (need, result) in [none, one, other, both, pairs, all] {
      #expect(need > result && need < result * 2 + 30_000 * 90, "\(need) for \(result)")
    }
    // Either end is enough, and both together are no more; what is mapped at the authors alone is set later.
    #expect(both.need == one.need && other.need >= one.need)
    #expect(none.need < one.need && one.need < pairs.need && pairs.need < all.need)
  }

  @Test("keys with wide gaps don't look like rows that nobody has room for")
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
    "a run of which a third is there goes on, where a little room is left",
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
    #expect(need > both && need < both * 1.5, "\(need) for \(both)")
  }
}
