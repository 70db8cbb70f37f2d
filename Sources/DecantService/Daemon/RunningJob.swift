/// What the daemon keeps in memory of a job that a worker is at.
struct RunningJob {
  var meter: ProgressMeter
  /// Seconds of the steady clock.
  var startedAt: Double
  var worker: Int32
}
