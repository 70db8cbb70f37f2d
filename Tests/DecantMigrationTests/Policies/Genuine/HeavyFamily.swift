import DecantModel
import DecantPolicies
import DecantSQLite
import DecantSynthesis
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCatalogue
@testable import DecantMigration
@testable import DecantReport

/// A genuine family as a test's catalogue, with a store and the policies that its mapping models name.
struct HeavyFamily {
  /// The origin of the store.
  enum Origin {
    /// A file of the family's folder.
    case genuine(String)
    /// A synthetic store, and the statements that change it afterwards.
    case generated(version: String, rows: Int, then: String)
  }

  let folder: TemporaryFolder
  let family: Family
  let source: URL
  /// The classes by their names in the mapping model.
  let policies: [String: EntityMigrationPolicy.Type]
  private let name: String
  /// All runs of a test use one shelf, so they read the family once, as in a service.
  ///
  /// The clock is a minute ahead, so that the family's folder counts as old.
  private let shelf = CatalogueShelf { Int(Date().timeIntervalSince1970) + 60 }

  /// - Parameters:
  ///   - place: The family's folder in the fixtures, such as `stores/wibosco`.
  ///   - configuration: The text of a `family.json5`.
  ///   - leavingOut: Files of the folder that aren't copied into the catalogue.
  init(
    _ place: String, _ origin: Origin, policies: [String: EntityMigrationPolicy.Type],
    configuration: String? = nil, leavingOut: Set<String> = []
  ) throws {
    let genuine = SharedFixtures.root.appendingPathComponent(place)
    name = genuine.lastPathComponent
    folder = try TemporaryFolder("decant-heavy")
    let models = folder.url.appendingPathComponent("models/\(name)")
    try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
    let forms: Set = ["xcdatamodeld", "xcdatamodel", "xcmappingmodel", "cdm"]
    for file in try FileManager.default.contentsOfDirectory(atPath: genuine.path)
    where forms.contains(URL(fileURLWithPath: file).pathExtension) && !leavingOut.contains(file) {
      try FileManager.default.createSymbolicLink(
        at: models.appendingPathComponent(file), withDestinationURL: genuine.appendingPathComponent(file))
    }
    if let configuration { try folder.write(configuration, to: "models/\(name)/family.json5") }
    family = try FamilyReader(name: name, folder: models).read()
    self.policies = policies
    let place = folder.url.appendingPathComponent("in")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    switch origin {
    case .genuine(let store):
      source = place.appendingPathComponent(store)
      for suffix in ["", "-wal"] {
        let from = genuine.appendingPathComponent(store).path + suffix
        guard FileManager.default.fileExists(atPath: from) else { continue }
        try FileManager.default.copyItem(atPath: from, toPath: source.path + suffix)
      }
    case .generated(let version, let rows, let statements):
      source = place.appendingPathComponent("Generated.sqlite")
      let model = try #require(family.version(named: version)).model
      _ = try SyntheticStore.write(model: model, rows: rows, seed: 7, to: source.path)
      if !statements.isEmpty { try change(statements) }
    }
  }

  func job(
    to target: String?, chunkSize: Int? = nil, withPolicies: Bool = true, output: String = "out"
  ) -> MigrationJob {
    var registry = PolicyRegistry()
    if withPolicies { for (name, type) in policies { registry.add(type, as: name) } }
    var job = MigrationJob(
      source: source, output: folder.url.appendingPathComponent("\(output)/\(source.lastPathComponent)"),
      workFolder: folder.url.appendingPathComponent("\(output)/work"),
      catalogue: folder.url.appendingPathComponent("models"), target: target, chunkSize: chunkSize,
      policies: registry)
    job.shelf = shelf
    return job
  }

  /// Migrates into a new folder and checks what must hold after every migration.
  ///
  /// - Parameter stop: The number of the question at which the run is told to stop; the run is then continued. `nil` if the
  ///   run isn't stopped.
  /// - Returns: The result; `nil` if the run ended before it could be stopped.
  func migrate(
    to target: String?, chunkSize: Int? = nil, goesByRows: Bool = false, stop: Int? = nil
  ) throws -> Migrated? {
    let before = try FolderPicture(source.deletingLastPathComponent())
    var job = job(to: target, chunkSize: chunkSize, output: "out-\(UUID().uuidString)")
    job.goesByRows = goesByRows
    if let stop {
      let looks = Looks()
      do {
        _ = try Migration.run(job, shouldStop: { looks.count() >= stop })
        return nil
      } catch {
        #expect(error.reason == .stopped, "\(error.message)")
      }
    }
    let report = try Migration.run(job)
    #expect(try FolderPicture(source.deletingLastPathComponent()) == before, "the source folder changed")
    #expect(!FileManager.default.fileExists(atPath: job.workFolder.path), "the work folder is still there")
    return try read(job, report)
  }

  private func read(_ job: MigrationJob, _ report: MigrationReport) throws -> Migrated {
    let old = try #require(family.version(named: report.sourceVersion)).model
    let new = try #require(family.version(named: report.targetVersion)).model
    let scratch = folder.path("reading-\(UUID().uuidString)")
    let result = Migrated(
      report: report, source: try LogicalStore(source, model: old, scratch: scratch + "-one"),
      store: try LogicalStore(job.output, model: new, scratch: scratch + "-two"))
    try StoreInvariants(source: result.source, result: result.store, output: job.output).check()
    #expect(result.store.oneSided == [], "a relationship and its inverse disagree")
    return result
  }
}

extension HeavyFamily {
  /// Changes the source before a migration.
  func change(_ statements: String) throws {
    let database = try SQLiteDatabase(source.path, mode: .readWrite)
    try database.execute(statements)
  }
}
