import CatalogueSupport
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

@Suite(
  "Genuine stores of the other families", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct GenuineFamilyTests {
  /// Stores with the targets of inferred steps.
  ///
  /// Each result is compared value by value.
  static let steps: [(folder: String, store: String, targets: [String])] = [
    (
      "artsy-folio", "ArtsyPartner_1.3.5.sqlite",
      ["ArtsyFolio v1.4", "ArtsyFolio v1.5", "ArtsyFolio v1.7", "ArtsyFolio v2.0"]
    ),
    ("artsy-folio", "ArtsyPartner_1.4.sqlite", ["ArtsyFolio v1.5", "ArtsyFolio v1.7", "ArtsyFolio v2.0"]),
    ("bergier", "Example_v1.0.0.sqlite", ["v1.1.0", "v1.1.2", "v1.2.0", "v2.0.0"]),
    ("bergier", "Example_v1.1.2.sqlite", ["v1.2.0", "v2.0.0"]),
    ("coredataplus", "SampleModel_V1.sqlite", ["SampleModel2"]),
    (
      "ddg-bookmarks", "Bookmarks_V1.sqlite",
      ["BookmarksModel 2", "BookmarksModel 3", "BookmarksModel 4", "BookmarksModel 5", "BookmarksModel 6"]
    ),
    ("ddg-bookmarks", "Bookmarks_V3.sqlite", ["BookmarksModel 4", "BookmarksModel 5", "BookmarksModel 6"]),
    ("ddg-bookmarks", "Bookmarks_V5.sqlite", ["BookmarksModel 6"]),
    ("moody", "Moody.moody", ["Moody 2"]),
    ("mwkcoredata", "MWKCoreDataTests.sqlite", ["MWKCoreDataTests2"]),
    ("wibosco", "CoreDataMigration_Example_1.sqlite", ["CoreDataMigration_Example 2"]),
  ]

  @Test("every inferred step keeps all values that both versions have", arguments: steps)
  func migrate(folder: String, store: String, targets: [String]) throws {
    let family = try SharedFixtures.family(folder)
    for target in targets {
      let genuine = try GenuineStore(folder, store)
      let (result, comparison) = try genuine.migrate(to: target, family: family, chunkSize: 9)
      #expect(comparison.differences == [], "\(target)")
      #expect(comparison.skipped == [], "\(target)")
      #expect(comparison.objects > 0, "\(target)")
      #expect(result.report.steps.count == 1)
      for (entity, count) in genuine.store.rows where !result.losses.contains("entity \(entity) \(count)") {
        let rows = result.report.steps[0].entities.filter { $0.entityMapping.hasPrefix(entity + "To") }
        #expect(rows.reduce(0) { $0 + $1.migrated } == count || count == 0, "\(target): \(entity)")
      }
    }
  }

  @Test(arguments: ["v1_1_0", "v1_1_2", "v1_2_0", "v2_0_0"])
  func aRenameOverSkippedVersionsKeepsTheValue(version: String) throws {
    let genuine = try GenuineStore("bergier", "Example_v1.0.0.sqlite")
    let (result, _) = try genuine.migrate(
      to: version.replacing("_", with: "."), family: try SharedFixtures.family("bergier"))
    #expect(result.lines == ["BasicEntity#1 \(version)_name='A Known Value'"])
    #expect(result.losses == [])
  }

  @Test("each version is reached, or refused for the reason in the table", arguments: GenuineWays.table)
  func ways(folder: String, store: String, ways: [String: [String]]) throws {
    let family = try SharedFixtures.family(folder)
    let genuine = try GenuineStore(folder, store)
    var found: [String: [String]] = [:]
    for version in family.versions {
      let way: String
      do {
        let plan = try Migration.plan(genuine.job(to: version.name))
        let isMapped = plan.steps.contains { $0.passes != ["inferred"] }
        way = plan.steps.isEmpty ? "current" : (isMapped ? "mapped " : "") + String(plan.steps.count)
      } catch {
        way = error.reason.word
        let isCatalogue = way.hasSuffix("-mapping-model") || way == "needs-policy"
        #expect(error.disposition == (isCatalogue ? .catalogue : .refuse))
        if way == "needs-policy" {
          let files = family.mappingModels.map { "/" + URL(fileURLWithPath: $0.file.path).lastPathComponent }
          // One missing file is named in the message, several in the details.
          let words = ([error.message] + error.details).joined(separator: "\n")
          #expect(files.contains { words.contains($0) } && words.contains("was not found"), "\(words)")
        }
      }
      found[way, default: []].append(version.name)
    }
    #expect(found == ways)
  }

  @Test func threeColumnsOfOneNameAreThoseOfTheStoreThatTheAppMade() throws {
    let genuine = try GenuineStore("artsy-folio", "ArtsyPartner_1.4.sqlite")
    let own = try GenuineStore("artsy-folio", "oss_stubbed_data.sqlite")
    let job = genuine.job(to: "ArtsyFolio v2.3")
    let report = try Migration.run(job)
    let family = try SharedFixtures.family("artsy-folio")
    let old = try #require(family.version(named: "ArtsyFolio v1.4")).model
    let new = try #require(family.version(named: "ArtsyFolio v2.3")).model
    let source = try LogicalStore(genuine.source, model: old, scratch: genuine.folder.path("one"))
    let result = try LogicalStore(genuine.output, model: new, scratch: genuine.folder.path("two"))
    try StoreInvariants(source: source, result: result, output: genuine.output).check()
    let comparison = MeaningComparison(source: source, result: result)
    #expect(comparison.differences == [])
    #expect(comparison.objects == genuine.store.rows.values.reduce(0, +) && comparison.targets > 200)
    #expect(report.steps[0].joinRows.count == 5)
    let made = try SourceStore(own.source.path, scratch: genuine.folder.path("three"))
    #expect(result.store.schema.tables.mapValues(Set.init) == made.schema.tables.mapValues(Set.init))
  }
}
