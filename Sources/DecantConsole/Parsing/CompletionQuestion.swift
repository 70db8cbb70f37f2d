/// What completion scripts ask the program, because it depends on a catalogue or a daemon.
package enum CompletionQuestion: String, Sendable, Hashable, CaseIterable {
  /// The families of the catalogue of `--models`, or of the daemon.
  case families
  /// The versions of its families.
  case versions
  /// The jobs and drops that the daemon has.
  case activeJobs = "active-jobs"
  /// The folders in `failed/`.
  case failedJobs = "failed-jobs"
  /// The folders in `done/` and `failed/`.
  case endedJobs = "ended-jobs"
  /// All of these.
  case jobs
}
