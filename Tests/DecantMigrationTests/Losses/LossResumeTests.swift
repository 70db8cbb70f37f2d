import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

/// A resumed job reports the losses of an uninterrupted one.
@Suite("Losses of a job that was stopped") struct LossResumeTests {
  private static func shop() throws -> Workshop {
    let shop = try Workshop(
      "Note\n text String?\n rank Int32?\n old Date?\n tags ->> Tag.notes\nTag\n name String?\n notes ->> Note.tags",
      "Note\n text String?\n rank Int32?\n grade Int32?\n tags ->> Tag.notes\nTag\n name String?\n notes ->> Note.tags",
      "Good\n text String?\n rank Int32?\n tag -> Tag.goods\nBad\n text String?\nTag\n name String?\n goods ->> Good.tag"
    )
    try shop.map(
      "First",
      #"{ source: "Note", destination: "Note", filter: "rank > 0" }, { source: "Tag", destination: "Tag" }"#,
      further: "")
    try shop.map(
      "Second",
      #"{ source: "Note", destination: "Good", filter: "text == 'a'", relationships: { tag: { path: "$source.tags" } } }, "#
        + #"{ source: "Note", destination: "Bad", filter: "text == 'b'" }, { source: "Tag", destination: "Tag" }"#,
      further: "", source: "V2", destination: "V3")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZRANK, ZOLD) VALUES (1, 1, 1, 'a', 1, 0.5), (2, 1, 1, 'b', 2, 1.5),
        (3, 1, 1, 'c', 3, NULL), (4, 1, 1, 'a', 0, 7.0), (5, 1, 1, 'a', 5, NULL);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'red'), (2, 2, 1, 'blue');
      INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS) VALUES (1, 1), (1, 2), (2, 1), (5, 2);
      """)
    return shop
  }

  @Test func theyAreThoseOfOneThatWasNot() throws {
    let whole = try Self.shop()
    let counter = Stopper(after: .max)
    let report = try Migration.run(whole.job(chunkSize: 1), shouldStop: counter.shouldStop)
    let words = report.losses.map { "\(Migrated.words($0)) \($0.cause) \($0.version ?? "")" }
    #expect(
      Set(words) == [
        "attribute Note.old 2 unread ", "entity Note 1 filters ", "entity Note 1 filters V2",
        "attribute Note.rank 1 unread V2", "relationship Note.tags 2 unlinked V2",
        "attribute Note.grade 0 unread V2",
      ], "\(words)")
    #expect(counter.calls > 20)
    for limit in stride(from: counter.calls - 1, to: 0, by: -3) {
      let shop = try Self.shop()
      let stopper = Stopper(after: limit)
      let failure = #expect(throws: MigrationFailure.self) {
        try Migration.run(shop.job(chunkSize: 1), shouldStop: stopper.shouldStop)
      }
      #expect(failure?.reason == .stopped, "after \(limit)")
      let resumed = try Migration.run(shop.job(chunkSize: 1))
      #expect(resumed.losses == report.losses, "after \(limit)")
      #expect(resumed.notes == report.notes && resumed.warnings == report.warnings, "after \(limit)")
    }
  }
}
