internal import DecantCatalogue
internal import DecantEngine
internal import DecantPasses
internal import DecantReport
internal import DecantStore
internal import Foundation

/// Answers questions about a store with a known path, before a row is written.
struct JobQuestions {
  let preparation: JobPreparation
  let family: Family
  let source: FamilyVersion
  let target: FamilyVersion
  /// The store as the first step reads it.
  let store: SourceStore
  let sourceLayout: StoreLayout
  let path: PlannedPath

  var counts: StoreCounts { StoreCounts(store: store, layout: sourceLayout) }
  var job: MigrationJob { preparation.job }
  var external: ExternalData { ExternalData(store: job.source) }
  var now: Double { job.claimedAt.timeIntervalSinceReferenceDate }

  private var lossCount: LossCount {
    LossCount(
      path: path, counts: counts, family: family, external: external, name: preparation.name, now: now,
      isStrict: job.refusesLosses, observer: preparation.observer)
  }

  func losses() throws(MigrationFailure) -> [MigrationReport.Loss] {
    let losses = try lossCount.losses()
    try preparation.checkUnknown(source, target, losses, in: family)
    return losses
  }

  /// Refuses values that would break a uniqueness constraint of the first step's destination.
  func checkUniqueness() throws(MigrationFailure) {
    // With quarantine, the last step puts all duplicates except the first into quarantine. So a path of one step isn't
    // checked then.
    guard let step = path.steps.first, step.inferred != nil,
      path.steps.count > 1 || family.configuration.validation != .quarantine
    else { return }
    do {
      try UniquenessCheck(step.pairing).check(store, externalFolder: external.readableFiles)
    } catch {
      throw MigrationFailure(running: error, family: family.name, store: preparation.name)
    }
  }

  func checkChunks() throws(MigrationFailure) {
    guard let plan = path.steps.first?.passPlan else { return }
    do {
      try ChunkCheck(plan, now: now).check(store, externalFolder: external.readableFiles)
    } catch {
      throw MigrationFailure(running: error, family: family.name, store: preparation.name)
    }
  }

  func history() throws(MigrationFailure) -> HistoryCarriage? {
    do {
      return try HistoryCarriage(of: store, path.steps.map(\.pairing), areInferred: path.isInferred)
    } catch {
      throw MigrationFailure(error, family: family.name)
    }
  }

  func warnings() throws(MigrationFailure) -> [String] {
    var warnings: [String] = []
    if let nearest = source.origin.nearest, !path.steps.isEmpty {
      warnings.append(
        "The catalogue doesn't have the store's model version. The source model was taken from the store's own model "
          + "cache. The nearest version is “\(nearest)”.")
    }
    warnings += try external.findings(
      in: store, layout: sourceLayout, isRequired: family.configuration.requireExternalData, family: family.name
    )
    warnings += try brokenRules()
    if !store.cloudKitTables.isEmpty, !path.steps.isEmpty {
      warnings.append(
        "The tables of CloudKit's mirroring are left out (cloudKit: \"reset\"); devices start the mirroring again."
      )
    }
    for (index, step) in path.steps.enumerated() {
      // A later step checks again when it begins. The report takes the sentence from there.
      let sentences = try lossCount.uncounted(step)
      if index == 0 || preparation.isForReading { warnings += sentences }
    }
    return warnings
  }

  private func brokenRules() throws(MigrationFailure) -> [String] {
    let mode = family.configuration.validation
    let findings = try RequiredRelationships(
      steps: path.steps, counts: counts, goesToQuarantine: mode == .quarantine
    ).findings()
    guard mode == .fail, let first = findings.first else { return findings }
    throw MigrationFailure(
      .invalidObjects, coreDataCode: 1_580, message: first,
      advice:
        "family.json5 forbids such objects (validation: \"fail\"). Fix the store in the application, "
        + "write a mapping model, or set validation: \"report\".", family: family.name)
  }

  func notes() throws(MigrationFailure) -> [String] {
    let notes = try lossCount.readingNotes()
    return preparation.isForReading ? notes + LateLosses.notes(path.steps) + lossCount.pairNotes() : notes
  }
}
