import DecantSQLite
import DecantStore
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

/// A job that is run in both ways, in place and anew, with a comparison of the results.
struct BothWays {
  let anew: MigrationReport
  let inPlace: MigrationReport
  /// The differences between the two results in rows, types of values, schemas and reports.
  let differences: [String]
  /// Whether at least one step was made in place.
  let hasCopied: Bool

  /// - Parameters:
  ///   - job: The job; its output folder must not exist.
  ///   - folder: A folder for both results.
  init(_ job: MigrationJob, in folder: URL) throws {
    var reports: [MigrationReport] = []
    var stores: [SourceStore] = []
    for (way, name) in [(MigrationJob.InferredWay.anew, "anew"), (.inPlace, "in-place")] {
      var job = job
      let place = folder.appendingPathComponent("\(name)-\(UUID().uuidString)")
      job.output = place.appendingPathComponent(job.output.lastPathComponent)
      job.workFolder = place.appendingPathComponent("work")
      job.inferredWay = way
      reports.append(try Migration.run(job))
      // A store that has the target version already is not delivered.
      guard reports.last?.result == .migrated else { continue }
      stores.append(
        try SourceStore(job.output.path, scratch: place.appendingPathComponent("scratch").path))
    }
    (anew, inPlace) = (reports[0], reports[1])
    hasCopied = inPlace.steps.contains { $0.way == "in place" }
    let found = stores.count == 2 ? try Self.differences(stores[0], stores[1]) : []
    differences = found + Self.differences(anew, inPlace)
  }

  static func differences(_ anew: SourceStore, _ inPlace: SourceStore) throws -> [String] {
    var differences = try ExactComparison(anew, inPlace).differences
    let (wanted, found) = (
      SchemaForms.sorted(anew.statements.values), SchemaForms.sorted(inPlace.statements.values)
    )
    differences += wanted.symmetricDifference(found).sorted()
    for store in [anew, inPlace] {
      let answers = try store.rows("PRAGMA integrity_check").map { "\($0[0])" }
      if answers != ["\(SQLiteValue.text("ok"))"] { differences += answers }
    }
    return differences
  }

  private static func differences(_ anew: MigrationReport, _ inPlace: MigrationReport) -> [String] {
    var differences: [String] = []
    if anew.losses != inPlace.losses { differences.append("losses: \(anew.losses) \(inPlace.losses)") }
    // Only a step in place depends on the store's indexes.
    if anew.warnings != inPlace.warnings.filter({ !$0.hasPrefix("In the store, the index ") }) {
      differences.append("warnings: \(anew.warnings) \(inPlace.warnings)")
    }
    for (old, new) in zip(anew.steps, inPlace.steps)
    where old.entities != new.entities || old.joinRows != new.joinRows {
      differences.append("rows: \(old.entities) \(new.entities)")
    }
    return differences
  }
}
