/// The facts about a job that the daemon keeps only in memory.
struct JobNotes {
  /// The path of the family's own worker, if the job was handed over to it; `nil` for the daemon's usual workers.
  var worker: String?
  var handOvers = 0
  /// Whether the job's result couldn't be made durable.
  ///
  /// The job runs again, even if its record says that the result is durable.
  var isSpoiled = false
  /// The state of the catalogue with which the job failed; a change of this state releases the job.
  var heldCatalogue: String?
  /// The estimated seconds of all the job's runs together; `nil` if no run gave an estimate.
  var expectedSeconds: Double?
  /// The seconds of the job's earlier runs together.
  var spentSeconds = 0.0
  /// Whether an earlier daemon had the job; this daemon doesn't know how long the job ran then.
  var isOfEarlierDaemon = false
  /// The dispatcher's `advances` when a worker last found no room for this job.
  var advancesAtLack = 0
  /// Whether the job was asked to stop after its current chunk, so that short jobs can run.
  var isYielding = false
  /// Whether a pause has asked the job's worker to stop.
  var stopsForPause = false
  /// Whether an administrator wants the job to begin from the start.
  var beginsAnew = false
  /// The memory and disk space that the job had used at the end of each pass, if this process saw that end.
  var figures: [PassFigures.Place: PassFigures] = [:]
}
