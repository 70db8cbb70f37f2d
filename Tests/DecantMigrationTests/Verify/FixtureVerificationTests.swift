import DecantModel
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

@Suite("Verification of genuine families", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct FixtureVerificationTests {
  /// Families whose way to the current version needs no mapping model and has no open name.
  private static let inferable = ["bergier", "ddg-bookmarks", "wire"]

  /// All stores, of Wire's many two.
  static let stores = SharedFixtures.manifest.filter { store in
    store.kind == "SQLite" && store.modelFolder != nil
      && (store.folder != "wire"
        || ["store1-28.wiredatabase", "store2-59-0.wiredatabase"].contains(store.store))
  }

  @Test(arguments: stores)
  func everyGenuineStoreThatCanBeMigratedIsEqualAfterwards(store: SharedFixtures.Store) throws {
    let folder = try TemporaryFolder()
    let source = try SharedFixtures.copy(store, into: folder)
    let output = folder.url.appendingPathComponent("out/\(store.store)")
    let job = MigrationJob(
      source: source, output: output, workFolder: folder.url.appendingPathComponent("out/work"),
      catalogue: SharedFixtures.stores, family: store.folder)
    do {
      guard try Migration.run(job).result == .migrated else { return }
    } catch {
      #expect(
        ["needs-mapping-model", "several-paths", "unsettled-layout", "no-target"].contains(error.reason),
        "\(error)")
      #expect(!Self.inferable.contains(store.folder), "\(error)")
      return
    }
    let report = try Verification.run(
      source: source, destination: output, catalogue: SharedFixtures.stores, family: store.folder,
      scratch: folder.url.appendingPathComponent("scratch"))
    #expect(report.isEqual, "\(report)")
    #expect(report.entities.reduce(0) { $0 + $1.sourceRows } == store.rows.values.reduce(0, +) - gone(report))
  }

  private func gone(_ report: Verification.Report) -> Int {
    report.expected.filter { $0.kind == .entityGone }.reduce(0) { $0 + $1.count }
  }
}
