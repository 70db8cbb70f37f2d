internal import DecantStore
internal import FileNames
internal import Foundation

/// A result that an earlier run moved to the job's output and noted (`ResultNote`); the caller hasn't delivered it yet.
///
/// The catalogue or the arguments may have changed since the earlier run.
struct EarlierResult {
  private let job: MigrationJob
  private let note: ResultNote

  /// - Returns: `nil` if there is no unchanged, noted result at the job's output.
  init?(of job: MigrationJob) {
    guard
      let note = ResultNote(
        in: job.workFolder.path, results: PathText.folder(of: job.output.path)),
      FileName(note.output) == FileName(job.output.lastPathComponent)
    else { return nil }
    self.job = job
    self.note = note
  }

  var steps: Int { note.report.steps.count }

  /// The path of the last step's file.
  ///
  /// The store was moved from this path to the output, and `takeBack` moves it back.
  private var stepPath: String { job.workFolder.appendingPathComponent("step-\(steps).sqlite").path }

  /// Moves the store from the output back to the path of its last step's file.
  ///
  /// The step's notes show whether its result is still valid. Files beside the store stay in place.
  func takeBack() throws(StoreError) {
    guard rename(job.output.path, stepPath) == 0 else { throw FileCopy.failure(stepPath, "put into place") }
  }

  /// Removes the store after `takeBack`, because the new run can't use it.
  func forget() { unlink(stepPath) }
}
