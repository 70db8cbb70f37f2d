import CatalogueSupport
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

@Suite("Genuine Wire stores", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct GenuineWireTests {
  private static let stores = SharedFixtures.manifest.filter { $0.folder == "wire" }
  private static let current = "store2-101-0.wiredatabase"
  private static let family = Result { try SharedFixtures.family("wire") }

  @Test func thereAreTwentyFive() { #expect(Self.stores.count == 25) }

  @Test(
    "each is migrated to 2.101 with all values that both versions have",
    arguments: stores.filter { $0.store != current })
  func migrate(store: SharedFixtures.Store) throws {
    let genuine = try GenuineStore(store)
    let (result, comparison) = try genuine.migrate(to: nil, family: try Self.family.get(), chunkSize: 7)
    #expect(result.report.targetVersion == "zmessaging2.101.0")
    #expect(comparison.differences == [])
    #expect(comparison.objects > 20 && comparison.values > 150 && comparison.targets > 20)
    let rows = Dictionary(grouping: result.store.objects.keys, by: \.entity).mapValues(\.count)
    for (entity, count) in store.rows where result.store.model.entity(named: entity) != nil {
      #expect(rows[entity] ?? 0 == count, "\(entity)")
    }
    let own = try GenuineStore("wire", Self.current)
    let reference = try SourceStore(own.source.path, scratch: own.folder.path("scratch"))
    let expected = reference.schema.tables.mapValues(Set.init).filter { !$0.key.hasPrefix("sqlite_") }
    let tables = result.store.store.schema.tables.mapValues(Set.init).filter { !$0.key.hasPrefix("sqlite_") }
    #expect(tables == expected)
  }

  @Test func theCurrentOneIsLeftAlone() throws {
    let genuine = try GenuineStore("wire", Self.current)
    let report = try Migration.run(genuine.job(to: nil))
    #expect(report.result == .alreadyCurrent)
    #expect(!FileManager.default.fileExists(atPath: genuine.output.path))
  }
}
