internal import FileNames
internal import Glibc

/// The daemon: one loop in one thread that takes drops, gives them to workers and delivers the results.
///
/// No state is shared. The health endpoint reads the status board, and the workers are processes. Tasks on the
/// disk queues take values and return values.
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
  /// Queues that deliver and sweep; the loop never waits for them.
  let departureQueues = DiskQueues()
  /// Queues that claim drops; the loop waits for them.
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

  // The state that the loop keeps between turns; see the extensions.
  var nextScan = -Double.infinity
  var nextPeriodicScan = -Double.infinity
  var scanNotBefore = -Double.infinity
  /// Settled drops that are not taken yet, and the names that have changed since the scan.
  var backlog: ArraySlice<Drop> = []
  var touched: Set<FileName> = []
  var inTheWay: [FileName: [Obstacle]] = [:]
  /// Whether `work/` holds as many jobs as it may.
  var isFull = false
  var obstacles: [FileName: [Obstacle]] = [:]
  var takenAs: [FileName: String] = [:]
  var takenOrder: [FileName] = []
  var troubles: [String: String] = [:]
  var catalogueFingerprint = ""
  /// The state of the catalogue at the last reading.
  var catalogueRead = ""
  let catalogueReader = CatalogueReader()
  var catalogueAtStart: [String: String] = [:]
  var catalogueHolds: [String: String] = [:]
  /// The teams' workers that jobs were handed over to, and how often.
  var workerOf: [String: String] = [:]
  var handOvers: [String: Int] = [:]
  /// Jobs whose result couldn't be made durable.
  ///
  /// They run again, even if a record calls the result durable.
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

  /// Locks the spool and opens the socket.
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
    // Watch before the first scan, so that no drop is missed in between.
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
      // This is the running executable, even if an upgrade has replaced its file.
      executable: configuration.worker ?? "/proc/self/exe", arguments: arguments,
      count: configuration.workers, hangSeconds: configuration.hangSeconds)
  }

  /// Runs until a requested stop is complete.
  package func run() {
    start()
    while !isFinished { turn() }
    finish()
  }

  /// Does the first scan and reports that the daemon is ready.
  package func start() {
    status.state = .running
    // The daemon is ready after the first reading of the catalogue. Later readings run beside the loop.
    let problems = CatalogueReader.look(at: configuration.catalogue).problems
    if !problems.isEmpty { trouble("families", problems.joined(separator: " ")) }
    // A round may wait for other processes' writes. Start one now, so that earlier failed writes and a sandbox that
    // forbids rounds show before the first store.
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

  /// One turn of the loop: waits for an event, then does what is due.
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
    // Workers first: they can work during the rest of the turn.
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

  /// Releases everything; the next start resumes from the work folder.
  package func finish() {
    pool.kill()
    // A departure that has begun must finish: no other process can resume it. The others wait for the next start.
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

  /// Requests a stop.
  ///
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
