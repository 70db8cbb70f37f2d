internal import DecantMigration
internal import DecantWorker
internal import FileNames

/// Results that are complete and noted, of which no worker has told: the daemon was killed, or the worker.
extension Daemon {
  /// Sees a job out whose result is there; false where there is none.
  func deliverFinished(_ record: JobRecord, at now: Double) -> Bool {
    guard record.state != .delivering, record.state != .refusing, !spoiled.contains(record.id),
      let store = record.store
    else { return false }
    let report: MigrationReport?
    do throws(FileFailure) {
      report = try JobFolder(record.id, in: spool)
        .finishedReport(of: store, workerJob(for: record, store).migrationJob)
    } catch {
      // Whoever starts the job meets the same obstacle, and says so.
      return false
    }
    guard let report else { return false }
    write(record, "finished", [])
    log.say(
      .info,
      "The result of job \(record.id) (“\(record.title)”) is complete from the last run; it is not made again.")
    conclude(record, report, nil, at: now)
    return true
  }
}
