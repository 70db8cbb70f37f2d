/// A question that completion scripts ask the program.
///
/// The answer depends on a catalogue or a daemon.
package enum CompletionQuestion: String, Sendable, Hashable, CaseIterable {
  /// The families of the catalogue of `--models`, or of the daemon.
  case families
  /// The versions of the families that `families` gives.
  case versions
  /// The jobs and drops that the daemon has.
  case activeJobs = "active-jobs"
  /// The folders in `failed/`.
  case failedJobs = "failed-jobs"
  /// The folders in `done/` and `failed/`.
  case endedJobs = "ended-jobs"
  /// The answers to `activeJobs` and `endedJobs`.
  case jobs
}
