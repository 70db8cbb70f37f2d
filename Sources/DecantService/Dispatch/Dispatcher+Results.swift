internal import DecantCatalogue
internal import DecantMigration
internal import DecantReport
internal import DecantSpool
internal import DecantWorker
internal import Foundation

/// Decides what follows from the results and faults of workers.
extension Dispatcher {
  /// The failure, with the store's name instead of its path in `work/`.
  ///
  /// When a person reads the message, the file may have left that path.
  func withoutPlace(_ failure: MigrationFailure, _ record: JobRecord) -> MigrationFailure {
    let place = "\(configuration.spool)/work/\(record.id)/\(JobFolder.source)/"
    var failure = failure
    failure.message = failure.message.replacingOccurrences(of: place, with: "")
    failure.details = failure.details.map { $0.replacingOccurrences(of: place, with: "") }
    failure.advice = failure.advice.replacingOccurrences(of: place, with: "")
    return failure
  }

  func conclude(_ record: JobRecord, _ report: MigrationReport, _ peak: Int?, at now: Double) {
    guard isSourceUnchanged(record, at: now) else { return }
    learnSpeed(of: record, report)
    noteEnd(of: record.id, report, peakMemory: peak)
    do throws(FileFailure) {
      guard report.result == .migrated, try !hasOutput(record) else {
        return leave(
          PendingDeparture(
            record: record, kind: .deliver(report), peakMemory: peak, figures: notes[record.id]?.figures ?? [:],
            wholeSeconds: wholeSeconds(of: record, report), notBefore: now))
      }
    } catch {
      return putOff(record, Self.failure(error), at: now)
    }
    let death = WorkerDeath(
      worker: "The worker", executable: notes[record.id]?.worker,
      cause: .misbehaviour("it reported that the store was migrated, but there is no output"), place: nil,
      lastWords: [], family: report.family)
    strike(record, death, at: now)
  }

  func conclude(_ record: JobRecord, _ failure: MigrationFailure, _ peak: Int?, at now: Double) {
    if record.cancelled == true { return leaveCancelled(record, at: now) }
    if notes[record.id]?.beginsAnew == true { return beginAnew(record, at: now) }
    guard failure.reason != .otherWorker else { return handOver(record, failure, at: now) }
    // The worker used the spool's path. If that path leads elsewhere now, the failure says nothing about the store.
    if failure.disposition != .stopped, let displacement = spool.displacement {
      let place = MigrationFailure(
        .spool, message: displacement,
        advice: "The job continues from its last chunk when the spool is in its place again.",
        family: failure.family)
      return putOff(record, place, at: now)
    }
    switch failure.disposition {
    case .stopped:
      events.write(record, "stopped", [])
      events.say(
        .info, "Job \(record.id) (“\(record.title)”) was stopped and continues later.", event: "stopped",
        about: record, pass: pass(of: record.id))
    case .retry:
      if failure.reason == .noRoom { notes[record.id, default: JobNotes()].advancesAtLack = advances }
      putOff(record, failure, at: now)
    case .catalogue:
      var record = record
      record.state = .waiting
      record.hold = JobRecord.Hold(cause: .catalogue, until: nil, failure: failure)
      notes[record.id, default: JobNotes()].heldCatalogue =
        running[record.id]?.catalogue ?? catalogueState(for: record)
      keep(record)
      events.write(record, "waiting", [("cause", "catalogue")] + failure.fields)
      events.say(
        .error, "Job \(record.id) (“\(record.title)”) waits for the catalogue. \(failure)", event: "waiting",
        about: record)
    case .fault: strike(record, failure, final: failure, at: now)
    case .refuse:
      guard isSourceUnchanged(record, at: now) else { return }
      var record = record
      record.attempts = record.strikes + 1
      leave(PendingDeparture(record: record, kind: .refuse(failure), peakMemory: peak, notBefore: now))
    }
  }

  /// Handles the death of a worker during a job.
  func strike(_ record: JobRecord, _ death: WorkerDeath, at now: Double) {
    // The daemon may have ended the worker itself, so this death doesn't count as an attempt.
    guard !pool.isStopping else { return events.write(record, "stopped", []) }
    if record.cancelled == true { return leaveCancelled(record, at: now) }
    if notes[record.id]?.beginsAnew == true { return beginAnew(record, at: now) }
    // Perhaps the worker didn't stop in time for the pause. That isn't a fault of the store.
    if notes[record.id]?.stopsForPause == true { return events.write(record, "stopped", []) }
    if spool.displacement != nil { return events.write(record, "stopped", []) }
    events.totals.workerDeaths += 1
    if deliverFinished(record, at: now) { return }
    let advice = death.advice(
      chunkSetting: "chunkSize in family.json5", hangSetting: "hangSeconds in decantd.json5",
      memory: "Give the daemon more memory, or fewer workers (workers in decantd.json5).")
    var failure = withoutPlace(death.failure(.refuse, advice: "Decant tries again. \(advice)"), record)
    failure.family = death.family ?? record.family
    var final = failure
    final.advice = "The store is in “failed”, unchanged. \(advice) Then drop the store again."
    strike(
      record, failure, final: final,
      occasion: "In \(attempt(record.strikes + 1)) on “\(record.title)”: ", at: now)
  }

  private func attempt(_ number: Int) -> String { "attempt \(number) of \(configuration.attempts)" }

  /// Counts an attempt that ended with the death of a worker or a fault in Decant or a policy.
  ///
  /// - Parameters:
  ///   - final: The failure to report if this was the last attempt.
  ///   - occasion: The text before the message in the job's record and in `reason.json`.
  private func strike(
    _ record: JobRecord, _ failure: MigrationFailure, final: MigrationFailure, occasion: String = "",
    at now: Double
  ) {
    guard isSourceUnchanged(record, at: now) else { return }
    var record = record
    record.strikes += 1
    let isLast = record.strikes >= configuration.attempts
    let said = isLast ? final : failure
    events.write(
      record, "died",
      [("attempt", "\(record.strikes)/\(configuration.attempts)"), ("message", "\(said)")])
    events.say(
      .error,
      "Job \(record.id) (“\(record.title)”) has failed, \(attempt(record.strikes)). \(said)",
      event: "died",
      about: record, pass: pass(of: record.id))
    var kept = said
    kept.message = occasion + said.message
    if isLast {
      record.attempts = record.strikes
      keep(record)
      leave(PendingDeparture(record: record, kind: .refuse(kept), notBefore: now))
    } else {
      hold(record, kept, retries: record.strikes - 1)
    }
  }

  /// Puts a job off after a failure that may pass.
  ///
  /// The waits begin again with the shortest one if the run has committed a chunk.
  func putOff(_ record: JobRecord, _ failure: MigrationFailure, at now: Double) {
    var record = record
    record.retries = running[record.id]?.hasCommitted == true ? 1 : record.retries + 1
    events.totals.retried += 1
    events.say(
      .warning, "Job \(record.id) (“\(record.title)”) is postponed. \(failure)", event: "waiting",
      about: record,
      pass: pass(of: record.id))
    hold(record, failure, retries: record.retries - 1)
  }

  private func hold(_ record: JobRecord, _ failure: MigrationFailure, retries: Int) {
    var record = record
    let wait = Backoff.seconds(
      retries: retries, first: configuration.retrySeconds, maximum: configuration.retryMaximumSeconds)
    record.state = .waiting
    let now = clock.wall()
    record.hold = JobRecord.Hold(cause: .retry, until: now + wait, failure: failure, since: now)
    keep(record)
    events.write(
      record, "waiting",
      [("cause", record.waitCause), ("seconds", ProgressMeter.whole(wait))] + failure.fields)
  }

  /// Keeps a record in memory and on disk.
  ///
  /// If the write fails, the record stays in memory only.
  func keep(_ record: JobRecord) {
    queue.put(record)
    do throws(FileFailure) {
      try JobFolder(record.id, in: spool).save(record)
      events.clear("record")
    } catch {
      events.trouble("record", error.description, about: record)
    }
  }

  /// Whether the claimed files are unchanged since the claim; if not, puts the job off or refuses it.
  ///
  /// A change means that another process still writes to the files.
  private func isSourceUnchanged(_ record: JobRecord, at now: Double) -> Bool {
    var record = record
    do throws(FileFailure) {
      let folder = try JobFolder(record.id, in: spool)
      let measure = try folder.handle.measure(JobFolder.source)
      if measure.fingerprint.text == record.fingerprint { return true }
      let source = try folder.handle.folder(JobFolder.source)
      if let irregular = try IrregularFiles.first(in: source, links: folder.links()) {
        let refusal = IrregularFiles.refusal(of: irregular, drop: record.drop)
        leave(PendingDeparture(record: record, kind: .refuse(refusal), notBefore: now))
        return false
      }
      try folder.forgetRun()
      record.bytes = measure.bytes
      record.fingerprint = measure.fingerprint.text
      let failure = MigrationFailure(
        .sourceChanged,
        message: "Another process still wrote to “\(record.title)” after it was taken.",
        advice: "Decant tries again. Rename finished folders into incoming instead of copying slowly.")
      record.retries += 1
      let wait = max(configuration.settleSeconds, configuration.retrySeconds)
      record.state = .waiting
      let wall = clock.wall()
      record.hold = JobRecord.Hold(cause: .retry, until: wall + wait, failure: failure, since: wall)
      keep(record)
      events.write(record, "changed", failure.fields)
      events.say(
        .warning, "Job \(record.id): \(failure)", event: "changed", about: record, pass: pass(of: record.id))
    } catch {
      putOff(record, Self.failure(error), at: now)
    }
    return false
  }

  /// Whether a result exists in `output/`, or in `delivery/` after an interrupted delivery.
  private func hasOutput(_ record: JobRecord) throws(FileFailure) -> Bool {
    guard let store = record.store else { return false }
    let folder = try JobFolder(record.id, in: spool).handle
    for name in [JobFolder.output, JobFolder.delivery] where try folder.status(name)?.kind == .folder {
      if try folder.folder(name).status(store.text)?.kind == .file { return true }
    }
    return false
  }

  static func failure(_ failure: FileFailure) -> MigrationFailure {
    MigrationFailure(
      .spool, message: failure.description,
      advice: "Decant tries again later.")
  }
}
