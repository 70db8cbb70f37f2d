import CatalogueSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

@Suite(
  "Genuine stores through mapping models", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct GenuinePassTests {
  /// Store, target, and result: the number of objects of each entity, and the number of targets of all relationships.
  static let ways: [(folder: String, store: String, target: String, objects: [String: Int], targets: Int)] = [
    ("moody", "Moody.moody", "Moody 5", ["Mood": 4, "Country": 3], 8),
    ("moody", "Moody 2.moody", "Moody 5", ["Mood": 4, "Country": 3], 8),
    ("moody", "Moody 4.moody", "Moody 5", ["Mood": 4, "Country": 3], 8),
    (
      "apptentive", "ATDataModelv5.sqlite", "ATDataModel 6",
      ["ATMessageSender": 2, "ATEvent": 2, "ATMessage": 4, "ATFileAttachment": 6], 20
    ),
    (
      "translationcatalog", "test_multi_language_core_data.sqlite", "CatalogModel_3#CatalogModel",
      ["ExpressionEntity": 6, "TranslationEntity": 7, "ProjectEntity": 3], 38
    ),
    (
      "xcserver", "XCServerCoreData_2.0.1.sqlite", "XCServerCoreData2.0.2",
      [
        "BuildResultSummary": 177, "XcodeServer": 1, "Integration": 177, "Platform": 7,
        "IntegrationAssets": 177,
        "Issue": 489, "Filter": 7, "Stats": 7, "Configuration": 7, "DeviceSpecification": 7,
        "IntegrationIssues": 177,
        "Device": 137, "Trigger": 13, "Repository": 6, "Commit": 329, "Bot": 7, "CommitContributor": 325,
        "RevisionBlueprint": 451, "CommitChange": 9527, "StatsBreakdown": 56, "Asset": 1130, "Conditions": 11,
      ], 29_930
    ),
  ]

  @Test("mapping models without policies run, in chunks of any size", arguments: ways)
  func migrate(folder: String, store: String, target: String, objects: [String: Int], targets: Int) throws {
    let family = try SharedFixtures.family(folder)
    let isLarge = objects.values.reduce(0, +) > 1000
    let (result, comparison) = try GenuineStore(folder, store).migrate(to: target, family: family)
    let (chunked, _) = try GenuineStore(folder, store).migrate(
      to: target, family: family, chunkSize: isLarge ? 999 : 2)
    #expect(result.store.objects == chunked.store.objects)
    #expect(Dictionary(grouping: result.store.objects.keys, by: \.entity).mapValues(\.count) == objects)
    let found = result.store.objects.values.map { object in
      object.toMany.values.reduce(object.toOne.count) { $0 + $1.count }
    }
    #expect(found.reduce(0, +) == targets)
    // The mapping models from “Moody 4” on have no entity mapping for continents.
    let lost = result.report.losses.filter { $0.isLeftBehind && $0.values > 0 }
    let isDirect = store == "Moody 4.moody"
    #expect(
      lost
        == (folder == "moody"
          ? [
            .init(
              kind: .entity, entity: "Continent", property: nil, values: 2, cause: .noEntityMapping,
              version: isDirect ? nil : "Moody 4")
          ] : []))
    #expect(result.report.warnings.filter { !$0.hasPrefix("No -wal") } == [])
    // All properties that both versions have are equal. Only `Z_OPT` differs: new objects have been saved once.
    guard folder != "moody" else { return }
    #expect(comparison.differences.filter { !$0.hasSuffix("Z_OPT") } == [])
  }
}
