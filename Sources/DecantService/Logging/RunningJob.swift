/// The state of a running job that is only in memory.
struct RunningJob {
  var meter: ProgressMeter
  /// Seconds of the steady clock.
  var startedAt: Double
  var worker: Int32
  /// The state of the catalogue when the job started.
  var catalogue: String
}
