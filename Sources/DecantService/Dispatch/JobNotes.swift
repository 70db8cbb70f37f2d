/// What the daemon remembers of a job in memory only.
struct JobNotes {
  /// The path of the team's worker that got the job; `nil` for Decant's own.
  var worker: String?
  var handOvers = 0
  /// Whether the job's result couldn't be made durable.
  ///
  /// The job runs again, even if a record calls the result durable.
  var isSpoiled = false
  /// The state of the catalogue with which the job failed; a change of it releases the job.
  var heldCatalogue: String?
  /// The seconds that the job takes in all its runs, if one of them showed it.
  var expectedSeconds: Double?
  /// The seconds of its earlier runs.
  var spentSeconds = 0.0
  /// Whether an earlier daemon had the job, whose runs this one doesn't know.
  var isOfEarlierDaemon = false
  /// How often jobs had advanced when a worker last found no room for this one.
  var advancesAtLack = 0
  /// Whether the job has to stop after its chunk for short jobs.
  var isYielding = false
  /// Whether a pause has asked the job's worker to stop.
  var stopsForPause = false
  /// Whether an administrator wants the job to begin from the start.
  var beginsAnew = false
  /// What it had taken when each of its passes ended, as far as this process saw that.
  var figures: [PassFigures.Place: PassFigures] = [:]
}
