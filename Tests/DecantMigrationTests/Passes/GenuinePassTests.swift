import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

@Suite(
  "Genuine stores through mapping models", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct GenuinePassTests {
  /// Store, target, and what comes out: objects of each entity, and how many targets their relationships have.
  static let ways: [(folder: String, store: String, target: String, objects: [String: Int], targets: Int)] = [
    ("moody", "Moody.moody", "Moody 5", [:], 0),
    ("moody", "Moody 2.moody", "Moody 5", [:], 0),
    ("moody", "Moody 4.moody", "Moody 5", [:], 0),
    ("apptentive", "ATDataModelv5.sqlite", "ATDataModel 6", [:], 0),
    ("apptentive", "ATDataModelv1.sqlite", "ATDataModel 6", [:], 0),
    ("translationcatalog", "test_multi_language_core_data.sqlite", "CatalogModel_3#CatalogModel", [:], 0),
    ("xcserver", "XCServerCoreData_1.2.0.sqlite", "XCServerCoreData2.0.0", [:], 0),
    ("xcserver", "XCServerCoreData_2.0.1.sqlite", "XCServerCoreData2.0.2", [:], 0),
    ("loopkit", "Model.sqlite.v1.original", "Modelv4", [:], 0),
    ("mwkcoredata", "MWKCoreDataTests.sqlite", "MWKCoreDataTests3", [:], 0),
    ("carekit", "SampleStore2.0.sqlite", "CareKitStore2.1", [:], 0),
    ("derived-attribute", "CoreDataModelMigrationBug.sqlite", "CoreDataModelMigrationBug 2", [:], 0),
    ("bookmigration", "Model1.sqlite", "Model2", [:], 0),
    ("wibosco", "CoreDataMigration_Example_1.sqlite", "CoreDataMigration_Example 3", [:], 0),
    ("coredataplus", "SampleModel_V1.sqlite", "SampleModel3#SampleModel3", [:], 0),
  ]

  @Test("mapping models without policies run, in chunks of any size", arguments: ways)
  func migrate(folder: String, store: String, target: String, objects: [String: Int], targets: Int) throws {
    let family = try Fixtures.family(folder)
    var results: [Migrated] = []
    for size in [nil, 3] {
      results.append(try GenuineStore(folder, store).migrate(to: target, family: family, chunkSize: size).0)
    }
    let (result, comparison) = try GenuineStore(folder, store).migrate(to: target, family: family)
    #expect(results[0].store.objects == results[1].store.objects)
    let found = Dictionary(grouping: result.store.objects.keys, by: \.entity).mapValues(\.count)
    #expect(found == objects)
    #expect(comparison.differences == [])
    #expect(
      result.store.objects.values.reduce(0) { $0 + $1.toOne.count + $1.toMany.values.reduce(0) { $0 + $1.count } } == targets)
    #expect(result.report.warnings == [])
  }
}
