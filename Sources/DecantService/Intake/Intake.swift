internal import DecantMigration
internal import DecantReport
internal import DecantSpool
internal import FileNames

/// Takes drops from `incoming/` to `work/`.
final class Intake {
  private let context: DaemonContext
  private let access = AccessCheck.current
  let watch: FolderWatch
  private var settling = Settling()
  var schedule = ScanSchedule()
  private(set) var backlog = Backlog()
  private let taken = TakenNames()
  private(set) var blocked = BlockedDrops()
  private let claims: ClaimQueue
  private var notices = Notices()
  private var foundNotices: [FileName] = []
  /// Whether a claim has failed since the last scan.
  private var hasFailedClaim = false
  /// Whether the notices must still be brought up to date with the last scan.
  private var areNoticesDue = false
  /// The names that the daemon itself renamed into `incoming/`, until the hints about them have come.
  private var ownRenames: Set<FileName> = []
  /// Whether a scan found very many names since this was last set to false.
  var hadLongScan = false
  /// The last scan; a drop is looked at once more before it is taken.
  private var scan: IncomingScan?

  /// Watches `incoming/` from now on, so that no drop is missed before the first scan.
  init(_ context: DaemonContext) throws(FileFailure) {
    self.context = context
    claims = try ClaimQueue(spool: context.spool)
    watch = FolderWatch(path: context.spool.incoming.path)
  }

  /// Whether claims are under way; meanwhile the spool's folders must not be replaced.
  var isClaiming: Bool { claims.count > 0 }

  var descriptor: Int32 { claims.descriptor }

  /// When there is something to do, in seconds of the steady clock.
  ///
  /// A scan waits for the claims that are under way.
  func deadline(at now: Double) -> Double {
    let canClaim = !backlog.isEmpty && !backlog.isFull && claims.room > 0
    guard isClaiming else { return canClaim ? min(now, schedule.deadline) : schedule.deadline }
    return canClaim && now < schedule.deadline ? now : .infinity
  }

  func takeHints(at now: Double) {
    var isNews = false
    watch.takeHints { hint in
      switch hint {
      case .movedIn(let name):
        settling.touch(name, at: now)
        // A drop that the daemon moved back isn't complete yet.
        if ownRenames.remove(name) == nil { settling.noteMovedIn(name) }
      case .changed(let name): settling.touch(name, at: now)
      case .gone(let name):
        settling.touch(name, at: now)
        // Usually this is the daemon's own claim, and needs no new scan.
        return
      case .everything: distrust()
      }
      isNews = true
    }
    if isNews { schedule.hint(at: now) }
  }

  /// Records that the daemon itself renames a drop into `incoming/`, so that the drop has to settle.
  func noteOwnRename(to name: FileName) {
    if watch.isWatching { ownRenames.insert(name) }
  }

  /// Forgets what was learned from hints, because some were lost or the folder was replaced.
  func distrust() {
    ownRenames = []
    settling.distrustRenames()
    backlog.clear()
  }

  /// Scans `incoming/` if that is due, and begins to claim settled drops.
  ///
  /// - Parameter waiting: Called about once a second during a long scan.
  func take(at now: Double, jobs: Int, held: Int, waiting: () -> Void) {
    let load = Backlog.load(jobs: jobs, held: held) + claims.count
    let isDue = now >= schedule.deadline
    if isDue {
      guard !isClaiming, scan(at: now, isWithoutJobs: jobs == 0, waiting: waiting) else { return }
    } else {
      let wasFull = backlog.isFull
      guard backlog.opens(forJobs: load) else { return }
      if wasFull { areNoticesDue = true }
      guard claims.room > 0 else { return }
    }
    beginClaims(load: load)
    report()
  }

  /// The seconds of a claim after which the disk counts as slow.
  private static let slowSeconds = 30.0

  func delay(at now: Double) -> String? {
    guard let oldest = claims.oldest, now - oldest.since > Self.slowSeconds else { return nil }
    return
      "The disk of “\(context.configuration.spool)” doesn't answer: taking “\(oldest.drop.name)” has lasted "
      + "\(Int(now - oldest.since)) s so far."
  }

  /// Takes the outcomes of claims.
  ///
  /// - Parameter admit: Takes a new job, and the reason if it is refused.
  func takeClaims(_ admit: (JobRecord, MigrationFailure?) -> Void) {
    let ended = claims.take()
    guard !ended.isEmpty else { return }
    for outcome in ended {
      switch outcome.end {
      case .success(.claimed(let record, let refusal)):
        report(record, of: outcome.drop)
        admit(record, refusal)
      case .success(.blocked(let obstacle)): blocked.note(outcome.drop.name, [obstacle])
      case .success(.vanished):
        schedule.ask(at: context.clock.steady() + context.configuration.settleSeconds)
      case .failure(let failure): postpone(outcome.drop, failure)
      }
    }
    report()
  }

  func finish(_ admit: (JobRecord, MigrationFailure?) -> Void) {
    claims.finish()
    takeClaims(admit)
  }

  /// Fills the backlog; false if `incoming/` can't be scanned.
  private func scan(at now: Double, isWithoutJobs: Bool, waiting: () -> Void) -> Bool {
    let (configuration, clock) = (context.configuration, context.clock)
    if schedule.isPeriodicDue(at: now) { schedule.beginPeriodic(at: now, pace: configuration.scanSeconds) }
    // Free the names of the last scan first, because there may be very many.
    (scan, foundNotices) = (nil, [])
    backlog.clear()
    let scan: IncomingScan
    do throws(FileFailure) {
      scan = try IncomingScan(
        of: context.spool.incoming, access: access, now: Int64(clock.wall() + 60) &* 1_000_000_000,
        keepsOriginals: configuration.originals == .keep,
        takenAs: { [taken, spool = context.spool] in taken.job(of: $0, in: spool) })
      context.events.clear("incoming")
    } catch {
      context.events.trouble("incoming", error.description)
      schedule.noteFailure()
      return false
    }
    self.scan = scan
    hasFailedClaim = false
    settling.renew(scan.names)
    blocked.begin()
    var settled: [UInt32] = []
    var lastWait = clock.steady()
    for index in scan.names.indices {
      switch scan.look(at: scan.names[index]) {
      case .nothing: continue
      case .notice: foundNotices.append(scan.names[index])
      case .sighting(let sighting):
        if isSettled(sighting, index, at: now) { settled.append(UInt32(index)) }
      }
      guard index % 256 == 0, clock.steady() - lastWait >= 1 else { continue }
      waiting()
      lastWait = clock.steady()
    }
    schedule.noteScan(
      from: now, to: clock.steady(),
      wanted: settling.nextDeadline(settleSeconds: configuration.settleSeconds, after: now),
      isIdle: settled.isEmpty && isWithoutJobs)
    settled.sort { settling.order(of: Int($0)) < settling.order(of: Int($1)) }
    backlog.fill(settled)
    if scan.names.count > Backlog.mostJobs { hadLongScan = true }
    areNoticesDue = true
    return true
  }

  private func isSettled(_ sighting: IncomingScan.Sighting, _ index: Int, at now: Double) -> Bool {
    let age = settling.observe(index, sighting.fingerprint, at: now)
    let hasSettled = age >= context.configuration.settleSeconds
    guard sighting.obstacles.isEmpty else {
      if hasSettled || blocked.isReported(sighting.name) { blocked.note(sighting.name, sighting.obstacles) }
      return false
    }
    guard let drop = sighting.drop else { return false }
    if hasSettled || drop.form == .folder && drop.defect == nil && settling.cameByRename(index) { return true }
    blocked.noteChanging(drop.name)
    return false
  }

  /// The drop at a place in the list of the last scan, as it is now.
  ///
  /// - Returns: `nil` if the drop can't be taken now; a later scan looks at it again.
  private func drop(at index: Int) -> Drop? {
    guard let scan, case .sighting(let sighting) = scan.look(at: scan.names[index]) else { return nil }
    guard settling.isUnchanged(index, sighting.fingerprint), sighting.obstacles.isEmpty else {
      schedule.ask(at: context.clock.steady() + context.configuration.settleSeconds)
      return nil
    }
    guard let drop = sighting.drop else { return nil }
    let writer = openWriter(of: drop)
    if let writer {
      blocked.note(drop.name, [.openForWriting(drop: drop.name, path: writer)])
      // The kernel reports nothing about the files in a dropped folder. So another scan checks whether the file is
      // still open.
      schedule.ask(at: context.clock.steady() + max(context.configuration.settleSeconds, 1))
    }
    return writer == nil ? drop : nil
  }

  private func openWriter(of drop: Drop) -> String? {
    for member in drop.members {
      // If a name can't be examined here, the claim reports that.
      if let path = try? OpenWriters.first(at: member, in: context.spool.incoming) { return path }
    }
    return nil
  }

  /// Begins to claim drops from the backlog, as many as there is room for.
  ///
  /// - Parameter load: The number of jobs and claims that count against the room in `work/`.
  private func beginClaims(load: Int) {
    guard claims.room > 0 else { return }
    let drops = backlog.next(claims.room, jobs: load, look: drop)
    do throws(FileFailure) {
      try claims.begin(drops, at: context.clock.wall(), steady: context.clock.steady())
    } catch {
      postpone(nil, error)
    }
  }

  /// Postpones all claims, because the spool itself failed.
  ///
  /// The drops stay until a later scan. That scan first cleans up after claims that stopped halfway.
  private func postpone(_ drop: Drop?, _ failure: FileFailure) {
    hasFailedClaim = true
    context.events.trouble("claim", "\(drop.map { "“\($0.name)”" } ?? "A drop") can't be taken. \(failure)")
    holdBack(at: context.clock.steady())
  }

  /// Lets no claim begin before a later scan.
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

  /// Reports the drops that are blocked for new reasons, and the drops that are no longer blocked.
  private func report() {
    let events = context.events
    let isWhole = !isClaiming && !backlog.wasCleared && (backlog.isEmpty || backlog.isFull)
    if isWhole, !hasFailedClaim { events.clear("claim") }
    let change = blocked.report(isWhole: isWhole)
    if isWhole, areNoticesDue {
      areNoticesDue = false
      notices.update(for: blocked.reported, found: foundNotices, in: context.spool.incoming)
    }
    for (_, list) in change.new {
      for obstacle in list.prefix(20) {
        events.say(.warning, obstacle.description, event: "blocked")
        let command = obstacle.command.isEmpty ? [] : [("command", obstacle.command)]
        events.write(
          event: "blocked", [("drop", obstacle.drop.description), ("message", obstacle.message)] + command)
      }
    }
    for name in change.gone {
      events.say(.info, "“\(name)” is no longer blocked.", event: "blocked")
    }
    guard blocked.further > 0 else { return }
    events.say(
      once: "many blocked drops", .warning,
      "More than \(BlockedDrops.most) drops in “\(context.spool.incoming.path)” can't be taken. "
        + "Only \(BlockedDrops.most) of them are reported. Further ones follow when some of these can be taken.",
      event: "blocked")
  }
}
