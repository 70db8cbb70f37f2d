/// The state of a running job that is only in memory.
struct RunningJob {
  var meter: ProgressMeter
  /// Seconds of the steady clock.
  var startedAt: Double
  var worker: Int32
}
