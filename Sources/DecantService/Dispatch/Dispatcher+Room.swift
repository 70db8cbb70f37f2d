internal import DecantReport

/// Finds the jobs that lack room on the disk, and whether other jobs go on.
extension Dispatcher {
  /// Notes an advance if a worker's progress shows that its job has committed a chunk or delivered an external file.
  func noteAdvance(of job: String, _ progress: MigrationProgress) {
    guard let latest = running[job]?.meter.latest, latest.steps > 0, Self.isAdvance(from: latest, to: progress)
    else { return }
    running[job]?.hasAdvanced = true
    if Self.isCommit(from: latest, to: progress) { running[job]?.hasCommitted = true }
    advances += 1
  }

  static func isAdvance(from latest: MigrationProgress, to progress: MigrationProgress) -> Bool {
    if let before = latest.filesDone, let now = progress.filesDone, before < now { return true }
    return isCommit(from: latest, to: progress)
  }

  private static func isCommit(from latest: MigrationProgress, to progress: MigrationProgress) -> Bool {
    guard latest.step == progress.step else { return latest.rowsTotal > 0 && latest.step < progress.step }
    // A count that replaces an estimate changes both numbers, and no chunk was committed.
    return latest.rowsTotal > 0 && latest.rowsTotal == progress.rowsTotal && latest.rowsDone < progress.rowsDone
  }

  struct Room {
    /// The jobs that wait for room, or that lacked room and haven't advanced since, sorted by name.
    var short: [String] = []
    /// The number of jobs in `short` that can't start, or that lacked room after the last advance of any job.
    var stuck = 0
    /// Whether a job runs that isn't known to lack room.
    var isAnyRunning = false
    /// Whether a job is queued that isn't known to lack room.
    var isAnyQueued = false
  }

  var room: Room {
    var room = Room()
    var short = Set(queue.shortages.keys)
    room.stuck = short.count
    for record in queue.records.values
    where record.hasLackedRoom && running[record.id]?.hasAdvanced != true
      && departures.pending[record.id] == nil
    {
      let isNew = short.insert(record.id).inserted
      if isNew, notes[record.id]?.advancesAtLack ?? 0 >= advances { room.stuck += 1 }
    }
    room.short = short.sorted()
    room.isAnyRunning = running.keys.contains { !short.contains($0) }
    room.isAnyQueued = queue.queued.contains { !short.contains($0.id) }
    return room
  }
}
