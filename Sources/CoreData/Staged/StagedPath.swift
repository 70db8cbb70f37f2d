internal import DecantPolicies
internal import Foundation

struct StagedPath {
  struct Step {
    let source: ModelDescription
    let destination: ModelDescription
    /// The custom stage of the step; nil for lightweight migration.
    let stage: NSCustomMigrationStage?
  }

  private(set) var steps: [Step] = []
  private var current: ModelDescription
  private let known: [String: ModelDescription]

  /// Follows the stages from the store's model; if they end before the final model, lightweight migration leads to it.
  ///
  /// - Parameters:
  ///   - source: The store's model.
  ///   - known: Further models, by their checksums.
  init(
    _ manager: NSStagedMigrationManager, from source: ModelDescription, to final: ModelDescription,
    known: [String: ModelDescription]
  ) throws {
    current = source
    self.known = known
    guard source != final else { return }
    guard let stages = manager.stages(fromVersion: source.versionChecksum) else {
      throw CoreDataError(
        NSMigrationMissingSourceModelError,
        "No stage knows the store's version, which has the checksum \(source.versionChecksum); add it to a stage."
      )
    }
    for stage in stages {
      if current == final { break }
      switch stage {
      case let stage as NSLightweightMigrationStage: pass(stage)
      case let stage as NSCustomMigrationStage: try take(stage)
      default: throw CoreDataError(NSMigrationError, "\(type(of: stage)) can't be carried out as a stage.")
      }
    }
    go(to: final, in: nil)
  }

  private mutating func go(to model: ModelDescription, in stage: NSCustomMigrationStage?) {
    guard current != model else { return }
    steps.append(Step(source: current, destination: model, stage: stage))
    current = model
  }

  /// Goes to the last version of the stage for which a model is known.
  ///
  /// If no model is known, this stage adds no step. Lightweight migration then leads directly to the next stage's
  /// model.
  private mutating func pass(_ stage: NSLightweightMigrationStage) {
    let rest = stage.versionChecksums.firstIndex(of: current.versionChecksum).map {
      stage.versionChecksums[($0 + 1)...]
    }
    for checksum in (rest ?? stage.versionChecksums[...]).reversed() {
      if let model = known[checksum] { return go(to: model, in: nil) }
    }
  }

  private mutating func take(_ stage: NSCustomMigrationStage) throws {
    go(to: try stage.currentModel.resolved(), in: nil)
    go(to: try stage.nextModel.resolved(), in: stage)
  }
}
