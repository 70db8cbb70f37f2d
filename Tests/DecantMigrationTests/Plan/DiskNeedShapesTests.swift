import DecantStore
import Foundation
import Testing

@testable import DecantMigration

/// Stores of which a few rows, or the rows alone, would tell too little.
@Suite("Disk needed by odd stores") struct DiskNeedShapesTests {
  struct Shape: CustomTestStringConvertible {
    let testDescription: String
    let models: [String]
    let mappings: String
    /// Rows of 20,000 notes: columns and values of `k`, from 1.
    let columns: String
    let values: String
    var finally = ""
    /// How many times the result it may be.
    let most: Double
  }

  private static let note = "Note\n text String?\n rank Int64?"
  private static let plain = #"{ source: "Note", destination: "Note" }"#

  static let shapes = [
    Shape(
      testDescription: "large rows side by side, where nobody looks",
      models: [note + "\n data Binary?", note + "\n data Binary?\n length Int32?"],
      mappings: #"{ source: "Note", destination: "Note", attributes: { length: "$source.text.length" } }"#,
      columns: "ZTEXT, ZDATA", values: "'a' || k, iif(k BETWEEN 1000 AND 1010, zeroblob(1000000), NULL)",
      most: 1.5),
    Shape(
      testDescription: "a text that few rows have, calculated",
      models: [note, "Note\n body String?"],
      mappings: #"{ source: "Note", destination: "Note", attributes: { body: "uppercase:($source.text)" } }"#,
      columns: "ZTEXT", values: "iif(k % 1999 = 7, printf('%0200000d', k), 'a' || k)", most: 2),
    Shape(
      testDescription: "a filter that takes the few large rows",
      models: [note, note + "\n more String?"],
      mappings: #"{ source: "Note", destination: "Note", filter: "rank == 1" }"#,
      columns: "ZTEXT, ZRANK", values: "iif(k % 50 = 0, printf('%020000d', k), 'a'), k % 50 = 0", most: 2),
    Shape(
      testDescription: "a long default of a new attribute",
      models: [note, note + "\n more String = '\(String(repeating: "x", count: 300))'"],
      mappings: plain, columns: "ZRANK", values: "k", most: 1.6),
    Shape(
      testDescription: "large numbers, calculated",
      models: [note, "Note\n" + (0..<20).map { " n\($0) Int64?" }.joined(separator: "\n")],
      mappings: "{ source: \"Note\", destination: \"Note\", attributes: { "
        + (0..<20).map { "n\($0): \"$source.rank + \($0)\"" }.joined(separator: ", ") + " } }",
      columns: "ZRANK", values: "k * 100000000000", most: 1.6),
    Shape(
      testDescription: "many empty columns",
      models: [note + "\n" + (0..<40).map { " s\($0) String?" }.joined(separator: "\n"), note]
        .map { $0 + "\n" + (40..<80).map { " s\($0) String?" }.joined(separator: "\n") },
      mappings: plain, columns: "ZRANK", values: "k", most: 1.8),
    Shape(
      testDescription: "values to be unique by that half of the rows have",
      models: [note, note + "\n more String?"],
      mappings: #"{ source: "Note", destination: "Note", uniqueBy: "$source.text" }"#,
      columns: "ZTEXT", values: "iif(k % 2, printf('%0300d', k), NULL)", most: 5),
    Shape(
      testDescription: "a key far behind the others",
      models: [note, note + "\n more String?"], mappings: plain, columns: "ZTEXT",
      values: "printf('%0100d', k)",
      finally: "UPDATE ZNOTE SET Z_PK = 4611686018427387904 WHERE Z_PK = 20000", most: 4),
  ]

  @Test("is no less than the result, and not much more", arguments: shapes)
  func shape(_ shape: Shape) throws {
    let shop = try Workshop(shape.models)
    try shop.map(shape.mappings)
    try shop.makeStore(
      finally: shape.finally,
      "WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 20000) INSERT INTO ZNOTE "
        + "(Z_PK, Z_ENT, Z_OPT, \(shape.columns)) SELECT k, 1, 1, \(shape.values) FROM n")
    try check(shop, most: shape.most)
  }

  private func check(_ shop: Workshop, most: Double) throws {
    let need = Double(try Migration.plan(shop.job()).diskBytes - 1_048_576)
    _ = try Migration.run(shop.job())
    let size = try shop.output.resourceValues(forKeys: [.fileSizeKey]).fileSize
    let result = Double(try #require(size))
    #expect(need > result && need < result * most, "\(need) for \(result)")
  }

  /// Books with two labels each, of 100.
  private static func library(_ destination: String, gap: Int64? = nil) throws -> Workshop {
    let shop = try Workshop(
      "Book\n title String?\n labels ->> Label.books\nLabel\n books ->> Book.labels", destination)
    let layout = try StoreLayout(try shop.model("V1"), framework: FrameworkVersion(1344))
    let (numbers, join) = (layout.entityNumbers, try #require(layout.joinTables.first))
    let ofBooks =
      join.first.relationship.entity == "Label" ? (join.first, join.second) : (join.second, join.first)
    let move = gap.map { "; UPDATE \(join.name) SET rowid = \($0) WHERE rowid = 2" } ?? ""
    try shop.makeStore(
      """
      WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 5000) INSERT INTO ZBOOK
        (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT k, \(numbers["Book"] ?? 0), 1, 'title ' || k FROM n;
      INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT) SELECT Z_PK, \(numbers["Label"] ?? 0), 1 FROM ZBOOK WHERE Z_PK <= 100;
      INSERT INTO \(join.name) (\(ofBooks.0.column), \(ofBooks.1.column)) SELECT b.Z_PK, 1 + (b.Z_PK * 7 + l.Z_PK) % 100
        FROM ZBOOK AS b, ZLABEL AS l WHERE l.Z_PK <= 2\(move)
      """)
    return shop
  }

  @Test(
    "pairs of a join table whose last one has a key far behind the others", arguments: [100_000_000, 1 << 62])
  func gapInPairs(gap: Int64) throws {
    let shop = try Self.library(
      "Book\n title String?\n more String?\n labels ->> Label.books\nLabel\n books ->> Book.labels", gap: gap)
    try shop.map(
      #"{ source: "Book", destination: "Book", relationships: { labels: { path: "$source.labels" } } }, "#
        + #"{ source: "Label", destination: "Label", relationships: { books: null } }"#)
    try check(shop, most: 8)
  }

  @Test("what a path of two keys leads to")
  func pathOfTwoKeys() throws {
    let shop = try Self.library(
      "Book\n title String?\n related ->> Book.relatedTo\n relatedTo ->> Book.related\nLabel\n more String?")
    try shop.map(
      #"{ source: "Label", destination: "Label" }, { source: "Book", destination: "Book", relationships: "#
        + #"{ related: { path: "$source.labels.books", mapping: "BookToBook" } } }"#)
    try check(shop, most: 4)
  }

  @Test("indexes on attributes count with what they hold")
  func indexes() throws {
    func need(_ constraint: String) throws -> Double {
      let shop = try Workshop("Note\n text String?", "Note\n text String?\n more String?" + constraint)
      try shop.map(Self.plain)
      try shop.makeStore(
        "WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 20000) INSERT INTO ZNOTE "
          + "(Z_PK, Z_ENT, Z_OPT, ZTEXT) SELECT k, 1, 1, printf('%0200d', k) FROM n")
      try check(shop, most: 2)
      return Double(try Migration.plan(shop.job()).diskBytes)
    }
    let (none, one) = (try need(""), try need("\n unique text"))
    #expect(one - none > 20_000 * 200)
  }
}
