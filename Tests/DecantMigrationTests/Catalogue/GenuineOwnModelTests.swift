import CatalogueSupport
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport
@testable import DecantVerification

/// Genuine stores whose version isn't in the test's catalogue.
@Suite("Genuine stores of lost versions", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct GenuineOwnModelTests {
  @Test(
    "the store's own model leads to the same result as the lost version",
    arguments: [
      ("ddg-bookmarks", "Bookmarks_V1.sqlite", "BookmarksModel 6"),
      ("ddg-bookmarks", "Bookmarks_V3.sqlite", "BookmarksModel 6"),
      ("ddg-bookmarks", "Bookmarks_V5.sqlite", "BookmarksModel 6"),
      ("bergier", "Example_v1.0.0.sqlite", "v1.2.0"), ("bergier", "Example_v1.1.2.sqlite", "v2.0.0"),
      ("artsy-folio", "ArtsyPartner_1.4.sqlite", "ArtsyFolio v2.0"),
      ("wire", "store2-59-0.wiredatabase", "zmessaging2.101.0"),
    ])
  func lost(folder: String, name: String, target: String) throws {
    let genuine = try GenuineStore(folder, name)
    let family = try SharedFixtures.family(folder)
    let store = try SourceStore(
      genuine.source.path, scratch: genuine.folder.path("scratch"), checksPages: false)
    let hashes = try #require(store.metadata.versionHashes)
    let own = try #require(family.version(with: hashes))
    guard try store.cachedModel() != nil else {
      // This store's framework is the oldest of all and writes no model cache.
      #expect(folder == "artsy-folio")
      return
    }
    let catalogue = genuine.folder.url.appendingPathComponent("models")
    let bundle = catalogue.appendingPathComponent("\(folder)/Model.xcdatamodeld")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    for variant in family.versions.filter({ $0.index != own.index }).flatMap(\.variants) {
      let path = URL(fileURLWithPath: variant.path)
      try FileManager.default.createSymbolicLink(
        at: bundle.appendingPathComponent(path.lastPathComponent), withDestinationURL: path)
    }
    var job = genuine.job(to: target)
    job.catalogue = catalogue
    // The versions of bergier rename their only attributes. So no version is similar enough if no family is named.
    if folder == "bergier" { job.family = folder }
    let report = try Migration.run(job)
    #expect(report.sourceOrigin == "own-model" && report.targetVersion == target)
    let nearest = try #require(report.nearestVersion.flatMap { family.version(named: $0) })
    #expect(folder == "bergier" || abs(nearest.index - own.index) <= 3, "\(nearest.name) for \(own.name)")
    let verification = try Verification.run(
      source: job.source, destination: job.output, catalogue: genuine.store.folderURL, target: target,
      scratch: genuine.folder.url.appendingPathComponent("verify"))
    #expect(verification.isEqual, "\(verification)")
  }

  @Test(
    "CartKit: one store gets the inverses that its model lacked, the other is similar to no version")
  func cartKit() throws {
    let stores = try ["CartStorage_v1.sqlite", "CartKitSwiftData_v1.sqlite"].map {
      try GenuineStore("cartkit", $0)
    }
    let source = try SourceStore(
      stores[0].source.path, scratch: stores[0].folder.path("scratch"), checksPages: false)
    let own = try #require(try source.cachedModel()).model
    let report = try Migration.run(stores[0].job(to: nil))
    #expect(report.sourceOrigin == "own-model" && report.nearestVersion == "CartStorage")
    #expect(report.steps.count == 1 && report.losses == [])
    let current = try #require(try SharedFixtures.family("cartkit").version(named: "CartStorage")).model
    let before = try LogicalStore(stores[0].source, model: own, scratch: stores[0].folder.path("one"))
    let after = try LogicalStore(stores[0].output, model: current, scratch: stores[0].folder.path("two"))
    try StoreInvariants(source: before, result: after, output: stores[0].output).check()
    let comparison = MeaningComparison(source: before, result: after)
    #expect(comparison.differences == [] && comparison.skipped == [])
    #expect(comparison.objects > 0 && comparison.targets > 0)
    let verification = try Verification.run(
      source: stores[0].source, destination: stores[0].output, catalogue: stores[0].store.folderURL,
      scratch: stores[0].folder.url.appendingPathComponent("verify"))
    #expect(verification.isEqual, "\(verification)")
    let other = try #require(
      #expect(throws: MigrationFailure.self) { try Migration.plan(stores[1].job(to: nil)) })
    #expect(other.message.hasSuffix("but no family has a similar version."))
  }
}
