import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// A family with deep inheritance and mapping models, without policies.
@Suite("Heavy: apptentive", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct ApptentiveTests {
  private func family(_ store: String) throws -> HeavyFamily {
    try HeavyFamily("stores/apptentive", .genuine(store), policies: [:])
  }

  @Test("versions 1 to 3: an abstract entity is renamed")
  func early() throws {
    let family = try family("ATDataModelv1.sqlite")
    let result = try family.checkEveryManner(to: "ATDataModel 3", sizes: [1, 2], stopSize: 1)
    #expect(result.report.steps.map(\.passes) == [["ATDataModel v1 to v2"], ["ATDataModel v2 to v3"]])
    #expect(
      result.counts == ["ATEvent": 1, "ATMessageDisplayType": 2, "ATMessageSender": 1, "ATTextMessage": 2])
    try checkMessages(result)
  }

  @Test("versions 2 to 3: the rows are in the -wal")
  func second() throws {
    let family = try family("ATDataModelv2-wal.sqlite")
    let result = try family.checkEveryManner(to: "ATDataModel 3", sizes: [1, 2], stopSize: 1)
    #expect(result.report.steps.map(\.passes) == [["ATDataModel v2 to v3"]])
    #expect(
      result.counts == ["ATEvent": 3, "ATMessageDisplayType": 2, "ATMessageSender": 2, "ATTextMessage": 3])
    try checkMessages(result)
    // The app itself wrote a store of version 3. Only its model is compared here.
    let own = try #require(
      try self.family("ATDataModelv3.sqlite").family.version(named: "ATDataModel 3"))
    #expect(result.store.model.entityVersionHashes == own.model.entityVersionHashes)
  }

  @Test("versions 5 to 6")
  func late() throws {
    let family = try family("ATDataModelv5.sqlite")
    let result = try family.checkEveryManner(to: "ATDataModel 6", sizes: [1, 2], stopSize: 1)
    #expect(result.report.steps.map(\.passes) == [["ATDataModel v5 to v6"]])
    #expect(result.counts == ["ATEvent": 2, "ATFileAttachment": 6, "ATMessage": 4, "ATMessageSender": 2])
    #expect(result.changes == [])
  }

  @Test(
    "every store of the family to version 6",
    arguments: [
      ("ATDataModelv1.sqlite", 5, ["ATEvent": 1, "ATMessage": 2, "ATMessageSender": 1]),
      ("ATDataModelv2-wal.sqlite", 4, ["ATEvent": 3, "ATMessage": 3, "ATMessageSender": 2]),
      ("ATDataModelv3.sqlite", 3, ["ATMessage": 3, "ATMessageSender": 2]),
    ])
  func whole(store: String, steps: Int, counts: [String: Int]) throws {
    let result = try family(store).checkEveryManner(
      to: "ATDataModel 6", sizes: [1], stopSize: 1)
    #expect(result.report.steps.count == steps)
    #expect(result.counts == counts)
  }

  /// Each message keeps its sender and its display types.
  private func checkMessages(_ result: Migrated) throws {
    for (key, message) in result.source.all("ATTextMessage") {
      let now = try #require(result.store.objects[key], "\(key)")
      #expect(now.toOne["sender"] == message.toOne["sender"], "\(key)")
      #expect(now.toMany["displayTypes"] == message.toMany["displayTypes"], "\(key)")
      #expect(now.text("body") == message.text("body") && now.text("title") == message.text("title"), "\(key)")
    }
  }
}
