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
      catalogue: store.folderURL, family: store.folder)
    do {
      guard try Migration.run(job).result == .migrated else { return }
    } catch {
      #expect(
        ["needs-mapping-model", "several-paths", "unsettled-layout", "no-target", "older-target"].contains(
          error.reason),
        "\(error)")
      #expect(!Self.inferable.contains(store.folder), "\(error)")
      return
    }
    let report = try Verification.run(
      source: source, destination: output, catalogue: store.folderURL, family: store.folder,
      scratch: folder.url.appendingPathComponent("scratch"))
    #expect(report.isEqual, "\(report)")
    #expect(report.entities.reduce(0) { $0 + $1.sourceRows } == store.rows.values.reduce(0, +) - gone(report))
  }

  @Test(
    "every version that a store reaches by inference, older ones too, is equal afterwards",
    arguments: GenuineWays.reached)
  func everyWay(folder: String, store: String, versions: [String]) throws {
    let genuine = try GenuineStore(folder, store)
    let family = try Fixtures.family(folder)
    for version in versions { try verify(genuine, to: version, family: family) }
  }

  /// Migrates a store and compares it with what it came from.
  private func verify(_ genuine: GenuineStore, to version: String, family: Family) throws {
    var job = genuine.job(to: version)
    job.catalogue = family.folder
    let place = genuine.folder.url.appendingPathComponent(UUID().uuidString)
    job.output = place.appendingPathComponent(genuine.store.store)
    job.workFolder = place.appendingPathComponent("work")
    let migration = try Migration.run(job)
    #expect(migration.result == .migrated, "\(version)")
    guard migration.sourceOrigin == "catalogue" else {
      // Only the store knows its version.
      let report = try Verification.run(
        source: job.source, destination: job.output, catalogue: job.catalogue, target: version,
        scratch: place.appendingPathComponent("scratch"))
      #expect(report.isEqual, "\(genuine.store) to \(version): \(report)")
      return
    }
    let source = try #require(family.version(named: migration.sourceVersion))
    let target = try #require(family.version(named: version))
    let steps = try PathPlan.make(from: source, to: target, in: family).steps.map { step in
      guard case .inferred(let mapping) = step.work else { throw Unexpected.mappingModel }
      return Verification.Step(mapping: mapping.mappingModel, model: step.destination.model)
    }
    #expect(steps.count == migration.steps.count)
    let report = try Verification.run(
      source: job.source, destination: job.output, sourceModel: source.model, steps: steps,
      scratch: place.appendingPathComponent("scratch"))
    #expect(report.isEqual, "\(genuine.store) to \(version): \(report)")
    let rows = report.entities.reduce(0) { $0 + $1.sourceRows }
    #expect(rows == genuine.store.rows.values.reduce(0, +) - gone(report), "\(version)")
    try FileManager.default.removeItem(at: place)
  }

  private enum Unexpected: Error { case mappingModel }

  // MARK: Wire

  private static let wireFamily = Result { try Fixtures.family("wire") }

  /// Goes where `GenuineWireTests`, which goes to the last version, doesn't.
  ///
  /// The catalogue holds just these versions, because reading all ninety takes longer than the migrations.
  @Test(
    "each Wire store goes to the next version and to the two after it",
    arguments: SharedFixtures.manifest.filter { $0.folder == "wire" })
  func wire(store: SharedFixtures.Store) throws {
    let genuine = try GenuineStore(store)
    let family = try Self.wireFamily.get()
    let hashes = try #require(
      SourceStore(genuine.source.path, scratch: genuine.folder.path("scratch"), checksPages: false)
        .metadata.versionHashes)
    let place = try #require(family.version(with: hashes)).index
    let near = family.versions.indices.filter { (place...place + 3).contains($0) }.map { family.versions[$0] }
    let bundle = genuine.folder.url.appendingPathComponent("wire/zmessaging.xcdatamodeld")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    for version in near {
      let path = URL(fileURLWithPath: version.path)
      try FileManager.default.createSymbolicLink(
        at: bundle.appendingPathComponent(path.lastPathComponent), withDestinationURL: path)
    }
    let few = try FamilyReader(name: "wire", folder: bundle.deletingLastPathComponent()).read()
    #expect(few.versions.count == near.count)
    let source = try #require(few.version(with: hashes))
    var reached = 0
    for version in few.versions where version.index != source.index {
      do {
        _ = try PathPlan.make(from: source, to: version, in: few)
      } catch {
        #expect(Self.refused.contains(version.name), "\(version.name): \(error)")
        continue
      }
      try verify(genuine, to: version.name, family: few)
      reached += 1
    }
    #expect(reached > 0 || near.count == 1, "\(source.name)")
  }

  /// Versions to which nothing can be inferred: a required attribute is new there, or of another type.
  private static let refused: Set<String> = []

  private func gone(_ report: Verification.Report) -> Int {
    report.expected.filter { $0.kind == .entityGone }.reduce(0) { $0 + $1.count }
  }
}
