internal import DecantCatalogue
internal import DecantMigration
internal import DecantWorker
internal import FileNames
internal import Foundation

/// Gives jobs to workers and takes their results.
extension Daemon {
  /// Gives jobs to workers until either runs out.
  func dispatch(at now: Double) {
    let wall = clock.wall()
    let isAnyReady = !queue.ready(at: wall, most: 1).isEmpty
    guard isAnyReady || !queue.shortages.isEmpty else { return clear("workers") }
    guard pool.idleCount > 0 || queue.running.count < configuration.workers else { return }
    let space = try? DiskSpace(of: spool.work)
    status.freeBytes = space?.freeBytes ?? status.freeBytes
    while pool.idleCount > 0 {
      let reserved = reservedBytes
      let choice = queue.next(
        at: wall, workers: configuration.workers, bigStoreBytes: configuration.bigStoreBytes,
        isServed: { pool.hasIdle(of: workerOf[$0.id]) },
        shortage: { self.shortage(for: $0, space, reserved: reserved) })
      guard case .start(let record) = choice, start(record, at: now) else { break }
    }
    let free = configuration.workers - queue.running.count
    guard free > 0 else { return }
    let next = queue.ready(at: wall, most: free) { queue.shortages[$0.id] == nil }
    for (executable, jobs) in Dictionary(grouping: next, by: { workerOf[$0.id] }) {
      guard let reason = pool.provide(forJobs: jobs.count, of: executable, at: now) else { continue }
      if let executable { putOff(jobsOf: executable, reason, at: now) } else { trouble("workers", reason) }
    }
  }

  /// The bytes that running jobs may still need.
  private var reservedBytes: Int64 {
    queue.running.reduce(Int64(0)) { sum, id in
      let need = queue[id].map(need) ?? 0
      let (value, overflow) = sum.addingReportingOverflow(need)
      return overflow ? Int64.max : value
    }
  }

  /// The bytes that a job still needs.
  ///
  /// The size of its existing working files is subtracted.
  private func need(of record: JobRecord) -> Int64 {
    let held = try? JobFolder(record.id, in: spool).heldBytes()
    return DiskSpace.need(of: record.bytes, factor: configuration.spaceFactor, heldBytes: held ?? 0)
  }

  private func shortage(for record: JobRecord, _ space: DiskSpace?, reserved: Int64) -> String? {
    guard let space else { return nil }
    let reason = space.shortage(
      need: need(of: record), reserved: reserved,
      minimumFree: Int64(configuration.minimumFreeBytes))
    if let reason {
      say(
        once: "space \(record.id)", .warning,
        "Job \(record.id) (“\(record.title)”) waits for room on “\(configuration.spool)”: \(reason).")
    }
    return reason
  }

  /// Starts one job; false if no worker takes it.
  private func start(_ record: JobRecord, at now: Double) -> Bool {
    var record = record
    guard let store = record.store else {
      let failure = MigrationFailure(
        .lostRecord, message: "The record of job \(record.id) names no store.",
        advice: "Drop the store again from “original”.")
      leave(record, PendingDeparture(kind: .refuse(failure), notBefore: now))
      return true
    }
    if deliverFinished(record, at: now) { return true }
    let folder: JobFolder
    do throws(FileFailure) {
      folder = try JobFolder(record.id, in: spool)
      // Do this first: the disk may still have an older decision for a job that was held.
      if record.state == .waiting || record.hold != nil {
        record.state = .queued
        try folder.save(record)
      }
      if try folder.hasEndedRun(of: store) { try folder.forgetRun() }
      spoiled.remove(record.id)
      try folder.prepareRun()
    } catch {
      putOff(record, Self.failure(error), at: now)
      return true
    }
    guard pool.assign(workerJob(for: record, store), at: now) else { return false }
    clear("workers")
    queue.put(record)
    queue.noteStarted(record.id)
    catalogueAtStart[record.id] = catalogueState(for: record)
    meters[record.id] = RunningJob(
      meter: ProgressMeter(job: record.id, store: record.title), startedAt: now,
      worker: pool.process(of: record.id) ?? 0)
    write(
      record, "started",
      [
        ("attempt", "\(record.strikes + 1)/\(configuration.attempts)"),
        ("worker", "\(meters[record.id]?.worker ?? 0)"),
      ])
    return true
  }

  /// The job as it is sent to a worker.
  func workerJob(for record: JobRecord, _ store: FileName) -> WorkerJob {
    let base = configuration.spool + "/work/" + record.id
    return WorkerJob(
      id: record.id, source: "\(base)/\(JobFolder.source)/" + store.text,
      output: "\(base)/\(JobFolder.output)/" + store.text,
      workFolder: "\(base)/\(JobFolder.engine)", catalogue: configuration.catalogue, family: record.family,
      target: record.target,
      // The daemon owns the claimed folder.
      linksExternalFiles: true, checksWorker: true, worker: workerOf[record.id],
      // The departure syncs the output later, together with other jobs.
      syncsOutput: false, notesResult: true, isOfDrop: true)
  }

  /// Takes the workers' events.
  func takeEvents(at now: Double) {
    for event in pool.events(at: now) {
      switch event {
      case .progress(let job, let progress):
        guard meters[job]?.meter.observe(progress, at: now) == true else { continue }
        writeProgress(of: job)
      case .report(let job, let report, let peak): end(job) { conclude($0, report, peak, at: now) }
      case .failure(let job, let failure, let peak):
        end(job) { conclude($0, withoutPlace(failure, $0), peak, at: now) }
      case .died(let job, let death): end(job) { strike($0, death, at: now) }
      case .startFailed(nil, let words): trouble("workers", "A worker can't be started. \(words)")
      case .startFailed(let executable?, let words): putOff(jobsOf: executable, words, at: now)
      }
    }
  }

  private func end(_ job: String, _ conclude: (JobRecord) -> Void) {
    queue.noteEnded(job)
    if let record = queue[job] { conclude(record) }
    meters[job] = nil
    catalogueAtStart[job] = nil
  }

  /// The failure with the store's name without its path in `work/`.
  ///
  /// That path is gone when a person reads the message.
  private func withoutPlace(_ failure: MigrationFailure, _ record: JobRecord) -> MigrationFailure {
    let place = "\(configuration.spool)/work/\(record.id)/\(JobFolder.source)/"
    var failure = failure
    failure.message = failure.message.replacingOccurrences(of: place, with: "")
    failure.details = failure.details.map { $0.replacingOccurrences(of: place, with: "") }
    failure.advice = failure.advice.replacingOccurrences(of: place, with: "")
    return failure
  }

  func conclude(_ record: JobRecord, _ report: MigrationReport, _ peak: Int?, at now: Double) {
    guard isSourceUnchanged(record, at: now) else { return }
    if report.result == .migrated, !hasOutput(record) {
      let death = WorkerDeath(
        worker: "The worker", executable: workerOf[record.id],
        cause: .misbehaviour("it said that it had migrated the store, but there is no output"), place: nil,
        lastWords: [], family: report.family)
      return strike(record, death, at: now)
    }
    leave(record, PendingDeparture(kind: .deliver(report), peakMemory: peak, notBefore: now))
  }

  func conclude(_ record: JobRecord, _ failure: MigrationFailure, _ peak: Int?, at now: Double) {
    guard failure.reason != .otherWorker else { return handOver(record, failure, at: now) }
    switch failure.disposition {
    case .stopped:
      write(record, "stopped", [])
      log.say(.info, "Job \(record.id) (“\(record.title)”) has stopped; it goes on later.")
    case .retry: putOff(record, failure, at: now)
    case .catalogue:
      var record = record
      record.state = .waiting
      record.hold = JobRecord.Hold(cause: .catalogue, until: nil, failure: failure)
      catalogueHolds[record.id] = catalogueAtStart[record.id] ?? catalogueState(for: record)
      keep(record)
      write(record, "waiting", [("cause", "catalogue")] + failure.fields)
      log.say(.error, "Job \(record.id) (“\(record.title)”) waits for the catalogue. \(failure)")
    case .fault: strike(record, failure, final: failure, at: now)
    case .refuse:
      guard isSourceUnchanged(record, at: now) else { return }
      var record = record
      record.attempts = record.strikes + 1
      leave(record, PendingDeparture(kind: .refuse(failure), peakMemory: peak, notBefore: now))
    }
  }

  /// A worker died while it had the store: try again, or refuse the store.
  private func strike(_ record: JobRecord, _ death: WorkerDeath, at now: Double) {
    // The daemon may have ended the worker itself.
    guard stopRequestedAt == nil else { return write(record, "stopped", []) }
    status.totals.workerDeaths += 1
    if deliverFinished(record, at: now) { return }
    let advice = death.advice(
      chunkSetting: "chunkSize in family.json5", hangSetting: "hangSeconds in decantd.json5")
    let occasion = "In \(attempt(record.strikes + 1)) on “\(record.title)”: "
    var failure = withoutPlace(
      death.failure(.refuse, occasion: occasion, advice: "It is tried again. \(advice)"), record)
    failure.family = death.family ?? record.family
    var final = failure
    final.advice = "The store is put aside as it was. \(advice) Then drop it again."
    strike(record, failure, final: final, at: now)
  }

  private func attempt(_ number: Int) -> String { "attempt \(number) of \(configuration.attempts)" }

  /// An attempt failed because of a fault in Decant or in a policy.
  ///
  /// - Parameter final: The failure to report if this was the last attempt.
  private func strike(_ record: JobRecord, _ failure: MigrationFailure, final: MigrationFailure, at now: Double)
  {
    guard isSourceUnchanged(record, at: now) else { return }
    var record = record
    record.strikes += 1
    let isLast = record.strikes >= configuration.attempts
    let said = isLast ? final : failure
    write(
      record, "died",
      [("attempt", "\(record.strikes)/\(configuration.attempts)"), ("message", "\(said)")])
    log.say(
      .error,
      "Job \(record.id) (“\(record.title)”) has failed, \(attempt(record.strikes)). \(said)")
    if isLast {
      record.attempts = record.strikes
      keep(record)
      leave(record, PendingDeparture(kind: .refuse(final), notBefore: now))
    } else {
      hold(record, failure, retries: record.strikes - 1)
    }
  }

  /// Puts a job off after a failure that may pass; each retry waits longer.
  func putOff(_ record: JobRecord, _ failure: MigrationFailure, at now: Double) {
    var record = record
    record.retries += 1
    status.totals.retried += 1
    log.say(.warning, "Job \(record.id) (“\(record.title)”) is put off. \(failure)")
    hold(record, failure, retries: record.retries - 1)
  }

  private func hold(_ record: JobRecord, _ failure: MigrationFailure, retries: Int) {
    var record = record
    let wait = Backoff.seconds(
      retries: retries, first: configuration.retrySeconds, maximum: configuration.retryMaximumSeconds)
    record.state = .waiting
    record.hold = JobRecord.Hold(cause: .retry, until: clock.wall() + wait, failure: failure)
    keep(record)
    write(
      record, "waiting",
      [("cause", "retry"), ("seconds", ProgressMeter.whole(wait))] + failure.fields)
  }

  /// Keeps a record in memory and on disk.
  ///
  /// If the write fails, the record stays in memory only.
  func keep(_ record: JobRecord) {
    queue.put(record)
    do throws(FileFailure) {
      try JobFolder(record.id, in: spool).save(record)
      clear("record")
    } catch {
      trouble("record", error.description)
    }
  }

  /// False if another process still writes to the claimed files.
  ///
  /// Then the job starts anew once they have settled.
  private func isSourceUnchanged(_ record: JobRecord, at now: Double) -> Bool {
    var record = record
    do throws(FileFailure) {
      let folder = try JobFolder(record.id, in: spool)
      let measure = try folder.handle.measure(JobFolder.source)
      if measure.fingerprint.text == record.fingerprint { return true }
      try folder.forgetRun()
      record.bytes = measure.bytes
      record.fingerprint = measure.fingerprint.text
      let failure = MigrationFailure(
        .sourceChanged, message: "“\(record.title)” was still being written to after it was taken.",
        advice: "It is tried again. Rename finished folders into incoming instead of copying slowly.")
      record.retries += 1
      let wait = max(configuration.settleSeconds, configuration.retrySeconds)
      record.state = .waiting
      record.hold = JobRecord.Hold(cause: .retry, until: clock.wall() + wait, failure: failure)
      keep(record)
      write(record, "changed", failure.fields)
      log.say(.warning, "Job \(record.id): \(failure)")
    } catch {
      putOff(record, Self.failure(error), at: now)
    }
    return false
  }

  /// Whether a result exists, in the worker's place or in the place of an interrupted departure.
  private func hasOutput(_ record: JobRecord) -> Bool {
    guard let store = record.store, let folder = try? JobFolder(record.id, in: spool) else { return false }
    return [JobFolder.output, JobFolder.delivery].contains { name in
      (try? folder.handle.folder(name).status(store.text))??.kind == .file
    }
  }

  static func failure(_ failure: FileFailure) -> MigrationFailure {
    MigrationFailure(
      .spool, message: failure.description,
      advice: "It is tried again by itself once that is mended.")
  }
}
