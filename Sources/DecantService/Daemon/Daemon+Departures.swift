internal import DecantMigration
internal import FileNames

/// Moves jobs from `work/` to `done/` and `failed/`.
extension Daemon {
  /// Whether departures are running.
  var isDeparting: Bool { pending.values.contains { $0.isUnderWay } }

  /// Starts the departures that are due.
  ///
  /// `takeDepartures` takes their outcomes.
  func depart(at now: Double) {
    let due = pending.filter { $0.value.notBefore <= now && !$0.value.isUnderWay }
    // If a folder was replaced, a new departure waits until `renewFolders` has opened the new folder.
    guard !due.isEmpty, !isDeparting || spool.isCurrent else { return }
    let (spool, book, originals, wall) = (spool, departures, configuration.originals, clock.wall())
    for (id, departure) in due.sorted(by: { $0.key < $1.key }) {
      guard let record = queue[id] else {
        pending[id] = nil
        continue
      }
      pending[id]?.isUnderWay = true
      let again = departure.attempts > 0
      departureQueues.async {
        var record = record
        var report: MigrationReport?
        let end: Result<String?, FileFailure>
        do throws(FileFailure) {
          let exit = Departure(spool: spool, folder: try JobFolder(id, in: spool))
          // An earlier process made this decision. This process reports it.
          if case .complete = departure.kind { report = exit.decidedReport(of: record) }
          end = .success(
            try departure.kind.carryOut(exit, &record, originals: originals, at: wall, again: again))
        } catch {
          end = .failure(error)
        }
        book.add(DepartureOutcome(record: record, end: end, report: report))
      }
    }
  }

  /// Takes the outcomes of departures.
  func takeDepartures(at now: Double) {
    for entry in departures.take() {
      let record = entry.record
      guard var departure = pending[record.id] else { continue }
      departure.isUnderWay = false
      if let report = entry.report { departure.kind = .deliver(report) }
      switch entry.end {
      case .success(let name):
        // Announce first: a daemon that is killed in between announces twice, instead of not at all.
        announce(departure, record, name)
        dismiss(record.id)
        pending[record.id] = nil
        queue.remove(record.id)
        workerOf[record.id] = nil
        handOvers[record.id] = nil
        spoiled.remove(record.id)
        clear("departure")
      case .failure(let failure) where departure.kind.isSpoiled(by: failure, record):
        pending[record.id] = nil
        queue.noteStaying(record.id)
        spoiled.insert(record.id)
        throwAway(record)
        putOff(record, Self.failure(failure), at: now)
      case .failure(let failure):
        queue.put(record)
        delay(departure, record, failure, at: now)
      }
    }
  }

  /// Removes a job's folder; if a part is left, the next scan removes it.
  private func dismiss(_ id: String) {
    do throws(FileFailure) {
      try JobFolder.dismiss(id, from: spool)
    } catch {
      return trouble("work", error.description)
    }
    let spool = spool
    departureQueues.async { JobFolder.sweep(id, from: spool) }
  }

  /// Records that a job departs; from now on it gets no worker.
  func leave(_ record: JobRecord, _ departure: PendingDeparture) {
    queue.put(record)
    queue.noteLeaving(record.id)
    pending[record.id] = departure
  }

  /// Discards the result, so that the job can run again.
  ///
  /// If the record can't be written, the next start repeats this.
  private func throwAway(_ record: JobRecord) {
    do throws(FileFailure) {
      let folder = try JobFolder(record.id, in: spool)
      try folder.save(record)
      try folder.forgetRun()
    } catch {
      trouble("record", error.description)
    }
  }

  private func announce(_ departure: PendingDeparture, _ record: JobRecord, _ name: String?) {
    let isDone = record.state == .delivering
    let place = isDone ? spool.done : spool.failed
    // An interrupted run may have moved it there without recording the new name.
    let folder = PrintedName.of(name.map { place.path(of: $0) } ?? place.path)
    var fields: [(String, String)] = []
    var words = isDone ? "is done" : "was refused"
    var isWarning = !isDone
    switch departure.kind {
    case .deliver(let report):
      fields = [
        ("result", report.result.rawValue), ("from", report.sourceVersion), ("to", report.targetVersion),
      ]
      // Objects are not counted if the store is delivered unchanged.
      let outcome = OutcomeLines(report: report)
      for line in outcome.before { write(record, line.event, line.fields) }
      fields += outcome.done
      fields += [
        ("seconds", "\((report.seconds * 1000).rounded() / 1000)"),
        ("warnings", "\(report.warnings.count)"),
      ]
      words += outcome.words
      isWarning = outcome.hasUnacceptedLosses
      status.totals.take(report)
      for warning in report.warnings.prefix(20) { log.say(.warning, "Job \(record.id): \(warning)") }
    case .refuse(let failure):
      fields = [("reason", failure.reason.word)] + failure.fields
      words += ": \(failure)"
    case .complete: break
    }
    if let peak = departure.peakMemory { fields.append(("peakMiB", ProgressMeter.mebibytes(peak))) }
    fields.append(("folder", folder))
    write(record, isDone ? "done" : "failed", fields)
    log.say(isWarning ? .warning : .info, "Job \(record.id) (“\(record.title)”) \(words) → “\(folder)”.")
    if isDone {
      status.totals.delivered += 1
      status.jobs.done += 1
    } else {
      status.totals.refused += 1
      status.jobs.failed += 1
    }
  }

  private func delay(_ departure: PendingDeparture, _ record: JobRecord, _ failure: FileFailure, at now: Double)
  {
    var departure = departure
    // Renames are cheap: a finished store should leave soon after the disk works again.
    let longest = max(
      configuration.retrySeconds, min(configuration.scanSeconds, configuration.retryMaximumSeconds))
    let wait = Backoff.seconds(retries: departure.attempts, first: configuration.retrySeconds, maximum: longest)
    departure.attempts += 1
    departure.notBefore = now + wait
    departure.message = failure.description
    pending[record.id] = departure
    trouble("departure", "Job \(record.id) (“\(record.title)”) can't leave work. \(failure)")
    write(
      record, "waiting",
      [("cause", "departure"), ("seconds", ProgressMeter.whole(wait)), ("message", failure.description)])
  }
}
