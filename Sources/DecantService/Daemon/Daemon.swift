internal import DecantSpool
internal import FileNames
internal import Glibc

/// The daemon: one loop in one thread that takes drops, gives them to workers and delivers the results.
///
/// Each part owns its state, and the loop passes values from one part to another. Other threads don't use this state.
/// The health endpoint reads the status board. Tasks on the disk queues take values and return values. Workers are
/// separate processes.
package final class Daemon {
  enum Phase: Equatable {
    case starting
    case running
    /// A stop was requested at this time of the steady clock.
    case stopping(since: Double)
    case finished

    /// Whether no stop was requested.
    var isOpen: Bool { self == .starting || self == .running }
  }

  let context: DaemonContext
  let intake: Intake
  let dispatcher: Dispatcher
  let departures: Departures
  let catalogue: CatalogueWatch
  let retention: Retention
  let probe = SpoolProbe()
  let health: Health
  var notifier = Notifier()
  private(set) var phase = Phase.starting
  var pause: Pause?
  /// Why the spool's path doesn't lead to the spool; `nil` if it does.
  var displacement: String?
  private let signals: SignalInbox?
  /// Whether a folder of the spool was replaced, and drops wait until `renewFolders` has opened the new folder.
  private var waitsForFolders = false
  private var wasIdle = true
  private var memoryGivenBackAt = -Double.infinity

  /// Locks the spool and opens the socket.
  ///
  /// - Parameter signals: The signals to answer; tests have none.
  package init(
    configuration: ServiceConfiguration, signals: SignalInbox?, clock: ServiceClock = .machine,
    log: ServiceLog = ServiceLog()
  ) throws(DaemonError) {
    self.signals = signals
    // Check the socket's path before the spool is made, because a wrong setting must leave nothing behind.
    if !HealthSocket.isPassed, let obstacle = HealthSocket.obstacle(at: configuration.socket) {
      throw .socket(obstacle)
    }
    let spool: Spool
    do throws(SpoolError) {
      spool = try Spool(path: configuration.spool)
    } catch {
      throw .spool(error)
    }
    let socket: HealthSocket
    do throws(HealthSocketError) {
      socket = try HealthSocket(path: configuration.socket)
    } catch {
      throw .socket(error)
    }
    spool.resultRules = configuration.resultRules
    let progress = ProgressLog(path: configuration.progressLog)
    context = DaemonContext(
      configuration: configuration, spool: spool, clock: clock,
      events: EventLog(log: log, progress: progress, clock: clock))
    do throws(FileFailure) {
      intake = try Intake(context)
    } catch {
      throw .spool(.files(error))
    }
    catalogue = CatalogueWatch(context)
    departures = Departures(context)
    retention = Retention(context)
    dispatcher = Dispatcher(context, catalogue: catalogue, departures: departures)
    guard let health = Health(socket: socket, at: clock.steady()) else {
      throw .server(socket: configuration.socket)
    }
    self.health = health
  }

  var isFinished: Bool { phase == .finished }

  /// Whether drops are taken and jobs are given to workers.
  var takesWork: Bool { phase == .running && pause == nil && displacement == nil }

  /// Runs until a requested stop is complete.
  package func run() {
    start()
    while !isFinished { turn(timeout: isIdle ? Self.idlePause : 1) }
    finish()
  }

  /// The longest wait without work, in seconds.
  ///
  /// A long wait lets the machine sleep. The wait must be below a minute, because `/livez` fails after a minute without
  /// a turn.
  static let idlePause = 10.0

  /// Shortest time between two runs of `giveMemoryBack` that give memory back, in seconds.
  private static let memoryPause = 5.0

  /// Whether there is nothing to do until a drop, a signal or a deadline comes.
  var isIdle: Bool {
    phase == .running && dispatcher.queue.records.isEmpty && dispatcher.pool.busyCount == 0
      && departures.pending.isEmpty && intake.backlog.isEmpty && !intake.isClaiming && !catalogue.isReading
  }

  /// Does the first scan and reports that the daemon is ready.
  package func start() {
    let (configuration, clock) = (context.configuration, context.clock)
    phase = .running
    // The daemon is ready after the first reading of the catalogue. Later readings run beside the loop.
    catalogue.readAtStart()
    departures.late.begin()
    readPause()
    departures.programs.recover()
    // A round of `SyncRounds` may wait for the writes of other processes. Run one now, before the first store. If
    // rounds fail, for example because the sandbox forbids them, each file is synced alone from then on.
    notifier.extendTimeout(seconds: 300)
    _ = context.spool.work.rounds?.all()
    checkPlace()
    checkSpool(at: clock.steady())
    probe.finish()
    takeDrops(at: clock.steady())
    departures.begin(at: clock.steady())
    publish(at: clock.steady())
    FreeMemory.giveBack()
    let drops = intake.watch.isWatching ? "" : " The kernel can't watch the folders, so only scans find drops."
    context.events.say(
      .notice,
      "decantd \(health.status.version) uses the spool “\(configuration.spool)” and the socket “\(configuration.socket)”.\(drops)",
      event: "ready")
    notifier.ready(statusLine)
  }

  /// One turn of the loop: waits for an event, then does what is due.
  package func turn(timeout: Double = 1) {
    wait(atMost: timeout)
    for wish in signals?.wishes() ?? [] {
      switch wish {
      case .stop: requestStop()
      case .reload: reload()
      case .reap: break
      }
    }
    let now = context.clock.steady()
    intake.takeHints(at: now)
    dispatcher.takeEvents(at: now)
    intake.takeClaims(dispatcher.enqueue)
    for order in health.takeOrders() where phase == .running { carryOut(order, at: now) }
    catalogue.take()
    takeDepartures(at: now)
    checkPlace()
    renewFolders(at: now)
    // Start the workers first, so that they work during the rest of the turn.
    if takesWork { dispatcher.dispatch(at: now) }
    departures.begin(at: now)
    departures.programs.turn(at: now, isOpen: phase == .running && displacement == nil)
    clearResults(at: now)
    if phase == .running { takeDrops(at: now) }
    dispatcher.tick(at: now)
    checkSpool(at: now)
    giveMemoryBack(at: now)
    if case .stopping(let since) = phase { continueStop(since: since, at: now) }
    notifier.feedWatchdog(at: now)
    if health.isDue(at: now) { publish(at: now) } else { health.isStale = true }
  }

  /// Releases everything; the next start resumes from the work folder.
  package func finish() {
    dispatcher.pool.kill()
    departures.finishBegun()
    takeDepartures(at: context.clock.steady())
    departures.finish()
    intake.finish(dispatcher.enqueue)
    departures.programs.finish()
    retention.finish()
    // This also logs the removals. The counts are for the status, which ends here.
    _ = retention.take()
    probe.finish()
    health.stop()
    context.events.say(.notice, "decantd has stopped.", event: "ended")
    context.events.finish()
  }

  private func wait(atMost seconds: Double) {
    let pause = pause(atMost: seconds, at: context.clock.steady())
    let own = [
      signals?.descriptor ?? -1, intake.watch.descriptor, intake.descriptor, departures.descriptor,
      health.descriptor, retention.descriptor,
    ]
    var slots = (own + dispatcher.pool.descriptors + departures.programs.descriptors).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    guard poll(&slots, nfds_t(slots.count), Int32(pause * 1000 + 0.999)) < 0, errno != EINTR else {
      return context.events.clear("wait")
    }
    context.events.trouble(
      "wait",
      "The daemon can't wait for events: \(String(cString: strerror(errno))). It looks for them ten times a second."
    )
    // Without a pause, a lasting error would keep a processor busy.
    usleep(100_000)
  }

  /// The seconds until the next deadline, at most `seconds`.
  func pause(atMost seconds: Double, at now: Double) -> Double {
    let deadline = min(
      intakeDeadline(at: now),
      dispatcher.deadline(at: now), departures.deadline, departures.programs.deadline,
      takesWork ? retention.deadline : .infinity,
      health.deadline(pace: isIdle ? Self.idlePause : 1), notifier.deadline)
    return max(0, min(seconds, deadline - now, 60))
  }

  /// The time at which the intake has something to do.
  ///
  /// While the daemon takes no work, only the periodic scan can wake the loop.
  private func intakeDeadline(at now: Double) -> Double {
    // The end of the claim, or of the job's move out of `work/`, wakes the loop.
    if waitsForFolders, departures.isUnderWay || intake.isClaiming { return .infinity }
    if takesWork { return intake.deadline(at: now) }
    return phase == .running && !intake.isClaiming ? intake.schedule.periodicDeadline : .infinity
  }

  private func takeDrops(at now: Double) {
    waitsForFolders = (departures.isUnderWay || intake.isClaiming) && !context.spool.isCurrent
    guard !waitsForFolders else { return }
    if intake.schedule.isPeriodicDue(at: now) {
      // To the recovery, a claim that is under way looks like a claim that stopped halfway. So wait for its end.
      guard !intake.isClaiming else { return }
      let canClaim = dispatcher.recover()
      catalogue.check()
      dispatcher.releaseChanged()
      if takesWork { dispatcher.dispatch(at: now) }
      for name in departures.late.takeBack() { intake.noteOwnRename(to: name) }
      departures.countFolders()
      guard canClaim, takesWork else { return intake.holdBack(at: now) }
    }
    guard takesWork else { return }
    intake.take(at: now, jobs: dispatcher.queue.records.count, held: dispatcher.queue.held) {
      let now = context.clock.steady()
      notifier.feedWatchdog(at: now)
      publish(at: now)
    }
  }

  func takeDepartures(at now: Double) {
    for end in departures.take(at: now) { dispatcher.take(end, at: now) }
  }

  private func clearResults(at now: Double) {
    if takesWork { retention.begin(at: now) }
    departures.forget(retention.take())
  }

  /// Gives memory back after a long scan, and when all work is done.
  private func giveMemoryBack(at now: Double) {
    let isBurstOver = isIdle && !wasIdle
    wasIdle = isIdle
    guard isBurstOver || intake.hadLongScan, now - memoryGivenBackAt >= Self.memoryPause else { return }
    memoryGivenBackAt = now
    intake.hadLongScan = false
    FreeMemory.giveBack()
  }

  /// Requests a stop.
  ///
  /// After the first request, workers commit their running chunks, and the moves, claims and programs that have begun
  /// go on to their end. Then the daemon stops, at the latest after `stopSeconds`. A second request stops it at once.
  package func requestStop() {
    let now = context.clock.steady()
    guard phase.isOpen else {
      context.events.say(
        .warning, "Stopped at once; running jobs continue at the next start.", event: "stopping")
      dispatcher.pool.kill()
      phase = .finished
      return
    }
    phase = .stopping(since: now)
    notifier.stopping()
    let busy = dispatcher.pool.busyCount
    context.events.say(
      .notice,
      busy == 1
        ? "Stopping: 1 running job commits its chunk and stops."
        : "Stopping: \(busy) running jobs commit their chunks and stop.",
      event: "stopping")
    dispatcher.pool.stop(at: now)
  }

  private func continueStop(since: Double, at now: Double) {
    let (isBusy, seconds) = (dispatcher.pool.busyCount > 0, context.configuration.stopSeconds)
    if !isBusy, !departures.isUnderWay, !intake.isClaiming, !departures.programs.isBusy {
      phase = .finished
    } else if now - since >= seconds {
      context.events.say(
        .warning,
        isBusy
          ? "A worker didn't stop within \(seconds) s; its job continues from its last chunk."
          : departures.isUnderWay
            ? "The disk was too slow to deliver finished jobs within \(seconds) s; they are delivered at the next start."
            : intake.isClaiming
              ? "The disk was too slow to take drops within \(seconds) s; they are taken at the next start."
              : "A program of onDone or onFailed didn't end within \(seconds) s; it runs again at the next start.",
        event: "stopping")
      phase = .finished
    } else {
      notifier.extendStop(at: now)
    }
  }
}
