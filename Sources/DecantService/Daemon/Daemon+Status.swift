internal import DecantWorker
internal import FileNames
internal import Glibc

/// The daemon's status for `/status`, the health endpoint and the log.
extension Daemon {
  /// The most entries of a list in `/status`.
  static let longestList = 100

  private static func waiting(_ jobs: Int) -> String { jobs == 1 ? "1 job waits" : "\(jobs) jobs wait" }

  /// One line for people, as `systemctl status` shows it.
  var statusLine: String {
    guard stopRequestedAt == nil else { return "stopping" }
    guard let first = meters.min(by: { $0.key < $1.key })?.value else {
      return pending.isEmpty && queue.records.isEmpty ? "idle" : Self.waiting(queue.records.count)
    }
    var line = "\(meters.count) running, \(queue.queued.count) queued; \(first.meter.store)"
    if let progress = first.meter.latest {
      line +=
        " pass \(progress.pass)/\(progress.passes), \(progress.stage.rawValue), \(Int(min(99, 100 * progress.part))) %"
    }
    return line
  }

  /// Puts the current state on the status board.
  func publish(at now: Double) {
    lastPublished = now
    status.process = getpid()
    status.spool = configuration.spool
    status.uptimeSeconds = ((now - startedAt) * 1000).rounded() / 1000
    let queued = queue.queued
    let waiting = queue.waiting.filter { pending[$0.id] == nil }
    // A departure in its first attempt is not delayed.
    let delayed = pending.filter { $0.value.attempts > 0 }
    status.jobs.queued = queued.count - queued.count { pending[$0.id] != nil }
    status.jobs.running = queue.running.count + pending.count - delayed.count
    status.jobs.waiting = waiting.count + delayed.count
    status.workers = .init(configured: configuration.workers, alive: pool.aliveCount, busy: pool.busyCount)
    status.queued = queued.filter { pending[$0.id] == nil }.prefix(Self.longestList).map {
      .init(job: $0.id, store: $0.title, bytes: $0.bytes, priority: $0.priority, arrival: $0.arrival)
    }
    status.waiting = (waiting.map(describe) + delayed.sorted { $0.key < $1.key }.map(describe))
      .prefix(Self.longestList).map { $0 }
    status.running = meters.sorted { $0.key < $1.key }.map { describe($0.value, at: now) }
    status.blocked = obstacles.sorted { $0.key < $1.key }.flatMap(\.value).prefix(Self.longestList).map {
      .init(drop: $0.drop.description, message: $0.message, command: $0.command)
    }
    status.checks = checks()
    board.write(status, at: now)
    let line = statusLine
    if line != lastStatusLine {
      lastStatusLine = line
      notifier.status(line)
    }
  }

  private func describe(_ running: RunningJob, at now: Double) -> ServiceStatus.Running {
    ServiceStatus.Running(
      job: running.meter.job, store: running.meter.store, bytes: queue[running.meter.job]?.bytes ?? 0,
      worker: running.worker, seconds: ((now - running.startedAt) * 1000).rounded() / 1000,
      progress: running.meter.latest, rowsPerSecond: running.meter.rowsPerSecond,
      passEtaSeconds: running.meter.passSecondsLeft,
      etaSeconds: running.meter.secondsLeft, peakMemoryBytes: PeakMemory.bytes(of: "\(running.worker)")
    )
  }

  private func describe(_ record: JobRecord) -> ServiceStatus.Waiting {
    if let shortage = queue.shortages[record.id] {
      return .init(job: record.id, store: record.title, cause: "space", message: shortage, until: nil)
    }
    return .init(
      job: record.id, store: record.title, cause: record.hold?.cause.rawValue ?? "retry",
      message: record.hold?.failure.description ?? "", until: record.hold?.until.map(Timestamp.text))
  }

  private func describe(_ entry: (key: String, value: PendingDeparture)) -> ServiceStatus.Waiting {
    .init(
      job: entry.key, store: queue[entry.key]?.title ?? "", cause: "departure", message: entry.value.message,
      until: nil)
  }

  /// The conditions of readiness; a condition that doesn't hold says what to do.
  private func checks() -> [ServiceStatus.Check] {
    func check(_ name: String, _ problem: String?, _ fine: String) -> ServiceStatus.Check {
      .init(name: name, ok: problem == nil, message: problem ?? fine)
    }
    let shortage = queue.shortages.min { $0.key < $1.key }
    let catalogueWaits = queue.waiting.filter { $0.hold?.cause == .catalogue }
    let catalogue =
      troubles["catalogue"] ?? troubles["families"]
      ?? catalogueWaits.first?.hold.map {
        "\(Self.waiting(catalogueWaits.count)) for the catalogue\($0.failure.family.map { " (family \($0))" } ?? ""). \($0.failure)"
      }
    let spoolTrouble = ["folders", "incoming", "work", "claim", "record", "departure"].compactMap {
      troubles[$0]
    }.first
    return [
      check("spool", unwritable() ?? unprobed() ?? spoolTrouble, "“\(configuration.spool)” is writable"),
      check(
        "space", shortage.map { "job \($0.key) waits for room: \($0.value)" } ?? lowSpace(),
        "\(DiskSpace.megabytes(status.freeBytes)) free"),
      check("catalogue", catalogue, "“\(configuration.catalogue)” can be read"),
      check("workers", troubles["workers"], "\(pool.busyCount) of \(configuration.workers) busy"),
      // A log that can't be written never stops a migration, so the daemon stays ready.
      .init(
        name: "log", ok: true, warning: progressLog.trouble != nil,
        message: progressLog.trouble ?? "“\(progressLog.path)” is written"),
      .init(
        name: "incoming", ok: true, warning: !obstacles.isEmpty,
        message: obstacles.isEmpty
          ? "nothing is in the way"
          : "\(obstacles.count) \(obstacles.count == 1 ? "drop" : "drops") can't be taken; others are"),
    ]
  }

  /// Checks regularly whether the spool takes files, and more often after a failure.
  func probe(at now: Double) {
    let failure = spoolProbe.failure
    if let failure { trouble("probe", failure.description) } else { clear("probe") }
    let pace =
      failure == nil ? SpoolProbe.pace : min(SpoolProbe.pace, max(configuration.retrySeconds, 0.01))
    guard now - lastProbe >= pace else { return }
    lastProbe = now
    // Drops are taken by renames. The daemon creates no file in incoming/.
    spoolProbe.begin(in: [spool.work, spool.done, spool.failed], at: now)
  }

  private func unprobed() -> String? {
    if let failure = spoolProbe.failure { return failure.description }
    return spoolProbe.delay(at: clock.steady()).map {
      "The disk of “\(configuration.spool)” doesn't answer: a small file is being written for \(Int($0)) s."
    }
  }

  private func unwritable() -> String? {
    for folder in [spool.incoming, spool.work, spool.done, spool.failed]
    where faccessat(folder.descriptor, ".", W_OK | X_OK, AT_EACCESS) != 0 {
      return
        "\(FileFailure("write into", folder.path)) Mend it with: chmod g+rwx \(ShellQuoting.quote(folder.path))"
    }
    return nil
  }

  private func lowSpace() -> String? {
    guard let space = try? DiskSpace(of: spool.work) else { return nil }
    status.freeBytes = space.freeBytes
    return space.shortage(need: 0, reserved: 0, minimumFree: Int64(configuration.minimumFreeBytes))
  }

  // MARK: Words

  /// Writes one line about a job to `progress.log`.
  func write(_ record: JobRecord, _ event: String, _ fields: [(String, String)]) {
    progressLog.write(
      beginning(record.id, record, record.title) + [("event", event)] + fields)
  }

  /// The first fields of every line about a job.
  private func beginning(_ job: String, _ record: JobRecord?, _ store: String) -> [(String, String)] {
    [
      ("time", Timestamp.text(clock.wall())), ("job", job), ("drop", record?.drop.description ?? ""),
      ("store", store),
    ]
  }

  /// Writes one line about no job to `progress.log`.
  func write(event: String, _ fields: [(String, String)]) {
    progressLog.write([("time", Timestamp.text(clock.wall())), ("event", event)] + fields)
  }

  func writeProgress(of job: String) {
    guard let running = meters[job] else { return }
    progressLog.write(
      beginning(job, queue[job], running.meter.store)
        + running.meter.fields(peakMemory: PeakMemory.bytes(of: "\(running.worker)")))
  }

  /// Writes a line for each job that has been silent for a while.
  func tickMeters(at now: Double) {
    for job in meters.keys.sorted() where meters[job]?.meter.tick(at: now) == true {
      writeProgress(of: job)
    }
  }

  /// Records a problem, and logs it if it is new.
  func trouble(_ name: String, _ words: String) {
    guard troubles[name] != words else { return }
    troubles[name] = words
    log.say(.error, words)
  }

  /// Records that a problem is over.
  func clear(_ name: String) {
    if troubles.removeValue(forKey: name) != nil { log.say(.notice, "Mended: \(name).") }
  }

  func say(once key: String, _ priority: ServiceLog.Priority, _ words: String) {
    guard said.insert(key).inserted else { return }
    log.say(priority, words)
    if said.count > 10_000 { said = [] }
  }
}
