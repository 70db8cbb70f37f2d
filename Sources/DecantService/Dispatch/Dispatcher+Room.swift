internal import DecantReport

/// Knows which jobs lack room on the disk, and whether others go on.
extension Dispatcher {
  /// Notes that a job has committed a chunk: rows are done that weren't when its run began.
  func noteAdvance(of job: String, _ progress: MigrationProgress) {
    guard let latest = running[job]?.meter.latest, latest.steps > 0, latest.rowsTotal > 0,
      (latest.step, latest.rowsDone) < (progress.step, progress.rowsDone)
    else { return }
    running[job]?.hasAdvanced = true
    advances += 1
  }

  /// What the jobs do of which some lack room.
  struct Room {
    /// The jobs that wait for room, or that a worker tries again, in the order of their names.
    var short: [String] = []
    /// How many of them workers have refused since a job advanced last.
    var refused = 0
    /// Whether a running job may come to its end.
    var isAnyRunning = false
    /// Whether a job waits that no worker has refused for room.
    var isAnyQueued = false
  }

  var room: Room {
    var room = Room()
    var short = Set(queue.shortages.keys)
    for record in queue.records.values
    where record.hasLackedRoom && running[record.id]?.hasAdvanced != true
      && departures.pending[record.id] == nil
    {
      short.insert(record.id)
      if notes[record.id]?.advancesAtLack ?? 0 >= advances { room.refused += 1 }
    }
    room.short = short.sorted()
    room.isAnyRunning = running.keys.contains { !short.contains($0) }
    room.isAnyQueued = queue.queued.contains { !short.contains($0.id) }
    return room
  }
}
