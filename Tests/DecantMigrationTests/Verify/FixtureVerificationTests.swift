import CatalogueSupport
import DecantCatalogue
import DecantModel
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport
@testable import DecantVerification

@Suite("Verification of genuine families", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct FixtureVerificationTests {
  /// All SQLite stores whose model is a `contents` file, except Wire's.
  static let stores = SharedFixtures.manifest.filter { store in
    store.kind == "SQLite" && store.modelFolder != nil && store.folder != "wire"
  }

  @Test(
    "with the default target, each store has the result in the table of ways; verify finds no difference",
    arguments: stores)
  func everyStore(store: SharedFixtures.Store) throws {
    let ways = try #require(
      GenuineWays.table.first { $0.folder == store.folder && $0.store == store.store }, "\(store)"
    ).ways
    let folder = try TemporaryFolder()
    let source = try SharedFixtures.copy(store, into: folder)
    let output = folder.url.appendingPathComponent("out/\(store.store)")
    let job = MigrationJob(
      source: source, output: output, workFolder: folder.url.appendingPathComponent("out/work"),
      catalogue: store.folderURL, family: store.folder)
    do {
      let migration = try Migration.run(job)
      let isInferred = migration.steps.allSatisfy { $0.passes == ["inferred"] }
      let way = "\(isInferred ? "" : "mapped ")\(migration.steps.count)"
      #expect(
        ways[migration.result == .migrated ? way : "current"]?.contains(migration.targetVersion) == true,
        "\(migration.targetVersion)")
      // `GenuineMappedTests` compares the results of mapping models.
      guard migration.result == .migrated, isInferred else { return }
    } catch {
      try check(error, of: store, source, ways)
      return
    }
    let report = try Verification.run(
      source: source, destination: output, catalogue: store.folderURL, family: store.folder,
      scratch: folder.url.appendingPathComponent("scratch"))
    #expect(report.isEqual, "\(report)")
    #expect(
      report.entities.reduce(0) { $0 + $1.sourceRows } == store.rows.values.reduce(0, +)
        - GenuineVerification.gone(report))
  }

  /// Expects the refusal in the table of ways, or that the family has no target, or that the target is older.
  private func check(
    _ failure: MigrationFailure, of store: SharedFixtures.Store, _ source: URL, _ ways: [String: [String]]
  ) throws {
    let family = try SharedFixtures.family(store.folder)
    let scratch = try TemporaryFolder()
    let metadata = try SourceStore(source.path, scratch: scratch.path("scratch"), checksPages: false).metadata
    let version = family.version(with: metadata.versionHashes ?? [:])
    let target = version.map { version in try? family.target(for: version) } ?? (try? family.target())
    switch (failure.reason.word, target, version) {
    case ("no-target", let target, _): #expect(target == nil, "\(failure)")
    case ("older-target", let target?, let version?):
      let order = VersionOrder(of: family, versions: family.versions)
      #expect(order.relation(of: target.index, to: version.index) == .before, "\(failure)")
    case (let reason, let target?, _):
      #expect(ways[reason]?.contains(target.name) == true, "\(target.name): \(failure)")
    case (_, nil, _): Issue.record("\(failure)")
    }
  }

  @Test(
    "verify finds no difference in any version, newer or older, that a store reaches by inferred steps",
    arguments: GenuineWays.reached)
  func everyWay(folder: String, store: String, versions: [String]) throws {
    let genuine = try GenuineStore(folder, store)
    let family = try SharedFixtures.family(folder)
    let verification = GenuineVerification(genuine, family: family)
    for version in versions { try verification.verify(to: version) }
  }
}
