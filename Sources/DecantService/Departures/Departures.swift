internal import DecantMigration
internal import DecantReport
internal import DecantSpool
internal import DecantWorker
internal import FileNames

/// Moves jobs from `work/` to `done/` and `failed/`, on queues for which the loop doesn't wait.
///
/// Such a move is a departure.
final class Departures {
  enum End {
    /// The job has left `work/`.
    case gone(String)
    /// The result is unreliable, and the job has to run again.
    case spoiled(JobRecord, FileFailure)
    /// The departure is tried again later.
    case delayed(JobRecord)
  }

  private let context: DaemonContext
  private let queues = DiskQueues()
  private let outcomes = OutcomeBook<DepartureOutcome>()
  private(set) var pending: [String: PendingDeparture] = [:]
  /// Folders in `done/` and `failed/`.
  private(set) var folders = (done: 0, failed: 0)
  /// The write times of `done/` and `failed/` at the last count, in nanoseconds since 1970.
  private var countedState: [Int64] = []
  /// No change leads to a count before this moment, because counting very many names takes long.
  private var recountNotBefore = -Double.infinity
  let late: LateChanges

  let programs: Programs

  init(_ context: DaemonContext) {
    self.context = context
    late = LateChanges(context)
    programs = Programs(context)
  }

  var isUnderWay: Bool { pending.values.contains { $0.isUnderWay } }

  var descriptor: Int32 { outcomes.descriptor }

  /// When the next departure is due, in seconds of the steady clock.
  var deadline: Double {
    pending.values.reduce(.infinity) { $1.isUnderWay ? $0 : min($0, $1.notBefore) }
  }

  /// Adds a job whose end is decided.
  func add(_ departure: PendingDeparture) { pending[departure.record.id] = departure }

  func hurry(at now: Double) { for id in pending.keys { pending[id]?.notBefore = now } }

  func countFolders() {
    let (spool, begun) = (context.spool, context.clock.steady())
    countedState = foldersState
    folders.done = (try? spool.done.countNames()) ?? folders.done
    folders.failed = (try? spool.failed.countNames()) ?? folders.failed
    let now = context.clock.steady()
    recountNotBefore = now + 50 * (now - begun)
  }

  private var foldersState: [Int64] {
    [context.spool.done, context.spool.failed].map { (try? $0.status())?.modified ?? 0 }
  }

  /// Counts again if names in `done/` or `failed/` have changed: “decant retry” and people remove folders there.
  func recountFolders(at now: Double) {
    guard now >= recountNotBefore, foldersState != countedState else { return }
    countFolders()
  }

  func forget(_ removed: (done: Int, failed: Int)) {
    folders = (max(0, folders.done - removed.done), max(0, folders.failed - removed.failed))
  }

  /// Starts the departures that are due.
  ///
  /// `take` returns their outcomes.
  func begin(at now: Double) {
    let due = pending.filter { $0.value.notBefore <= now && !$0.value.isUnderWay }
    let spool = context.spool
    // After a folder was replaced, `renewFolders` waits for the departures that run. Until then, begin no other.
    guard !due.isEmpty, !isUnderWay || spool.isCurrent else { return }
    let (book, originals, wall) = (outcomes, context.configuration.originals, context.clock.wall())
    let runsProgram = (done: context.configuration.onDone != nil, failed: context.configuration.onFailed != nil)
    for (id, departure) in due.sorted(by: { $0.key < $1.key }) {
      pending[id]?.isUnderWay = true
      let (kind, decided, again) = (departure.kind, departure.record, departure.attempts > 0)
      queues.async {
        var record = decided
        var report: MigrationReport?
        let end: Result<String?, FileFailure>
        do throws(FileFailure) {
          let exit = Departure(spool: spool, folder: try JobFolder(id, in: spool))
          // An earlier process made this decision. This process reports it.
          if case .complete = kind { report = exit.decidedReport(of: record) }
          let name = try kind.carryOut(exit, &record, originals: originals, at: wall, again: again)
          if record.state == .delivering ? runsProgram.done : runsProgram.failed {
            let folder = if let name { name } else { try exit.arrivedName(of: record) }
            let place = record.state == .delivering ? spool.done : spool.failed
            try kind.programNote(record, report, folder: folder.map { place.path(of: $0) }).save(in: spool)
          }
          end = .success(name)
        } catch {
          end = .failure(error)
        }
        book.add(DepartureOutcome(record: record, end: end, report: report))
      }
    }
  }

  func take(at now: Double) -> [End] {
    outcomes.take().compactMap { outcome in
      let record = outcome.record
      guard var departure = pending[record.id] else { return nil }
      departure.isUnderWay = false
      departure.record = record
      if let report = outcome.report { departure.kind = .deliver(report) }
      switch outcome.end {
      case .success(let name):
        // Announce first: a daemon that is killed in between announces twice, instead of not at all.
        announce(departure, name)
        dismiss(record.id)
        programs.add(record.id)
        pending[record.id] = nil
        context.events.clear("departure")
        return .gone(record.id)
      case .failure(let failure) where departure.kind.isSpoiled(by: failure, record):
        pending[record.id] = nil
        throwAway(record)
        return .spoiled(record, failure)
      case .failure(let failure):
        delay(departure, failure, at: now)
        return .delayed(record)
      }
    }
  }

  /// Waits for all tasks on the disk queues, including the removal of jobs' folders.
  func finish() { queues.finish() }

  /// Waits for the departures that run, and begins no other.
  ///
  /// The other departures wait for the daemon's next start.
  func finishBegun() {
    queues.cancelWaiting()
    queues.finish()
  }

  /// Removes a job's folder; if a part is left, the next periodic scan removes it.
  private func dismiss(_ id: String) {
    let spool = context.spool
    do throws(FileFailure) {
      try JobFolder.dismiss(id, from: spool)
    } catch {
      return context.events.trouble("work", error.description)
    }
    queues.async { JobFolder.sweep(id, from: spool) }
  }

  /// Discards the result, so that the job can run again.
  ///
  /// If this fails, the next run of the job discards the result first.
  private func throwAway(_ record: JobRecord) {
    do throws(FileFailure) {
      let folder = try JobFolder(record.id, in: context.spool)
      try folder.save(record)
      try folder.forgetRun()
    } catch {
      context.events.trouble("record", error.description, about: record)
    }
  }

  private func announce(_ departure: PendingDeparture, _ name: String?) {
    let (record, events) = (departure.record, context.events)
    let isDone = record.state == .delivering
    let place = isDone ? context.spool.done : context.spool.failed
    // An interrupted run may have moved the folder without recording its new name. Then only `done/` or `failed/` is
    // named.
    let folder = PrintedName.of(name.map { place.path(of: $0) } ?? place.path)
    var result = JobResult(record, folder: folder, at: context.clock.wall())
    var fields: [(String, String)] = []
    var words = isDone ? "is done" : "was refused"
    var isWarning = !isDone
    switch departure.kind {
    case .deliver(let report):
      result.take(report)
      fields = [
        ("result", report.result.rawValue), ("from", report.sourceVersion), ("to", report.targetVersion),
      ]
      let outcome = OutcomeLines(report: report, figures: departure.figures)
      for line in outcome.before {
        events.write(record, line.event, line.fields)
        guard let sentence = line.words else { continue }
        events.say(
          .info, "Job \(record.id) (“\(record.title)”), \(sentence)", event: line.event, about: record,
          pass: line.pass)
      }
      fields += outcome.done
      fields += [
        ("seconds", "\((report.seconds * 1000).rounded() / 1000)"),
        ("warnings", "\(report.warnings.count)"),
      ]
      words += outcome.words
      isWarning = outcome.hasUnacceptedLosses
      events.totals.take(report)
      for warning in report.warnings.prefix(20) {
        events.say(.warning, "Job \(record.id): \(warning)", event: "warning", about: record)
      }
    case .refuse(let failure):
      result.take(failure)
      fields = [("reason", failure.reason.word)] + failure.fields
      words += ": \(failure)"
    case .complete: break
    }
    if let peak = departure.peakMemory { fields.append(("peakMiB", ProgressMeter.mebibytes(peak))) }
    fields.append(("folder", folder))
    events.write(record, isDone ? "done" : "failed", fields)
    events.say(
      isWarning ? .warning : .info, "Job \(record.id) (“\(record.title)”) \(words) → “\(folder)”.",
      event: isDone ? "done" : "failed", about: record)
    events.results.add(result, wholeSeconds: departure.wholeSeconds)
    events.totals.take(record, at: context.clock.wall())
    if isDone {
      folders.done += 1
    } else {
      folders.failed += 1
      late.watch(record.id)
    }
  }

  private func delay(_ departure: PendingDeparture, _ failure: FileFailure, at now: Double) {
    var departure = departure
    let (record, configuration) = (departure.record, context.configuration)
    // Renames are cheap, and a finished store should leave soon after the disk works again. So the waits stay short.
    let longest = max(
      configuration.retrySeconds, min(configuration.scanSeconds, configuration.retryMaximumSeconds))
    let wait = Backoff.seconds(retries: departure.attempts, first: configuration.retrySeconds, maximum: longest)
    departure.attempts += 1
    departure.notBefore = now + wait
    departure.message = failure.description
    pending[record.id] = departure
    context.events.trouble(
      "departure", "Job \(record.id) (“\(record.title)”) can't leave work. \(failure)", about: record)
    context.events.write(
      record, "waiting",
      [("cause", "departure"), ("seconds", ProgressMeter.whole(wait)), ("message", failure.description)])
  }
}
