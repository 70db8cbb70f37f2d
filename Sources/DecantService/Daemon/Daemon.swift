internal import FileNames
internal import Glibc

/// The daemon: one loop in one thread that takes drops, hands them to workers and sees them out.
///
/// Nothing here is shared: the health endpoint reads the status board, the workers are processes, and the
/// tasks on the disk queues take values and give values back.
package final class Daemon {
  var configuration: ServiceConfiguration
  let spool: Spool
  let socket: HealthSocket
  let board = StatusBoard()
  let clock: ServiceClock
  let log: ServiceLog
  let progressLog: ProgressLog
  let notifier = Notifier()
  let access = AccessCheck.current
  let watch: FolderWatch
  let pool: WorkerPool
  /// Deliver and sweep; the loop never waits for them.
  let departureQueues = DiskQueues()
  /// Claim drops; the loop waits for them.
  let claimQueues = DiskQueues()
  let claims = OutcomeBook<ClaimOutcome>()
  let departures = OutcomeBook<DepartureOutcome>()
  private let signals: SignalInbox?
  private var server: HealthServer?

  var settling = Settling()
  var queue = JobQueue()
  var counter: ArrivalCounter
  var meters: [String: RunningJob] = [:]
  var pending: [String: PendingDeparture] = [:]
  var status = ServiceStatus()
  let startedAt: Double

  // What the loop remembers from turn to turn; see the extensions.
  var nextScan = -Double.infinity
  var nextPeriodicScan = -Double.infinity
  var scanNotBefore = -Double.infinity
  /// Settled drops that are still to be taken, and the names that something has happened to since they were seen.
  var backlog: ArraySlice<Drop> = []
  var touched: Set<FileName> = []
  var inTheWay: [FileName: [Obstacle]] = [:]
  /// `work/` holds as many jobs as it may.
  var isFull = false
  var obstacles: [FileName: [Obstacle]] = [:]
  var takenAs: [FileName: String] = [:]
  var takenOrder: [FileName] = []
  var troubles: [String: String] = [:]
  var catalogueFingerprint = ""
  /// What was read, as against what is there.
  var catalogueRead = ""
  let catalogueReader = CatalogueReader()
  var catalogueAtStart: [String: String] = [:]
  var catalogueHolds: [String: String] = [:]
  /// The teams' workers that jobs were handed over to, and how often.
  var workerOf: [String: String] = [:]
  var handOvers: [String: Int] = [:]
  /// Jobs whose result couldn't be made durable: it has to be made anew, whatever is noted of it.
  var spoiled: Set<String> = []
  var said: Set<String> = []
  let spoolProbe = SpoolProbe()
  var lastProbe = -Double.infinity
  var lastPublished = -Double.infinity
  var lastWatchdog = -Double.infinity
  var lastStatusLine = ""
  var stopRequestedAt: Double?
  private var lastExtension = -Double.infinity
  private(set) var isFinished = false

  /// Takes spool and socket.
  ///
  /// - Parameter signals: The signals to answer; tests have none.
  package init(
    configuration: ServiceConfiguration, signals: SignalInbox?, clock: ServiceClock = .machine,
    log: ServiceLog = ServiceLog()
  ) throws(DaemonError) {
    self.configuration = configuration
    self.signals = signals
    self.clock = clock
    self.log = log
    do throws(SpoolError) {
      spool = try Spool(path: configuration.spool)
    } catch {
      throw .spool(error)
    }
    do throws(HealthSocketError) {
      socket = try HealthSocket(path: configuration.socket)
    } catch {
      throw .socket(error)
    }
    do throws(FileFailure) {
      let inUse = try spool.work.names().compactMap { Recovery.arrival(of: $0.text) }
      counter = try ArrivalCounter(spool: spool, inUse: inUse)
    } catch {
      throw .spool(.files(error))
    }
    progressLog = ProgressLog(path: configuration.progressLog)
    // Watch first, scan then: nothing can fall between.
    watch = FolderWatch(path: spool.incoming.path)
    pool = WorkerPool(settings: Self.poolSettings(configuration))
    startedAt = clock.steady()
    board.write(status, at: startedAt)
    server = HealthServer(socket: socket, board: board)
    guard server != nil else { throw .server(socket: configuration.socket) }
  }

  static func poolSettings(_ configuration: ServiceConfiguration) -> WorkerPool.Settings {
    var arguments = ["--worker", "--jobs", "\(configuration.workerJobs)"]
    arguments += ["--seconds", "\(configuration.workerSeconds)"]
    if configuration.workerMemoryBytes > 0 { arguments += ["--memory", "\(configuration.workerMemoryBytes)"] }
    return WorkerPool.Settings(
      // The running executable itself, also after its file was replaced by an upgrade.
      executable: configuration.worker ?? "/proc/self/exe", arguments: arguments,
      count: configuration.workers, hangSeconds: configuration.hangSeconds)
  }

  /// Runs until a stop was asked for and carried out.
  package func run() {
    start()
    while !isFinished { turn() }
    finish()
  }

  /// The first scan and the first word.
  package func start() {
    status.state = .running
    // Ready is said when the catalogue has been read; later changes are read beside the loop.
    let problems = CatalogueReader.look(at: configuration.catalogue).problems
    if !problems.isEmpty { trouble("families", problems.joined(separator: " ")) }
    // It may have to wait for what others have written to the disk. What they have failed to write, and whether a sandbox
    // allows rounds at all, shows now and not with the first stores.
    notifier.extendTimeout(seconds: 300)
    _ = spool.work.rounds?.all()
    probe(at: clock.steady())
    spoolProbe.finish()
    recover()
    scan(at: clock.steady())
    dispatch(at: clock.steady())
    depart(at: clock.steady())
    publish(at: clock.steady())
    let drops = watch.isWatching ? "" : " The kernel gives no watch; scans alone find drops."
    log.say(
      .notice,
      "decantd \(status.version) works on “\(configuration.spool)”, answers on “\(configuration.socket)”.\(drops)"
    )
    notifier.ready(statusLine)
  }

  /// One turn of the loop: waits for something to happen, and does what is due.
  package func turn(timeout: Double = 1) {
    wait(atMost: min(timeout, secondsToDeadline(at: clock.steady())))
    for wish in signals?.wishes() ?? [] {
      switch wish {
      case .stop: requestStop()
      case .reload: reload()
      case .reap: break
      }
    }
    let now = clock.steady()
    takeHints(at: now)
    takeEvents(at: now)
    takeCatalogue()
    takeDepartures(at: now)
    renewFolders(at: now)
    // Workers first: they have something to do while the rest is seen to.
    if stopRequestedAt == nil { dispatch(at: now) }
    depart(at: now)
    if stopRequestedAt == nil, intake(at: now) { dispatch(at: now) }
    tickMeters(at: now)
    probe(at: now)
    if let stopRequestedAt { continueStop(since: stopRequestedAt, at: now) }
    if let interval = notifier.watchdogInterval, now - lastWatchdog >= interval / 2 {
      lastWatchdog = now
      notifier.watchdog()
    }
    if now - lastPublished >= 0.1 { publish(at: now) }
  }

  /// Lets go of everything; the work folder is what the next start goes by.
  package func finish() {
    pool.kill()
    // Another process can't take over a departure that has begun. One that has not begun waits for the next start.
    departureQueues.cancelWaiting()
    departureQueues.finish()
    takeDepartures(at: clock.steady())
    departureQueues.finish()
    spoolProbe.finish()
    server?.stop()
    server = nil
    log.say(.notice, "decantd has stopped.")
  }

  private func wait(atMost seconds: Double) {
    let own = [signals?.descriptor ?? -1, watch.descriptor, departures.descriptor]
    var slots = (own + pool.descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&slots, nfds_t(slots.count), Int32(max(0, min(seconds, 60)) * 1000 + 0.999))
  }

  private func secondsToDeadline(at now: Double) -> Double {
    var deadline = min(nextScan, nextPeriodicScan, lastPublished + 1)
    if !backlog.isEmpty, !isFull { deadline = now }
    for departure in pending.values where !departure.isUnderWay {
      deadline = min(deadline, departure.notBefore)
    }
    if let retry = queue.nextRetry(after: clock.wall()) { deadline = min(deadline, now + retry - clock.wall()) }
    if let interval = notifier.watchdogInterval { deadline = min(deadline, lastWatchdog + interval / 2) }
    return max(0, deadline - now)
  }

  /// The first request stops after the running chunks, the second at once.
  package func requestStop() {
    let now = clock.steady()
    guard stopRequestedAt == nil else {
      log.say(.warning, "Stopped at once; running jobs go on with the next start.")
      pool.kill()
      isFinished = true
      return
    }
    stopRequestedAt = now
    status.state = .stopping
    notifier.stopping()
    let busy = pool.busyCount
    log.say(
      .notice,
      busy == 1
        ? "Stopping: 1 running job commits its chunk and stops."
        : "Stopping: \(busy) running jobs commit their chunks and stop.")
    pool.stop(at: now)
  }

  private func continueStop(since: Double, at now: Double) {
    if pool.busyCount == 0, !isDeparting {
      isFinished = true
    } else if now - since >= configuration.stopSeconds {
      log.say(
        .warning,
        pool.busyCount > 0
          ? "A worker didn't stop within \(configuration.stopSeconds) s; its job goes on from its last chunk."
          : "The disk kept finished jobs from leaving within \(configuration.stopSeconds) s; they leave with the next start."
      )
      isFinished = true
    } else if now - lastExtension >= 5 {
      lastExtension = now
      notifier.extendTimeout(seconds: 15)
    }
  }
}
