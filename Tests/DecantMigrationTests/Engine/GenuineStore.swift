import DecantCatalogue
import DecantModel
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// A copy of a genuine store in a folder of its own.
///
/// Its family is the catalogue.
struct GenuineStore {
  let store: SharedFixtures.Store
  let folder: TemporaryFolder
  let source: URL
  var output: URL { folder.url.appendingPathComponent("out/\(store.store)") }
  /// The genuine families never change, so the tests of one process read each of them once.
  private static let shelf = CatalogueShelf()

  init(_ store: SharedFixtures.Store) throws {
    self.store = store
    folder = try TemporaryFolder("decant-genuine")
    let place = folder.url.appendingPathComponent("in")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.storeURL.path + suffix) {
      try FileManager.default.copyItem(
        atPath: store.storeURL.path + suffix, toPath: place.appendingPathComponent(store.store + suffix).path)
    }
    source = place.appendingPathComponent(store.store)
  }

  init(_ folder: String, _ name: String) throws {
    try self.init(
      try #require(
        SharedFixtures.manifest.first { $0.folder == folder && $0.store == name }, "\(folder)/\(name)"))
  }

  func job(to target: String?) -> MigrationJob {
    var job = MigrationJob(
      source: source, output: output, workFolder: folder.url.appendingPathComponent("out/work"),
      catalogue: store.folderURL, target: target)
    job.shelf = Self.shelf
    return job
  }

  /// Migrates the store and compares all values that both versions have.
  func migrate(to target: String?, family: Family, chunkSize: Int? = nil) throws -> (
    Migrated, MeaningComparison
  ) {
    let before = try FolderPicture(folder.url.appendingPathComponent("in"))
    var job = job(to: target)
    job.chunkSize = chunkSize
    let report = try Migration.run(job)
    #expect(report.result == .migrated)
    #expect(try FolderPicture(folder.url.appendingPathComponent("in")) == before, "the source changed")
    let old = try #require(family.version(named: report.sourceVersion)).model
    let new = try #require(family.version(named: report.targetVersion)).model
    let result = Migrated(
      report: report, source: try LogicalStore(source, model: old, scratch: folder.path("one")),
      store: try LogicalStore(output, model: new, scratch: folder.path("two")))
    try StoreInvariants(source: result.source, result: result.store, output: output).check()
    return (result, MeaningComparison(source: result.source, result: result.store))
  }
}
