import Foundation
import Testing

@testable import DecantMigration

/// Values of source objects that share one destination object.
@Suite("Values of source objects that share an object by uniqueBy") struct SharedValueTests {
  private static let model = "Note\n text String?\n rank Int32?"
  private static let rows =
    """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZRANK) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'a', 2), (3, 1, 1, 'a', NULL),
      (4, 1, 1, 'b', 5), (5, 1, 1, 'a', 1), (6, 1, 1, 'c', NULL), (7, 1, 1, 'c', 8), (8, 1, 1, 'A', 1);
    """

  private static func losses(_ mappings: String, to destination: String) throws -> Set<String> {
    try LossShop.losses(mappings, to: destination, from: model, rows: rows)
  }

  @Test func thoseThatDifferFromTheFirstAreLost() throws {
    let found = try Self.losses(
      #"{ source: "Note", destination: "Kind", uniqueBy: "$source.text" }"#,
      to: "Kind\n text String?\n rank Int32?")
    #expect(found == ["attribute Note.rank 2 shared"])
  }

  @Test func theValueOfUniqueByItselfIsNoLossUnlessItDiffers() throws {
    let new = "Kind\n text String?\n rank Int32?"
    let direct = try Self.losses(
      #"{ source: "Note", destination: "Kind", uniqueBy: "$source.text", attributes: { rank: "0 * CAST(1, 'NSNumber')", text: "uppercase:($source.text)" } }"#,
      to: new)
    #expect(direct == ["attribute Note.rank 6 unread"])
    let folded = try Self.losses(
      #"{ source: "Note", destination: "Kind", uniqueBy: "lowercase:($source.text)", attributes: { rank: "0" } }"#,
      to: new)
    #expect(folded == ["attribute Note.rank 6 unread", "attribute Note.text 1 shared"])
  }

  @Test("with several entity mappings, a shared value counts if none of them keeps it") func several() throws {
    let new = "Kind\n text String?\n rank Int32?\nSort\n text String?\n rank Int32?"
    let found = try Self.losses(
      #"{ source: "Note", destination: "Kind", filter: "text == 'a' OR text == 'A'", uniqueBy: "$source.text" }, "#
        + #"{ source: "Note", destination: "Sort", filter: "text == 'b' OR text == 'c'", uniqueBy: "$source.text" }"#,
      to: new)
    #expect(found == ["attribute Note.rank 2 shared"])
    let kept = try Self.losses(
      #"{ source: "Note", destination: "Kind", uniqueBy: "$source.text" }, "#
        + #"{ source: "Note", destination: "Sort", filter: "rank != nil" }"#, to: new)
    #expect(kept == [])
  }

  @Test func whatIsNotTakenOverIsNotEvaluated() throws {
    let shop = try Workshop("Note\n text String?\n rank Int32?", "Kind\n text String?\n rank Int16?")
    try shop.map("Step", #"{ source: "Note", destination: "Kind", uniqueBy: "$source.text" }"#, further: "")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZRANK) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'a', 40000)")
    #expect(try Migration.run(shop.job()).losses.map(Migrated.words) == ["attribute Note.rank 1"])
  }

  @Test func aMappingThatOnlySelectsByAnAttributeKeepsNoValueOfIt() throws {
    let found = try Self.losses(
      #"{ source: "Note", destination: "Kind", uniqueBy: "$source.text" }, "#
        + #"{ source: "Note", destination: "Sort", filter: "rank == 2" }"#,
      to: "Kind\n text String?\n rank Int32?\nSort\n text String?")
    #expect(found == ["attribute Note.rank 2 shared"])
  }

  @Test func everyAttributeOfAnExpressionCounts() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Kind", uniqueBy: "$source.text", attributes: { rank: "$source.rank * 10 + $source.last" } }"#,
      to: "Kind\n text String?\n rank Int32?", from: "Note\n text String?\n rank Int32?\n last Int32?",
      rows:
        "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZRANK, ZLAST) VALUES (1, 1, 1, 'a', 1, 1), (2, 1, 1, 'a', 1, 3)"
    )
    #expect(found == ["attribute Note.last 1 shared"])
  }

  @Test func anotherEntityMappingKeepsThem() throws {
    let found = try Self.losses(
      #"{ source: "Note", destination: "Kind", uniqueBy: "$source.text" }, { source: "Note", destination: "Note" }"#,
      to: "Kind\n text String?\n rank Int32?\nNote\n rank Int32?\n text String?\n more String?")
    #expect(found == [])
  }
}
