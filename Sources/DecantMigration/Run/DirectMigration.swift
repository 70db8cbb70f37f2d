internal import DecantMapping
internal import DecantModel
package import DecantPolicies
internal import DecantReport
internal import DecantRows
package import Foundation
internal import Synchronization

/// A step that a program runs with its own manager: Core Data's `migrateStore`.
package enum DirectMigration {
  /// Makes a store of the manager's destination model at a free path.
  ///
  /// - Parameters:
  ///   - passes: The mapping models in the order of their passes. Policies see these mapping models, so nothing else
  ///     may refer to them.
  ///   - workFolder: A folder for this run alone, on the destination's file system.
  /// - Throws: `MigrationFailure`; the error given to `cancelMigrationWithError`; `PolicyProblem` if a mapping model
  ///   can't be used, or if the program has cancelled the progress.
  package static func run(
    _ manager: MigrationManager, from source: URL, to output: URL, passes: [MigrationMappingModel],
    workFolder: URL
  ) throws {
    var models: [MappingModel] = []
    for pass in passes { models.append(try pass.value()) }
    var job = MigrationJob(
      source: source, output: output, workFolder: workFolder, catalogue: URL(fileURLWithPath: "/"),
      policies: manager.registry)
    // An inferred mapping runs as an inferred step: its losses are reported, not refused.
    let inferred = models.count == 1 && models[0].origin == .inferred
    job.direct = DirectStep(
      source: try Self.model(manager.sourceModel, "source"),
      destination: try Self.model(manager.destinationModel, "destination"),
      files: (manager.sourceModel.file, manager.destinationModel.file), passes: inferred ? [] : models,
      referenceStores: manager.referenceStores)
    let own = DirectCall(manager, passes: inferred ? [] : passes)
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

  private static func model(
    _ description: ModelDescription, _ side: String
  ) throws(MigrationFailure) -> ManagedObjectModel {
    do throws(ModelError) {
      return try description.settled()
    } catch {
      throw DirectStep.failure(.unknownVersion, code: 134_130, "The \(side) model can't be used: \(error).")
    }
  }
}
