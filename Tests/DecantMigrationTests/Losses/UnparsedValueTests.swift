import Foundation
import Testing

@testable import DecantMigration

/// A mapping model parses texts, and some of them don't have the expected form.
@Suite("Texts that no conversion can read") struct UnparsedValueTests {
  private static let model = "Note\n year String?\n day String?"
  private static let rows =
    """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZYEAR, ZDAY) VALUES (1, 1, 1, '1999', '1999-01-02'),
      (2, 1, 1, 'soon', '1999-02-30'), (3, 1, 1, NULL, NULL), (4, 1, 1, '', '2000-01-01'), (5, 1, 1, 'x', 'y');
    """

  private static func losses(_ attributes: String, to destination: String, _ further: String = "") throws
    -> Set<String>
  {
    try LossShop.losses(
      #"{ source: "Note", destination: "Note", attributes: { \#(attributes) } \#(further) }"#,
      to: "Note\n \(destination)", from: model, rows: rows)
  }

  @Test("each text that gives nil is a loss of its attribute")
  func each() throws {
    let found = try Self.losses(
      #"number: "parseNumber($source.year)", date: "parseDate($source.day, 'yyyy-MM-dd')""#,
      to: "number Int32?\n date Date?")
    #expect(found == ["attribute Note.year 3 unparsed", "attribute Note.day 2 unparsed"])
  }

  @Test("the loss also counts if a larger expression uses the parsed value")
  func around() throws {
    let found = try Self.losses(
      #"number: "parseNumber(trim($source.year)) * 100", text: "formatDate(parseDate($source.day, 'yyyy-MM-dd'), 'yyyy')""#,
      to: "number Int32?\n text String?")
    #expect(found == ["attribute Note.year 3 unparsed", "attribute Note.day 2 unparsed"])
  }

  @Test("nothing is lost if the expression states the value for texts that can't be parsed")
  func explicit() throws {
    let found = try Self.losses(
      #"number: "coalesce(parseNumber($source.year), 0)", "#
        + #"date: "TERNARY(parseDate($source.day, 'yyyy-MM-dd') == nil, nil, parseDate($source.day, 'yyyy-MM-dd'))""#,
      to: "number Int32?\n date Date?")
    #expect(found == [])
    let blank = try Self.losses(
      #"number: "parseNumber(nilIfEmpty($source.year))", day: "$source.day""#, to: "number Int32?\n day String?"
    )
    #expect(blank == ["attribute Note.year 2 unparsed"])
  }

  @Test("a text isn't lost if another attribute keeps it or parses it with another form")
  func kept() throws {
    let also = try Self.losses(
      #"number: "parseNumber($source.year)", text: "$source.year", day: "$source.day""#,
      to: "number Int32?\n text String?\n day String?")
    #expect(also == [])
    let either = try Self.losses(
      #"date: "parseDate($source.day, 'yyyy-MM-dd')", other: "parseDate($source.day, \"'y'\")", year: "$source.year""#,
      to: "date Date?\n other Date?\n year String?")
    #expect(either == ["attribute Note.day 1 unparsed"])
  }

  @Test("with uniqueBy, only the text that uniqueBy uses can be counted")
  func shared() throws {
    let model = "Note\n year String?"
    let rows =
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZYEAR) VALUES (1, 1, 1, '1999'), (2, 1, 1, 'x'), (3, 1, 1, 'x'), (4, 1, 1, NULL);"
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Note", uniqueBy: "$source.year", attributes: { number: "parseNumber($source.year)" } }"#,
      to: "Note\n number Int32?", from: model, rows: rows)
    #expect(found.contains("attribute Note.year 2 unparsed"), "\(found)")
    let shop = try Workshop("Note\n year String?\n kind String?", "Note\n number Int32?\n kind String?")
    try shop.map(
      #"{ source: "Note", destination: "Note", uniqueBy: "$source.kind", attributes: { number: "parseNumber($source.year)" } }"#
    )
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZYEAR, ZKIND) VALUES (1, 1, 1, 'x', 'a'), (2, 1, 1, '7', 'a');")
    let warnings = try Migration.plan(shop.job()).warnings
    #expect(
      warnings.contains { $0.contains("“Note.year”") && $0.contains("can't be counted beforehand") },
      "\(warnings)")
    let strict = try Workshop(
      "Note\n year String?\n kind String?", "Note\n number Int32?\n kind String?",
      family: "{ dataLoss: 'refuse' }")
    try strict.map(
      #"{ source: "Note", destination: "Note", uniqueBy: "$source.kind", attributes: { number: "parseNumber($source.year)" } }"#
    )
    try strict.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZYEAR, ZKIND) VALUES (1, 1, 1, '7', 'a'), (2, 1, 1, '7', 'a');")
    let failure = try strict.failure()
    #expect(failure.reason == .dataLoss, "\(failure)")
    #expect(
      failure.advice.hasPrefix("Say in the expressions what a text in another form becomes"), "\(failure)")
  }

  @Test("only objects that an entity mapping takes count, each once")
  func filters() throws {
    let found = try LossShop.losses(
      #"{ source: "Note", destination: "Note", filter: "year == 'soon'", attributes: { number: "parseNumber($source.year)" } }, "#
        + #"{ source: "Note", destination: "Other", filter: "year != 'x'", attributes: { number: "parseNumber($source.year)" } }"#,
      to: "Note\n number Int32?\n day String?\nOther\n number Int32?\n day String?", from: Self.model,
      rows: Self.rows)
    #expect(found == ["attribute Note.year 2 unparsed", "entity Note 1 filters"])
  }
}
