internal import DecantMigration
internal import DecantReport
internal import DecantSpool
internal import DecantWorker
internal import FileNames

/// Gives jobs to workers and takes their results.
final class Dispatcher {
  private let context: DaemonContext
  private let catalogue: CatalogueWatch
  let departures: Departures
  let pool: WorkerPool
  var queue = JobQueue()
  /// The jobs that workers have.
  var running: [String: RunningJob] = [:]
  var notes: [String: JobNotes] = [:]
  var speeds = MeasuredSpeeds()
  /// The jobs of a newer daemon, which stay unchanged, and the format numbers of their records.
  var newerJobs: [String: Int] = [:]
  /// The number of advances of all jobs together: committed chunks, delivered external files, and reports.
  var advances = 0
  /// Whether `recover` has run.
  var hasRecovered = false

  init(_ context: DaemonContext, catalogue: CatalogueWatch, departures: Departures) {
    self.context = context
    self.catalogue = catalogue
    self.departures = departures
    pool = WorkerPool(settings: context.configuration.poolSettings)
  }

  var configuration: ServiceConfiguration { context.configuration }
  var spool: Spool { context.spool }
  var clock: ServiceClock { context.clock }
  var events: EventLog { context.events }

  /// When the next retry is due, in seconds of the steady clock.
  func deadline(at now: Double) -> Double {
    let wall = clock.wall()
    return queue.nextRetry(after: wall).map { now + $0 - wall } ?? .infinity
  }

  /// Gives jobs to idle workers, and starts further workers for other jobs that may start.
  func dispatch(at now: Double) {
    let wall = clock.wall()
    let isAnyReady = !queue.ready(at: wall, most: 1).isEmpty
    guard isAnyReady || !queue.shortages.isEmpty else { return events.clear("workers") }
    guard pool.idleCount > 0 || queue.running.count < configuration.workers else {
      return makeRoomForShortJobs(at: now)
    }
    // If the system doesn't report the free space, no job waits for it.
    let space = try? DiskSpace(of: spool.work)
    while pool.idleCount > 0 {
      let reserved = reservedBytes
      let (fairness, others) = (share, runningJobs(at: now))
      let choice = queue.next(
        at: wall, mayStart: { fairness.mayStart(self.candidate($0, at: wall), beside: others) },
        urgency: fairness.workers == 1 ? { fairness.urgency(of: self.candidate($0, at: wall)) } : nil,
        // Later jobs with the same priority have waited for less time, so the bound holds for them, too.
        bound: { fairness.mostUrgent(waited: wall - $0.claimedAt) },
        isServed: { self.pool.hasIdle(of: self.notes[$0.id]?.worker) },
        shortage: { self.shortage(for: $0, space, reserved: reserved) })
      guard case .start(let record) = choice, start(record, at: now) else { break }
    }
    // The disk may have room by now, or the settings may ask for less. Without an idle worker, the loop above
    // hasn't checked this.
    if pool.idleCount == 0 {
      let reserved = reservedBytes
      queue.reviewShortages { shortage(for: $0, space, reserved: reserved) }
    }
    let free = configuration.workers - queue.running.count
    guard free > 0 else { return makeRoomForShortJobs(at: now) }
    let (fairness, others) = (share, runningJobs(at: now))
    let next = queue.ready(at: wall, most: free) {
      queue.shortages[$0.id] == nil && fairness.mayStart(candidate($0, at: wall), beside: others)
    }
    for (executable, jobs) in Dictionary(grouping: next, by: { notes[$0.id]?.worker }) {
      guard let reason = pool.provide(forJobs: jobs.count, of: executable, at: now) else { continue }
      if let executable {
        putOff(jobsOf: executable, reason, at: now)
      } else {
        events.trouble("workers", reason)
      }
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
  /// The size of the job's existing working files is subtracted, if this size is known.
  private func need(of record: JobRecord) -> Int64 {
    let held = try? JobFolder(record.id, in: spool).heldBytes()
    return DiskSpace.need(of: record.bytes, factor: configuration.spaceFactor, heldBytes: held ?? 0)
  }

  private func shortage(for record: JobRecord, _ space: DiskSpace?, reserved: Int64) -> String? {
    guard let space else { return nil }
    func reason(need: Int64) -> String? {
      space.shortage(need: need, reserved: reserved, minimumFree: Int64(configuration.minimumFreeBytes))
    }
    // There may be many jobs, and a look into a job's folder would take longer than a small job. So look only if the
    // job's size shows a shortage.
    guard reason(need: DiskSpace.need(of: record.bytes, factor: configuration.spaceFactor)) != nil,
      let reason = reason(need: need(of: record))
    else { return nil }
    let isNew = events.say(
      once: "space \(record.id)", .warning,
      "Job \(record.id) (“\(record.title)”) waits for disk space on “\(configuration.spool)”: \(reason).",
      event: "space", about: record)
    if isNew { events.write(record, "waiting", [("cause", JobRecord.spaceCause), ("message", reason)]) }
    return reason
  }

  /// Starts one job; false if no worker takes it.
  private func start(_ record: JobRecord, at now: Double) -> Bool {
    var record = record
    guard let store = record.store else {
      let failure = MigrationFailure(
        .lostRecord, message: "The record of job \(record.id) names no store.",
        advice: "Drop the store again from “original”.")
      leave(PendingDeparture(record: record, kind: .refuse(failure), notBefore: now))
      return true
    }
    // The job was cancelled during a run, and the result of this run couldn't be delivered.
    if record.cancelled == true {
      leaveCancelled(record, at: now)
      return true
    }
    if deliverFinished(record, at: now) { return true }
    let folder: JobFolder
    do throws(FileFailure) {
      folder = try JobFolder(record.id, in: spool)
      // Save the record first: the record on the disk may be older, and may say that the job's end is decided.
      if record.state == .waiting || record.hold != nil {
        record.state = .queued
        try folder.save(record)
      }
      if try folder.hasEndedRun(of: store) { try folder.forgetRun() }
      notes[record.id]?.isSpoiled = false
      try folder.prepareRun()
      events.clear("record")
    } catch {
      putOff(record, Self.failure(error), at: now)
      return true
    }
    guard pool.assign(workerJob(for: record, store), at: now) else { return false }
    events.clear("workers")
    queue.put(record)
    queue.noteStarted(record.id)
    notes[record.id]?.stopsForPause = false
    let worker = pool.process(of: record.id) ?? 0
    running[record.id] = RunningJob(
      meter: ProgressMeter(job: record.id, store: record.title), startedAt: now, worker: worker,
      catalogue: catalogueState(for: record))
    events.write(
      record, "started",
      [("attempt", "\(record.strikes + 1)/\(configuration.attempts)"), ("worker", "\(worker)")])
    return true
  }

  func workerJob(for record: JobRecord, _ store: FileName) -> WorkerJob {
    let base = configuration.spool + "/work/" + record.id
    return WorkerJob(
      id: record.id, source: "\(base)/\(JobFolder.source)/" + store.text,
      output: "\(base)/\(JobFolder.output)/" + store.text,
      workFolder: "\(base)/\(JobFolder.engine)", catalogue: configuration.catalogue, family: record.family,
      target: record.target,
      // The daemon owns the claimed folder, so no other program writes to the external files there.
      linksExternalFiles: true, checksWorker: true, worker: notes[record.id]?.worker,
      // `Departure` syncs the output later, together with other jobs.
      syncsOutput: false, notesResult: true, isOfDrop: true)
  }

  /// The state of the catalogue and of the worker that had the job.
  ///
  /// A job that waits for the catalogue is released when this state changes. The worker's state counts, because the job
  /// may wait for a class that the worker lacked.
  func catalogueState(for record: JobRecord) -> String {
    catalogue.fingerprint + (notes[record.id]?.worker.map { " \(ExecutableState.text(of: $0))" } ?? "")
  }

  func takeEvents(at now: Double) {
    for event in pool.events(at: now) {
      switch event {
      case .progress(let job, let progress):
        noteEndOfPass(of: job, before: progress)
        noteAdvance(of: job, progress)
        if running[job]?.meter.observe(progress, at: now) == true { writeProgress(of: job) }
        learnKind(of: job, progress)
      case .report(let job, let report, let peak):
        advances += 1
        end(job) { conclude($0, report, peak, at: now) }
      case .failure(let job, let failure, let peak):
        end(job) { conclude($0, withoutPlace(failure, $0), peak, at: now) }
      case .died(let job, let death): end(job) { strike($0, death, at: now) }
      case .startFailed(nil, let words): events.trouble("workers", "A worker can't be started. \(words)")
      case .startFailed(let executable?, let words): putOff(jobsOf: executable, words, at: now)
      }
    }
  }

  private func end(_ job: String, _ conclude: (JobRecord) -> Void) {
    queue.noteEnded(job)
    noteRun(of: job, at: clock.steady())
    if let record = queue[job] { conclude(record) }
    running[job] = nil
  }

  /// Sets the workers' priorities, and writes a progress line for each job that has had none for a while.
  func tick(at now: Double) {
    pool.prioritiseBusy(at: now)
    if let trouble = pool.priorityTrouble {
      events.trouble("priority", trouble)
    } else {
      events.clear("priority")
    }
    for job in running.keys.sorted() where running[job]?.meter.tick(at: now) == true { writeProgress(of: job) }
  }

  private func writeProgress(of job: String) {
    if let running = running[job] { events.write(running, queue[job]) }
  }

  /// Lets a job leave `work/`; from now on the job gets no worker.
  func leave(_ departure: PendingDeparture) {
    queue.put(departure.record)
    queue.noteLeaving(departure.record.id)
    departures.add(departure)
  }
}
