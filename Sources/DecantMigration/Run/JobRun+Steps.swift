internal import DecantReport
internal import DecantStore
internal import Foundation

/// Gives a step's file its name, and writes the step's `Notes`.
extension JobRun {
  /// A step whose file has all its content.
  struct Made {
    let outcome: Outcome
    /// Whether the step is made again after a crash.
    ///
    /// If so, the step's file isn't synced.
    let isMadeAnew: Bool
    /// Whether the step's `Notes` are written, or aren't needed.
    let isNoted: Bool
  }

  func put(_ made: Made, of index: Int, digests: StepDigests, file: String) throws {
    let partial = file + ".partial"
    if !made.isMadeAnew { try FileCopy.sync(partial) }
    guard rename(partial, file) == 0 else { throw FileCopy.failure(file, "renamed") }
    // A later step may take long, and the file of the earlier step is removed now. So the outcome is written now. If a
    // job has only one step and the step has no notes yet, the step was short. After a crash the step is made again.
    if !made.isNoted, prepared.steps.count > 1 { try note(made.outcome, of: index, digests) }
  }

  /// Writes the `Notes` of a step whose file is durable.
  ///
  /// Afterwards only `StepRun.seal` and the rename may remain, and a later run can repeat both.
  func note(_ outcome: Outcome, of index: Int, _ digests: StepDigests) throws {
    try job.checkDisk()
    if prepared.keepsAssociations { try FileCopy.sync(path(Self.associations)) }
    let data = try JSONEncoder().encode(Notes(digest: try digests.of(index), outcome: outcome))
    try FileCopy.makeDurable(data, at: notesPath(index))
    try FileCopy.sync(job.workFolder.path)
  }

  /// Begins to read a finished file for its digest; `nil` if the job wants none.
  func reading(_ file: String) throws(StoreError) -> ParallelReading<MigrationReport.File>? {
    job.digestsFiles ? try FilesDigest.reading(file: file) : nil
  }
}
