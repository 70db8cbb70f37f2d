package import DecantMapping
package import DecantPolicies
internal import DecantRows
package import Foundation
internal import Synchronization

/// A step that a program runs with its own manager: Core Data's `migrateStore`.
package enum DirectMigration {
  /// Makes a store of the manager's destination model at a free path.
  ///
  /// - Parameters:
  ///   - passes: The mapping models in order. Empty for an inferred step.
  ///   - workFolder: A folder for this run alone, on the destination's file system.
  /// - Throws: `MigrationFailure`, or the error given to `cancelMigrationWithError`.
  package static func run(
    _ manager: MigrationManager, from source: URL, to output: URL, passes: [MappingModel], workFolder: URL
  ) throws {
    var job = MigrationJob(
      source: source, output: output, workFolder: workFolder, catalogue: URL(fileURLWithPath: "/"),
      policies: manager.registry)
    // An inferred mapping runs as an inferred step: its losses are reported, not refused.
    let inferred = passes.count == 1 && passes[0].origin == .inferred
    job.direct = DirectStep(
      source: manager.sourceModel.model, destination: manager.destinationModel.model,
      files: (manager.sourceModel.file, manager.destinationModel.file), passes: inferred ? [] : passes,
      referenceStores: manager.referenceStores)
    let own = OwnManager(manager)
    job.manager = own
    try manager.throwCancellation()
    manager.advance(to: 0)
    do {
      job.digestsFiles = false
      _ = try Migration.run(job, shouldStop: { own.manager.isCancelled }) { progress in
        guard progress.rowsTotal > 0 else { return }
        own.manager.advance(to: Float(progress.rowsDone) / Float(progress.rowsTotal))
      }
    } catch {
      try manager.throwCancellation()
      throw error
    }
    manager.advance(to: 1)
    try manager.throwCancellation()
  }
}
