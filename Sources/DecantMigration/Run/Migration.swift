internal import DecantEngine
internal import DecantModel
package import DecantReport
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// Runs one job from a store file to a finished output file.
public enum Migration {
  /// Decant's version, as in `--version`, reports and checkpoints.
  public static let decantVersion = DecantVersion.current

  /// Prepares a process that only runs migrations.
  ///
  /// Call this before anything else.
  package static func prepareProcess() { SQLiteDatabase.countNoMemory() }

  /// The form of times in reports, `2026-11-20T14:00:00.123Z`.
  private static let moment = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  private static let unchecked =
    "Pages and indexes of the store and of the result were not checked, as requested. If the store is damaged, values may "
    + "be missing without a message."

  /// Plans a job without writing an output.
  ///
  /// A private copy of the store is written to the work folder in three cases: the store came with a `-wal` or journal,
  /// it is an XML store, or it has stray rows to quarantine.
  ///
  /// - Parameter code: Where the plan looks for the policies and functions that mapping models name.
  /// - Throws: `MigrationFailure` for everything that refuses the job before a row is written.
  package static func plan(
    _ job: MigrationJob, code: PlannedCode = .ofTheJob
  ) throws(MigrationFailure) -> MigrationPlan {
    try SecondAttempt.run(job) { job, _ throws(MigrationFailure) in
      let plan = try JobPreparation(job: job, countsFiltered: true, isForReading: true, code: code).prepare()
        .plan
      try job.checkDisk()
      return plan
    }
  }

  /// Plans and runs a job; resumes from a valid checkpoint in the work folder.
  ///
  /// - Parameters:
  ///   - job: The store, the output and the catalogue.
  ///   - shouldStop: Asked between chunks and during long work; true ends the run with the disposition `stopped`.
  ///   - progress: Called often, possibly on different threads.
  /// - Returns: The report. With the result `alreadyCurrent` no output was written.
  /// - Throws: `MigrationFailure`. The source is unchanged. No store of this run is at the output, unless only the last
  ///   sync of the output's folder failed.
  package static func run(
    _ job: MigrationJob, shouldStop: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
  ) throws(MigrationFailure) -> MigrationReport {
    let goesOn: @Sendable () -> Bool = {
      progress(
        MigrationProgress(
          step: 0, steps: 0, sourceVersion: "", destinationVersion: "", pass: 0, passes: 0, passName: "",
          stage: .open))
      return !shouldStop()
    }
    do throws(MigrationFailure) {
      return try SecondAttempt.run(job, goesOn: goesOn) { job, isWriting throws(MigrationFailure) in
        let start = Date()
        let prepared = try JobPreparation(job: job, observer: goesOn).prepare()
        // Preparation may have skipped an unreadable file. Then the work of an earlier run would seem to belong to
        // another catalogue.
        try job.checkDisk()
        isWriting = true
        return try run(
          prepared, job, since: start, goesOn: goesOn, shouldStop: shouldStop, progress: progress)
      }
    } catch {
      throw JobWishes(job).completing(error)
    }
  }

  private static func run(
    _ prepared: PreparedJob, _ job: MigrationJob, since start: Date, goesOn: @escaping @Sendable () -> Bool,
    shouldStop: @escaping @Sendable () -> Bool, progress: @escaping @Sendable (MigrationProgress) -> Void
  ) throws(MigrationFailure) -> MigrationReport {
    let store = prepared.store
    store.database.observe(nil)
    // The digest is computed in parallel with the work, because reading a large store takes long.
    let source = job.digestsFiles ? FilesDigest.reading(of: job.source, store) : nil
    defer {
      // The reading may be waiting for the scan, so the scan is ended first.
      store.endChecks()
      source?.cancel()
    }
    var report = MigrationReport(
      result: prepared.steps.isEmpty ? .alreadyCurrent : .migrated, store: job.storeName,
      storeType: prepared.store.kind.name,
      family: prepared.family.name, sourceVersion: prepared.source.name, targetVersion: prepared.target.name,
      sourceOrigin: prepared.source.origin.word, nearestVersion: prepared.source.origin.nearest,
      losses: prepared.plan.losses,
      warnings: prepared.plan.warnings + (job.checksPages ? [] : [unchecked]), notes: prepared.plan.notes,
      decantVersion: decantVersion)
    report.strayRows = prepared.plan.strayRows
    do {
      if prepared.steps.isEmpty {
        try store.finishChecks(while: goesOn)
        report.source = try source?.value(while: goesOn)
        report.destination = report.source
        try job.checkDisk()
        // An earlier run may have had another target. So its output is removed.
        try OutputFolder(of: job)?.clear(keepsExternalData: false)
        // The work folder may have a copy through which the store was opened. So the work folder is removed.
        try? FileManager.default.removeItem(at: job.workFolder)
      } else {
        let begun = report
        report = try JobRun(
          prepared, shouldStop: { shouldStop() || store.hasFailedCheck }, progress: progress,
          report: { outcomes, own, goesOn throws in
            var report = completed(begun, outcomes, prepared, since: start)
            // Compute the digests before the result is delivered, because a delivered result counts as finished.
            report.destination =
              try own.map { try FilesDigest.files(of: job.output, own: $0.value(while: goesOn), while: goesOn) }
            report.source = try source?.value(while: goesOn)
            return report
          }
        ).run()
      }
    } catch {
      // A disk failure says nothing about the store or the working files, so the working files stay.
      if let failure = job.watch?.failure, !shouldStop() {
        throw MigrationFailure(failure, family: prepared.family.name)
      }
      // Damage may look like any other error. A check that finds damage also ends the work.
      do { try store.finishChecks(while: goesOn) } catch {
        throw MigrationFailure(error, family: prepared.family.name)
      }
      if MigrationFailure.isDamagedWork(error, in: job.workFolder) {
        // So far the store's indexes weren't compared with its tables. Without `checksPages` its pages weren't checked
        // either. So the whole store is checked now.
        store.database.observe(goesOn)
        defer { store.database.observe(nil) }
        do throws(StoreError) { try store.checkWhole() } catch {
          // Only damage of the store's own file counts here, not damage of a copy among the working files.
          let isStores = if case .damaged = error { store.readPath == store.path } else { false }
          if isStores || error.isStop { throw MigrationFailure(error, family: prepared.family.name) }
        }
        // The store is sound: one of Decant's own files is damaged.
        try? FileManager.default.removeItem(at: job.workFolder)
        throw MigrationFailure(damagedWork: error, family: prepared.family.name)
      }
      throw MigrationFailure(
        running: error, family: prepared.family.name, store: job.storeName)
    }
    let end = Date()
    report.seconds = end.timeIntervalSince(start)
    report.begun = start.formatted(moment)
    report.ended = end.formatted(moment)
    return report
  }

  private static func completed(
    _ begun: MigrationReport, _ outcomes: [JobRun.Outcome], _ prepared: PreparedJob, since start: Date
  ) -> MigrationReport {
    var report = begun
    report.steps = zip(outcomes, prepared.steps).map { outcome, step in
      var report = outcome.report
      report.findings = step.findings
      return report
    }
    if prepared.keepsAssociations {
      report.associations = KeptAssociations.place(beside: prepared.job.output).lastPathComponent
    }
    if let strays = prepared.strays {
      report.strayRows = strays.rows.report(QuarantineFiles(strayRowsBeside: prepared.job.output))
    }
    report.losses += outcomes.flatMap(\.losses)
    report.warnings += outcomes.flatMap(\.warnings)
    let end = Date()
    report.seconds = end.timeIntervalSince(start)
    report.begun = start.formatted(moment)
    report.ended = end.formatted(moment)
    return report
  }
}
