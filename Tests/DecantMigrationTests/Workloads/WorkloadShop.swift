import DecantCatalogue
import DecantExpressions
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantReport

/// A source store of a workload, and the results of its migrations.
struct WorkloadShop {
  let workload: Workload
  let folder: TemporaryFolder
  /// The result of hand-written SQL.
  let expected: LogicalContent

  /// A result with its associations.
  struct Result {
    let content: [String: String]
    let store: ExactContent
    let associations: ExactContent
    /// Every association as one line, independent of its form in the file.
    let pairs: [String]
    /// The number of committed chunks.
    let chunks: Int
    /// The row numbers of each step's entity mappings.
    let entities: [[MigrationReport.EntityRows]]
  }

  init(_ workload: Workload, objects: Int, seed: UInt64 = MatrixSettings.seed) throws {
    self.workload = workload
    folder = try MatrixSettings.folder()
    let source = folder.url.appendingPathComponent("\(workload).sqlite")
    try WorkloadSource.make(workload, objects: objects, seed: seed, at: source)
    let written = folder.url.appendingPathComponent("sql.sqlite")
    try SQLiteDatabase(written.path, mode: .create).execute(workload.script(for: source))
    expected = try LogicalContent(workload, of: written, associations: nil)
  }

  var source: URL { folder.url.appendingPathComponent("\(workload).sqlite") }

  /// A job into a folder of its own.
  func job(_ way: Workload.Way, chunkSize: Int?, shelf: CatalogueShelf? = nil) -> MigrationJob {
    let place = folder.url.appendingPathComponent(UUID().uuidString)
    var job = MigrationJob(
      source: source, output: place.appendingPathComponent("Store.sqlite"),
      workFolder: place.appendingPathComponent("work"), catalogue: workload.catalogue(way),
      family: workload.family, chunkSize: chunkSize, keepsAssociations: true,
      claimedAt: Date(timeIntervalSinceReferenceDate: 800_000_000), policies: Workload.registry)
    job.goesByRows = way == .rows
    job.shelf = shelf
    return job
  }

  /// Reads the result of a finished job, and removes it.
  func result(of job: MigrationJob, _ report: MigrationReport? = nil) throws -> Result {
    let steps = report?.steps ?? []
    defer { try? FileManager.default.removeItem(at: job.output.deletingLastPathComponent()) }
    let associations = KeptAssociations.place(beside: job.output)
    #expect(!FileManager.default.fileExists(atPath: job.workFolder.path), "the work folder is still there")
    return Result(
      content: try LogicalContent(workload, of: job.output, associations: associations).objects,
      store: try ExactContent(job.output), associations: try ExactContent(associations),
      pairs: try PlainSQLite.rows(associations, "SELECT * FROM associations ORDER BY 1, 2, 3, 4, 5"),
      chunks: steps.map { $0.chunks + $0.resumedChunks }.reduce(0, +), entities: steps.map(\.entities))
  }
}
