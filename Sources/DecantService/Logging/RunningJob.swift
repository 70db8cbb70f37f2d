/// The state of a running job that is only in memory.
struct RunningJob {
  var meter: ProgressMeter
  /// Seconds of the steady clock.
  var startedAt: Double
  var worker: Int32
  /// Whether the job has committed a chunk or delivered an external file in this run.
  var hasAdvanced = false
  /// Whether the job has committed a chunk in this run; delivered files are copied again by the next run.
  var hasCommitted = false
  /// The state of the catalogue and of the job's worker when the job started.
  var catalogue: String
}
