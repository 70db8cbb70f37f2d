internal import DecantStore
internal import FileNames
internal import Foundation

/// A result that an earlier run of a job has put into place and noted, and that wasn't delivered: the catalogue or the
/// arguments have changed since.
struct EarlierResult {
  private let job: MigrationJob
  private let note: ResultNote

  /// - Returns: `nil` where the work folder has no note, or one of another file than the job's output.
  init?(of job: MigrationJob) {
    guard
      let note = ResultNote(
        in: job.workFolder.path, results: job.output.deletingLastPathComponent().path),
      FileName(note.output) == FileName(job.output.lastPathComponent)
    else { return nil }
    self.job = job
    self.note = note
  }

  /// How many steps it is made by.
  var steps: Int { note.report.steps.count }

  /// Where the file of its last step was, and is once it is taken back.
  private var step: String { job.workFolder.appendingPathComponent("step-\(steps).sqlite").path }

  /// Makes the store the file of its last step again, as it was before it was delivered.
  ///
  /// That step's notes tell whether it would be made in the same way now. What stands beside the store stays there.
  ///
  /// - Throws: `StoreError.files`.
  func takeBack() throws(StoreError) {
    guard rename(job.output.path, step) == 0 else { throw FileCopy.failure(step, "put into place") }
  }

  /// Removes the store where it was taken back to: its step will be made anew.
  func forget() { unlink(step) }
}
