import DecantPolicies
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

/// Values that are lost because no mapping model reads them.
@Suite("Values that nothing in a mapping model reads") struct UnreadPropertyTests {
  private static let versions = [
    "Note\n text String?\n rank Int32?\n old Date?\n tags ->> Tag.notes\nTag\n name String?\n notes ->> Note.tags",
    "Note\n text String?\nTag\n name String?",
  ]
  private static let mappings =
    #"{ source: "Note", destination: "Note" }, { source: "Tag", destination: "Tag" }"#

  private static func shop(_ mappings: String = mappings, family: String? = nil) throws -> Workshop {
    let shop = try Workshop(versions, family: family)
    try shop.map(mappings)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZRANK) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'b', 2), (3, 1, 1, 'c', NULL);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'red');
      INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS) VALUES (1, 1), (3, 1);
      """)
    return shop
  }

  private static func words(_ losses: [MigrationReport.Loss]) -> [String] {
    losses.map { "\(Migrated.words($0)) \($0.cause)\($0.accepted ? " accepted" : "")" }
  }

  @Test func theyAreLossesOfPlanAndReport() throws {
    let shop = try Self.shop()
    let plan = try Migration.plan(shop.job())
    #expect(
      Self.words(plan.losses) == [
        "attribute Note.old 0 unread", "attribute Note.rank 2 unread", "relationship Note.tags 2 unread",
        "relationship Tag.notes 2 unread",
      ])
    #expect(try shop.migrate().report.losses == plan.losses)
  }

  @Test func theyRefuseAStoreWhereLossesAreForbiddenAndNotAccepted() throws {
    let failure = try Self.shop(family: "{ dataLoss: \"refuse\" }").failure()
    #expect(failure.reason == .dataLoss && failure.disposition == .refuse)
    #expect(failure.message.contains("attribute “Note.rank” with 2 values"), "\(failure)")
    #expect(
      failure.advice.hasPrefix("Give “Note.rank” a place in an entity mapping. "), "\(failure)")
    #expect(failure.details == ["acceptedLosses: [\"Note.rank\", \"Note.tags\", \"Tag.notes\"]"])
    let shop = try Self.shop()
    var strict = shop.job()
    strict.refusesLosses = true
    #expect(try #require(throws: MigrationFailure.self) { try Migration.run(strict) }.reason == .dataLoss)
    let accepted = try Self.shop(
      family: "{ dataLoss: \"refuse\", \(failure.details.joined()) }"
    ).migrate().report
    #expect(
      Self.words(accepted.realLosses) == [
        "attribute Note.rank 2 unread accepted", "relationship Note.tags 2 unread accepted",
        "relationship Tag.notes 2 unread accepted",
      ])
  }

  @Test func whatIsReadIsNoLoss() throws {
    let shop = try Self.shop(
      #"{ source: "Note", destination: "Note", filter: "tags.@count >= 0", "#
        + #"attributes: { text: "CAST(TERNARY($source.old == nil, $source.rank, 0), 'NSString')" } }, "#
        + #"{ source: "Tag", destination: "Tag" }"#)
    #expect(
      Self.words(try shop.migrate().report.losses)
        == ["attribute Note.text 3 unread", "relationship Note.tags 2 unlinked"])
  }

  @Test func namedEntitiesCountWhereOthersAreInferred() throws {
    let shop = try Workshop(Self.versions)
    try shop.map("Step", #"{ source: "Note", destination: "Note" }"#, further: "others: \"infer\",")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZRANK) VALUES (1, 1, 1, 7)")
    #expect(Self.words(try shop.migrate().report.realLosses) == ["attribute Note.rank 1 unread"])
  }

  @Test func whatAPolicyCouldReadIsANoteWithTheNumberOfValues() throws {
    var shop = try Self.shop(
      #"{ source: "Note", destination: "Note", policy: "Keeper" }, { source: "Tag", destination: "Tag" }"#,
      family: "{ dataLoss: \"refuse\" }")
    shop.policies.add(EntityMigrationPolicy.self, as: "Keeper")
    let report = try shop.migrate().report
    #expect(report.losses == [])
    #expect(
      report.notes.contains(
        "No expression of the mapping models from “V1” to “V2” reads “Note.rank” (2 values), “Note.tags” (2 targets), "
          + "“Tag.notes” (2 targets). Code of the application can read them. Decant can't know whether it does."
      ),
      "\(report.notes)")
  }

  @Test func namesOfALaterStepAreTheStoresOwnAfterInferredSteps() throws {
    let shop = try Workshop(
      "Note\n text String?\n grade Int32?", "Note\n text String?\n rank Int32? was grade", "Note\n text String?"
    )
    try shop.map(from: "V2", to: "V3", #"{ source: "Note", destination: "Note" }"#)
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZGRADE) VALUES (1, 1, 1, 7), (2, 1, 1, NULL)")
    #expect(Self.words(try Migration.plan(shop.job()).losses) == ["attribute Note.grade 1 unread"])
    #expect(Self.words(try shop.migrate().report.losses) == ["attribute Note.grade 1 unread"])
  }

  @Test func aStepAfterAnotherMappingModelCountsWhenItBegins() throws {
    let shop = try Workshop(
      "Note\n text String?\n rank Int32?", "Note\n text String?\n grade Int32?", "Note\n text String?")
    try shop.map(
      "First", #"{ source: "Note", destination: "Note", attributes: { grade: "$source.rank * 2" } }"#,
      further: "")
    try shop.map(
      "Second", #"{ source: "Note", destination: "Note" }"#, further: "", source: "V2", destination: "V3")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZRANK) VALUES (1, 1, 1, 7), (2, 1, 1, NULL)")
    let plan = try Migration.plan(shop.job())
    #expect(plan.losses == [])
    #expect(plan.notes.contains { $0.hasSuffix("are counted when it begins: “Note.grade”.") }, "\(plan.notes)")
    let losses = try shop.migrate().report.losses
    #expect(Self.words(losses) == ["attribute Note.grade 1 unread"] && losses.first?.version == "V2")
  }
}
