internal import DecantReport
internal import DecantSpool
internal import DecantWorker
internal import Glibc

/// The daemon's status: for the health endpoint, and as one line for the service manager.
extension Daemon {
  /// The largest number of entries in each of these lists of `/status`: `queued`, `waiting` and `blocked`.
  static let longestList = 100

  static func waiting(_ jobs: Int) -> String { jobs == 1 ? "1 job waits" : "\(jobs) jobs wait" }

  /// One line for people, as `systemctl status` shows it.
  var statusLine: String {
    guard phase.isOpen else { return "stopping" }
    let (running, queue) = (dispatcher.running, dispatcher.queue)
    guard let first = running.min(by: { $0.key < $1.key })?.value else {
      let jobs = queue.records.count
      if let message = pause?.message(context.configuration.commandOption) {
        return jobs == 0 ? message : "\(message); \(Self.waiting(jobs))"
      }
      return departures.pending.isEmpty && jobs == 0 ? "idle" : Self.waiting(jobs)
    }
    var line = "\(running.count) running, \(queue.queued.count) queued; \(first.meter.store)"
    if let progress = first.meter.latest {
      let pass = progress.passes > 0 ? " pass \(progress.pass)/\(progress.passes)," : ""
      line += "\(pass) \(progress.stage.rawValue), \(Int(min(99, 100 * progress.part))) %"
    }
    return line
  }

  func publish(at now: Double) {
    departures.recountFolders(at: now)
    health.show(status(at: now), at: now)
    notifier.show(statusLine)
  }

  private func status(at now: Double) -> ServiceStatus {
    let (queue, pool, pending) = (dispatcher.queue, dispatcher.pool, departures.pending)
    let queued = queue.queued
    let waiting = queue.waiting.filter { pending[$0.id] == nil }
    // A job in its first attempt to leave `work/` is not delayed.
    let delayed = pending.filter { $0.value.attempts > 0 }
    let measured = Result { () throws(FileFailure) in try DiskSpace(of: context.spool.work) }
    let space = try? measured.get()
    var status = ServiceStatus()
    status.process = getpid()
    status.spool = context.configuration.spool
    switch phase {
    case .starting: status.state = .starting
    case .running: status.state = .running
    case .stopping, .finished: status.state = .stopping
    }
    status.jobs.queued = queued.count - queued.count { pending[$0.id] != nil }
    status.jobs.running = queue.running.count + pending.count - delayed.count
    status.jobs.waiting = waiting.count + delayed.count
    (status.jobs.done, status.jobs.failed) = departures.folders
    status.totals = context.events.totals
    status.workers = .init(
      configured: context.configuration.workers, alive: pool.aliveCount, busy: pool.busyCount,
      nice: context.configuration.nice, ioPriority: context.configuration.ioPriority.rawValue)
    status.queued = queued.filter { pending[$0.id] == nil }.prefix(Self.longestList).map {
      .init(
        job: $0.id, drop: $0.drop.description, store: $0.title, bytes: $0.bytes, priority: $0.priority,
        arrival: $0.arrival)
    }
    let waits = waiting.map(describe) + delayed.sorted { $0.key < $1.key }.map { describe($0.value) }
    status.waiting = Array(waits.prefix(Self.longestList))
    for wait in waits { status.waitingByCause[wait.cause, default: 0] += 1 }
    status.running = dispatcher.running.sorted { $0.key < $1.key }.map { describe($0.value, at: now) }
    status.queue.bytes = queued.reduce(0) { $0 &+ $1.bytes }
    status.queue.oldestSeconds = queue.records.values.map(\.claimedAt).min().map {
      (max(0, context.clock.wall() - $0) * 10).rounded() / 10
    }
    status.results = context.events.results.latest
    if takesWork { status.queue.etaSeconds = queueSeconds(status.running, queued) }
    status.jobs.blocked = intake.blocked.count
    let blocked = intake.blocked.reported.sorted { $0.key < $1.key }.lazy.flatMap(\.value)
    status.blocked = blocked.prefix(Self.longestList).map {
      .init(drop: $0.drop.description, message: $0.message, command: $0.command)
    }
    status.freeBytes = space?.freeBytes ?? health.status.freeBytes
    status.sizeBytes = space?.sizeBytes ?? health.status.sizeBytes
    status.freeFiles = space?.freeFiles
    status.pause = pause
    status.families = families
    status.checks = checks(measured, freeBytes: status.freeBytes, families: status.families)
    return status
  }

  /// Estimated seconds until all running and queued jobs have ended.
  private func queueSeconds(_ running: [ServiceStatus.Running], _ queued: [JobRecord]) -> Double? {
    let (results, share, wall) = (context.events.results, dispatcher.share, context.clock.wall())
    func spent(_ job: String) -> Double { dispatcher.notes[job]?.spentSeconds ?? 0 }
    return results.secondsLeft(
      of: running, spent: spent,
      queued: queued.map { record in
        let candidate = dispatcher.candidate(record, at: wall)
        let whole = candidate.expected ?? results.seconds(bytes: record.bytes)
        // The estimate is of the whole job, so the time of its earlier runs is subtracted.
        return (whole.map { max(0, $0 - spent(record.id)) }, share.isLong(candidate))
      }, workers: context.configuration.workers)
  }

  /// The families that can't be used, or for which jobs wait.
  private var families: [ServiceStatus.Family] {
    var families = catalogue.brokenFamilies.mapValues { (message: $0, jobs: 0) }
    for hold in dispatcher.queue.waiting.compactMap(\.hold) where hold.cause == .catalogue {
      let name = hold.failure.family ?? ""
      families[name, default: ("\(hold.failure)", 0)].jobs += 1
    }
    return families.sorted { $0.key < $1.key }.map { name, trouble in
      let waits =
        trouble.jobs == 0
        ? "" : "\(Self.waiting(trouble.jobs)) for the catalogue\(name.isEmpty ? "" : " (family \(name))"). "
      return .init(family: name, waiting: trouble.jobs, message: waits + trouble.message)
    }
  }

  private func describe(_ running: RunningJob, at now: Double) -> ServiceStatus.Running {
    let record = dispatcher.queue[running.meter.job]
    return ServiceStatus.Running(
      job: running.meter.job, drop: record?.drop.description ?? "", store: running.meter.store,
      bytes: record?.bytes ?? 0, worker: running.worker, attempt: (record?.strikes ?? 0) + 1,
      seconds: ((now - running.startedAt) * 1000).rounded() / 1000,
      progress: running.meter.latest, rowsPerSecond: running.meter.rowsPerSecond,
      passEtaSeconds: running.meter.passSecondsLeft,
      etaSeconds: running.meter.measuredSecondsLeft,
      memoryBytes: ProcessMemory.bytes(.now, of: "\(running.worker)"),
      peakMemoryBytes: ProcessMemory.bytes(of: "\(running.worker)"))
  }

  private func describe(_ record: JobRecord) -> ServiceStatus.Waiting {
    if let shortage = dispatcher.queue.shortages[record.id] {
      return .init(
        job: record.id, drop: record.drop.description, store: record.title, cause: JobRecord.spaceCause,
        message: shortage, until: nil)
    }
    return .init(
      job: record.id, drop: record.drop.description, store: record.title,
      cause: record.waitCause,
      message: record.hold?.failure.description ?? "",
      until: record.hold?.until.map(Timestamp.text))
  }

  private func describe(_ departure: PendingDeparture) -> ServiceStatus.Waiting {
    .init(
      job: departure.record.id, drop: departure.record.drop.description, store: departure.record.title,
      cause: "departure", message: departure.message, until: nil)
  }
}
