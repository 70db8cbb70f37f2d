import DecantMapping
import DecantSQLite
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

/// Entities that the text of a mapping model doesn't name.
@Suite("Entities that a text doesn't name") struct OtherEntitiesTests {
  private static let versions = [
    "Note\n text String?\n tags ->> Tag.notes\nTag\n name String?\n old Int32?\n rank Int32?\n notes ->> Note.tags\n"
      + "Tone < Tag\n sound String?",
    "Note\n body String?\n tags ->> Tag.notes\nTag\n label String? was name\n rank Int16 = 7\n fresh String? = 'new'\n"
      + " notes ->> Note.tags\nTone < Tag\n sound String?",
  ]
  private static let note = #"{ source: "Note", destination: "Note", attributes: { body: "$source.text" } }"#

  private func shop(_ mappings: String, others: Bool, family: String? = nil) throws -> Workshop {
    let shop = try Workshop(Self.versions, family: family)
    try shop.map("Step", mappings, further: others ? "others: \"infer\"," : "")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'one');
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZOLD, ZRANK) VALUES (1, 2, 1, 'red', 4, 3), (2, 2, 1, 'blue', NULL, NULL);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSOUND) VALUES (3, 3, 1, 'la', 'a');
      INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS) VALUES (1, 1), (1, 3);
      """)
    return shop
  }

  private func rows(_ store: URL, _ sql: String) throws -> [String] {
    try SQLiteDatabase(store.path, mode: .immutable).rows(sql).map { row in
      row.map { value in
        switch value {
        case .integer(let number): "\(number)"
        case .text(let text): text
        default: ""
        }
      }.joined(separator: "|")
    }
  }

  private func planFailure(_ shop: Workshop) throws -> MigrationFailure {
    try #require(#expect(throws: MigrationFailure.self) { try Migration.plan(shop.job()) })
  }

  @Test func whatIsForgottenIsRefusedByName() throws {
    let failure = try shop(Self.note, others: false).failure()
    #expect(failure.disposition == .catalogue, "\(failure)")
    for entity in ["Tag", "Tone"] { #expect("\(failure)".contains("objects of “\(entity)”"), "\(failure)") }
    // An entity mapping of a superentity takes no objects of the subentities.
    let tags = #", { source: "Tag", destination: "Tag", attributes: { label: "$source.name", rank: "1" } }"#
    let second = try shop(Self.note + tags, others: false).failure()
    #expect("\(second)".contains("objects of “Tone”") && !"\(second)".contains("objects of “Tag”"), "\(second)")
    let third = try shop(Self.note + tags + #", { remove: "Tone" }"#, others: false).migrate()
    #expect(
      third.report.losses.map(Migrated.words) == [
        "entity Tone 1", "attribute Tag.old 1", "attribute Tag.rank 1",
      ])
  }

  @Test func theOthersBecomeWhatInferenceWouldMakeOfThem() throws {
    let shop = try shop(Self.note, others: true)
    let result = try shop.migrate()
    #expect(result.report.losses.map(Migrated.words) == ["attribute Tag.old 1"])
    let database = try rows(
      shop.output, "SELECT ZLABEL, ZRANK, ZFRESH, ZSOUND FROM ZTAG ORDER BY Z_PK")
    #expect(database == ["red|3|new|", "blue|7|new|", "la|7|new|a"])
    #expect(try rows(shop.output, "SELECT count(*) FROM Z_1TAGS") == ["2"])
    let strict = try self.shop(Self.note, others: true, family: "{ dataLoss: \"refuse\" }")
    #expect(try strict.failure().reason == .dataLoss)
  }

  @Test func theFamilysRenamesCountAsInAnInferredStep() throws {
    let shop = try shop(
      Self.note, others: true,
      family: "{ renames: { properties: { \"Tag.old\": \"fresh\" } }, dataLoss: \"refuse\" }")
    // The types differ.
    let failure = try shop.failure()
    #expect("\(failure)".contains("“others” can't be inferred"), "\(failure)")
  }

  @Test func whatHasNoCounterpartIsRefusedByName() throws {
    let shop = try Workshop("Note\n a String?\nOld\n a String?", "Note\n a String?\n b String?")
    try shop.map("Step", #"{ source: "Note", destination: "Note" }"#, further: "others: \"infer\",")
    try shop.makeStore("")
    let failure = try shop.failure()
    #expect(
      failure.disposition == .catalogue && "\(failure)".contains("continues the entity “Old”"), "\(failure)")
    try shop.map(
      "Step", #"{ source: "Note", destination: "Note" }, { remove: "Old" }"#, further: "others: \"infer\",")
    #expect(try shop.migrate().report.losses == [])
  }

  @Test func severalPassesCountTogetherAndOneOfThemSpeaksForTheOthers() throws {
    let shop = try shop(Self.note, others: false)
    try shop.map("Step", Self.note, further: "order: 1,")
    try shop.map("More", "", further: "order: 2, others: \"infer\",")
    let result = try shop.migrate()
    #expect(result.report.losses.map(Migrated.words) == ["attribute Tag.old 1"])
    try shop.map("Step", Self.note, further: "order: 1, others: \"infer\",")
    let failure = try planFailure(shop)
    #expect("\(failure)".contains("Keep “others” in only one of the mapping models"), "\(failure)")
  }

  @Test func aWordThatIsNotKnownIsRefused() throws {
    let shop = try shop(Self.note, others: false)
    try shop.map("Step", Self.note, further: "others: \"copy\",")
    let failure = try shop.failure()
    #expect("\(failure)".contains("“others” must be “infer”"), "\(failure)")
  }

  @Test func theCheckTellsWhatTheOthersLose() throws {
    let shop = try shop(Self.note, others: true)
    let report = try #require(try CatalogueCheck.report(at: shop.catalogue).families.first)
    #expect(report.count(.error) == 0)
    #expect(
      report.findings.contains { $0.message == "“Tag.old” is dropped on the path to “V2” from “V1”." },
      "\(report.findings)")
  }
}
