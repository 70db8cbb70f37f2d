internal import DecantSpool

/// Starts jobs again, and stops running jobs for a pause.
extension Dispatcher {
  /// Asks all running jobs to stop after their chunk; they continue from there later.
  func stopRunning(at now: Double) {
    for job in running.keys where notes[job]?.stopsForPause != true {
      notes[job, default: JobNotes()].stopsForPause = true
      pool.stop(job: job, at: now)
    }
  }

  /// Ends a job's wait.
  func retry(_ job: String) {
    guard let record = queue[job], record.state == .waiting, departures.pending[job] == nil else { return }
    release(record)
  }

  /// Discards what a job has done so far, and starts it again.
  ///
  /// A running job stops after its chunk first. A job whose end is decided goes on.
  func restart(_ job: String, at now: Double) {
    guard let record = queue[job], record.state != .delivering, record.state != .refusing,
      departures.pending[job] == nil, record.cancelled != true, notes[job]?.beginsAnew != true
    else { return }
    events.say(
      .notice, "Job \(job) (“\(record.title)”) begins from the start.", event: "restarted", about: record)
    guard running[job] != nil else { return beginAnew(record, at: now) }
    notes[job, default: JobNotes()].beginsAnew = true
    pool.stop(job: job, at: now)
  }

  /// Queues a job without anything of its earlier runs.
  func beginAnew(_ record: JobRecord, at now: Double) {
    notes[record.id] = nil
    var record = record
    do throws(FileFailure) {
      try JobFolder(record.id, in: spool).forgetRun()
    } catch {
      return putOff(record, Self.failure(error), at: now)
    }
    record.state = .queued
    (record.hold, record.strikes, record.retries) = (nil, 0, 0)
    keep(record)
    events.write(record, "restarted", [])
  }
}
