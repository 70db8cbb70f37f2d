internal import DecantMigration
internal import DecantReport
internal import DecantSpool
internal import DecantWorker
internal import FileNames

/// Handles complete results whose report the daemon didn't get, for example because a process was killed.
extension Dispatcher {
  /// Concludes a job that has a finished result; false if nothing was done.
  func deliverFinished(_ record: JobRecord, at now: Double) -> Bool {
    guard record.state != .delivering, record.state != .refusing, notes[record.id]?.isSpoiled != true,
      let store = record.store
    else { return false }
    let report: MigrationReport?
    do throws(FileFailure) {
      report = try JobFolder(record.id, in: spool)
        .finishedReport(of: store, workerJob(for: record, store).migrationJob)
    } catch {
      // The start of the job meets the same failure, and reports it.
      return false
    }
    guard let report else { return false }
    events.write(record, "finished", [])
    events.say(
      .info,
      "An earlier run has made the whole result of job \(record.id) (“\(record.title)”), so it is not made again.",
      event: "finished", about: record
    )
    conclude(record, report, nil, at: now)
    return true
  }
}
