internal import DecantMigration
internal import DecantReport

extension Dispatcher {
  /// Cancels a job.
  ///
  /// A job without a worker leaves `work/` at once. A worker stops after its running chunk, or is ended after
  /// `stopSeconds`. A job whose end is decided isn't cancelled: its store is delivered or refused.
  func cancel(_ job: String, at now: Double) {
    guard let record = queue[job], record.state != .delivering, record.state != .refusing,
      departures.pending[job] == nil, record.cancelled != true
    else { return }
    events.say(.notice, "Job \(job) (“\(record.title)”) is cancelled.", event: "cancelled", about: record)
    guard running[job] != nil else { return leaveCancelled(record, at: now) }
    var cancelled = record
    cancelled.cancelled = true
    // The daemon may end before the chunk does. The next daemon then finds the cancellation in the record.
    keep(cancelled)
    pool.stop(job: job, at: now)
  }

  func leaveCancelled(_ record: JobRecord, at now: Double) {
    let failure = MigrationFailure(
      .cancelled, message: "The job was cancelled. The store in “original” is as it was dropped.",
      advice: "“decant retry \(record.id)\(configuration.commandOption)” drops it again.", family: record.family
    )
    leave(PendingDeparture(record: record, kind: .refuse(failure), notBefore: now))
  }
}
