internal import DecantMigration
internal import DecantReport
internal import FileNames

/// Takes drops from `incoming/` to `work/`.
final class Intake {
  private let context: DaemonContext
  private let access = AccessCheck.current
  let watch: FolderWatch
  private var settling = Settling()
  var schedule = ScanSchedule()
  private(set) var backlog = Backlog()
  private var taken = TakenNames()
  /// The entries that can't be taken, as they were reported last.
  private(set) var obstacles: [FileName: [Obstacle]] = [:]
  /// The entries that can't be taken now.
  private var inTheWay: [FileName: [Obstacle]] = [:]
  private let claims: ClaimQueue
  private var notices = Notices()
  /// The names of the notices that the last scan found.
  private var foundNotices: [FileName] = []

  /// Watches `incoming/` from now on, so that no drop is missed before the first scan.
  init(_ context: DaemonContext) throws(FileFailure) {
    self.context = context
    claims = try ClaimQueue(spool: context.spool)
    watch = FolderWatch(path: context.spool.incoming.path)
  }

  /// When there is something to do, in seconds of the steady clock.
  func deadline(at now: Double) -> Double {
    backlog.isEmpty || backlog.isFull ? schedule.deadline : min(now, schedule.deadline)
  }

  /// Takes the kernel's hints about `incoming/`.
  func takeHints(at now: Double) {
    var isNews = false
    for hint in watch.hints() {
      switch hint {
      case .movedIn(let name):
        touch(name, at: now)
        settling.noteMovedIn(name)
      case .changed(let name): touch(name, at: now)
      case .gone(let name):
        touch(name, at: now)
        // Usually this is our own claim: no new scan is needed.
        continue
      case .everything: distrust()
      }
      isNews = true
    }
    if isNews { schedule.hint(at: now) }
  }

  private func touch(_ name: FileName, at now: Double) {
    settling.touch(name, at: now)
    backlog.touch(name)
  }

  /// Forgets what was learned from hints, because some were lost or the folder is another.
  func distrust() {
    settling.distrustRenames()
    backlog.clear()
  }

  /// Scans `incoming/` if that is due, takes the settled drops, and reports the drops that can't be taken.
  ///
  /// - Parameters:
  ///   - jobs: The number of jobs in `work/`.
  ///   - waiting: Is called each second while the disk is busy.
  ///   - admit: Takes a new job, and why it is refused.
  /// - Returns: Whether a scan was due or a backlog was there.
  func take(
    at now: Double, jobs: () -> Int, waiting: () -> Void, admit: (JobRecord, MigrationFailure?) -> Void
  ) -> Bool {
    let isDue = now >= schedule.deadline
    guard isDue || !backlog.isEmpty else { return false }
    guard isDue ? scan(at: now) : backlog.opens(forJobs: jobs()) else { return true }
    claim(jobs: jobs, waiting: waiting, admit: admit)
    report()
    if isDue { notices.update(for: inTheWay, found: foundNotices, in: context.spool.incoming) }
    return true
  }

  /// Fills the backlog; false if `incoming/` can't be scanned.
  private func scan(at now: Double) -> Bool {
    let configuration = context.configuration
    if schedule.isPeriodicDue(at: now) { schedule.beginPeriodic(at: now, pace: configuration.scanSeconds) }
    let found: IncomingScan
    do throws(FileFailure) {
      found = try IncomingScan(
        of: context.spool.incoming, access: access,
        now: Int64(context.clock.wall() + 60) &* 1_000_000_000,
        takenAs: { self.taken[$0] })
      context.events.clear("incoming")
    } catch {
      context.events.trouble("incoming", error.description)
      schedule.noteFailure()
      return false
    }
    foundNotices = found.notices
    settling.keep(Set(found.sightings.map(\.name)))
    var settled: [Drop] = []
    inTheWay = [:]
    for sighting in found.sightings {
      let age = settling.observe(sighting.name, sighting.fingerprint, at: now)
      let hasSettled = age >= configuration.settleSeconds
      if !sighting.obstacles.isEmpty {
        if hasSettled { inTheWay[sighting.name] = sighting.obstacles }
      } else if let drop = sighting.drop {
        let isWhole = drop.form == .folder && drop.defect == nil && settling.cameByRename(drop.name)
        if hasSettled || isWhole { settled.append(drop) }
      }
    }
    schedule.noteScan(
      from: now, to: context.clock.steady(),
      wanted: settling.nextDeadline(settleSeconds: configuration.settleSeconds, after: now))
    backlog.fill(settled.sorted { settling.order(of: $0.name) < settling.order(of: $1.name) })
    return true
  }

  /// Claims drops from the backlog, several in parallel, while there is time and room.
  private func claim(jobs: () -> Int, waiting: () -> Void, admit: (JobRecord, MigrationFailure?) -> Void) {
    let clock = context.clock
    let start = clock.steady()
    repeat {
      let outcomes: [ClaimOutcome]
      do throws(FileFailure) {
        outcomes = try claims.take(
          backlog.next(ClaimQueue.width, jobs: jobs()), at: clock.wall(), waiting: waiting)
      } catch {
        return postpone(nil, error)
      }
      var isSound = true
      for outcome in outcomes {
        switch outcome.end {
        case .success(.claimed(let record, let refusal)):
          report(record, of: outcome.drop)
          admit(record, refusal)
        case .success(.blocked(let obstacle)): inTheWay[outcome.drop.name] = [obstacle]
        case .success(.vanished): schedule.ask(at: clock.steady() + context.configuration.settleSeconds)
        case .failure(let failure):
          isSound = false
          postpone(outcome.drop, failure)
        }
      }
      guard isSound else { return }
      if !outcomes.isEmpty { context.events.clear("claim") }
    } while !backlog.isEmpty && !backlog.isFull && clock.steady() - start < ClaimQueue.turnSeconds
  }

  /// Postpones all claims, because the spool itself failed.
  ///
  /// The drops stay until a later scan. That scan first cleans up after claims that stopped halfway.
  private func postpone(_ drop: Drop?, _ failure: FileFailure) {
    context.events.trouble("claim", "\(drop.map { "“\($0.name)”" } ?? "A drop") can't be taken. \(failure)")
    holdBack(at: context.clock.steady())
  }

  /// Claims nothing before a later scan.
  func holdBack(at now: Double) {
    backlog.clear()
    let configuration = context.configuration
    schedule.postpone(to: now + min(configuration.retrySeconds, configuration.scanSeconds))
  }

  private func report(_ record: JobRecord, of drop: Drop) {
    let events = context.events
    events.totals.claimed += 1
    if let store = record.store { taken.note(store, job: record.id) }
    events.write(record, "claimed", [("bytes", "\(record.bytes)"), ("priority", "\(record.priority)")])
    events.say(.info, "Took “\(drop.name)” as job \(record.id).", event: "claimed", about: record)
    if drop.isFromTheFuture {
      events.say(
        .warning, "“\(drop.name)” was last written in the future; is a clock wrong?", event: "clock",
        about: record)
    }
  }

  /// Reports each obstacle once, and reports once that it is gone.
  private func report() {
    let events = context.events
    for (name, list) in inTheWay.sorted(by: { $0.key < $1.key }) where obstacles[name] != list {
      for obstacle in list.prefix(20) {
        events.say(.warning, obstacle.description, event: "blocked")
        let command = obstacle.command.isEmpty ? [] : [("command", obstacle.command)]
        events.write(
          event: "blocked", [("drop", name.description), ("message", obstacle.message)] + command)
      }
    }
    for name in obstacles.keys.sorted() where inTheWay[name] == nil {
      events.say(.info, "“\(name)” is no longer blocked.", event: "blocked")
    }
    obstacles = inTheWay
  }
}
