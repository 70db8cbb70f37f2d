internal import DecantMigration
internal import DecantReport
internal import DecantSpool
internal import FileNames

/// Puts jobs into the queue, and releases held jobs.
extension Dispatcher {
  /// Resumes jobs in `work/` that aren't in the queue.
  ///
  /// At the daemon's start, all queued jobs get one line in the log together, because there may be many.
  ///
  /// - Returns: Whether drops can be claimed: false if a claim that stopped halfway can be neither completed nor
  ///   undone.
  func recover() -> Bool {
    defer { hasRecovered = true }
    let unremoved = hasRecovered ? nil : Recovery(spool: spool).removeRests()
    do throws(FileFailure) {
      newerJobs = newerJobs.filter { (try? spool.work.exists($0.key)) != false }
      let findings = try Recovery(spool: spool).run(
        known: { queue[$0] != nil || newerJobs[$0] != nil }, at: clock.wall())
      newerJobs.merge(findings.newer) { $1 }
      tellNewerJobs()
      let queued = hasRecovered ? 0 : findings.records.count { $0.state == .queued }
      if queued > 0 {
        events.say(.info, "Continues \(queued) queued \(queued == 1 ? "job" : "jobs").", event: "resumed")
        events.write(event: "resumed", [("state", "queued"), ("jobs", "\(queued)")])
      }
      for record in findings.records {
        if record.state != .queued || hasRecovered {
          events.say(
            .info, "Continues job \(record.id) (“\(record.title)”), \(record.state.rawValue).",
            event: "resumed", about: record)
          events.write(
            record, "resumed", [("state", record.state.rawValue), ("priority", "\(record.priority)")])
        }
        if !hasRecovered { notes[record.id, default: JobNotes()].isOfEarlierDaemon = true }
        enqueue(record)
        guard record.cancelled != true else { continue }
        // A finished result is delivered without a worker and without more disk space.
        _ = deliverFinished(record, at: clock.steady())
      }
      if let failure = findings.failures.first ?? unremoved {
        events.trouble("work", failure.description)
      } else {
        events.clear("work")
      }
      for stranger in findings.strangers.sorted() {
        events.say(
          once: "stranger \(stranger)", .warning,
          "“\(PrintedName.of(spool.work.path(of: stranger)))” isn't a job; it is left alone.", event: "stranger"
        )
      }
      return findings.halfClaims == 0
    } catch {
      events.trouble("work", error.description)
      return true
    }
  }

  private func tellNewerJobs() {
    guard let first = newerJobs.keys.min(), let format = newerJobs[first] else {
      return events.clear("newer")
    }
    let (one, more) = (newerJobs.count == 1, newerJobs.count - 1)
    events.trouble(
      "newer",
      "Job \(first)\(one ? "" : " and \(more) more") in “\(PrintedName.of(spool.work.path))” "
        + "\(one ? "is" : "are") of a newer version of decantd: the record has format \(format), and this version "
        + "knows \(JobRecord.currentFormat). \(one ? "It is" : "They are") left as \(one ? "it is" : "they are"). "
        + "Install the newer version again; it continues \(one ? "the job" : "the jobs").")
  }

  /// Puts a job into the queue, or lets the job leave `work/` if its end is decided or the job is cancelled.
  ///
  /// - Parameter refusal: Why a refused job is refused; `nil` if this isn't known.
  func enqueue(_ record: JobRecord, _ refusal: MigrationFailure? = nil) {
    guard record.state == .delivering || record.state == .refusing else {
      return record.cancelled == true ? leaveCancelled(record, at: clock.steady()) : queue.put(record)
    }
    leave(
      PendingDeparture(
        record: record, kind: refusal.map(PendingDeparture.Kind.refuse) ?? .complete,
        notBefore: clock.steady()))
  }

  func take(_ end: Departures.End, at now: Double) {
    switch end {
    case .gone(let id):
      queue.remove(id)
      notes[id] = nil
    case .spoiled(let record, let failure):
      queue.noteStaying(record.id)
      notes[record.id, default: JobNotes()].isSpoiled = true
      putOff(record, Self.failure(failure), at: now)
    case .delayed(let record): queue.put(record)
    }
  }

  /// Releases the jobs that wait for the catalogue, if the catalogue or their worker has changed since they failed.
  ///
  /// If this isn't known, because an earlier daemon had the job, the job is released, too.
  func releaseChanged() {
    for record in queue.waiting where record.hold?.cause == .catalogue {
      if let seen = notes[record.id]?.heldCatalogue, seen == catalogueState(for: record) { continue }
      queue.put(released(record))
    }
  }

  func releaseAll() {
    for record in queue.waiting where record.state == .waiting { queue.put(released(record)) }
  }

  /// The record of a job after its release.
  ///
  /// Thousands of jobs may be released at once, so nothing is written here: the start of each job writes its record.
  private func released(_ record: JobRecord) -> JobRecord {
    var record = record
    record.state = .queued
    notes[record.id]?.heldCatalogue = nil
    return record
  }

  func release(_ record: JobRecord) { keep(released(record)) }
}
