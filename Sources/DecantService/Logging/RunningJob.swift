/// The state of a running job that is only in memory.
struct RunningJob {
  var meter: ProgressMeter
  /// Seconds of the steady clock.
  var startedAt: Double
  var worker: Int32
  /// Whether it has committed a chunk in this run.
  var hasAdvanced = false
  /// The state of the catalogue when the job started.
  var catalogue: String
}
