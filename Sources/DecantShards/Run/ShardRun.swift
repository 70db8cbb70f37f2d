internal import DecantMigration
internal import DecantReport
internal import DecantWorker
internal import Dispatch
internal import FileNames
internal import Foundation

/// Migrates the stores of one shard with a pool of workers.
///
/// One thread decides. Other threads copy stores into the scratch folder, deliver results and write the ledger, so that
/// the workers never wait for the shared file system. The number of stores that are worked on at the same time is
/// limited. So memory and scratch space are limited, too.
package final class ShardRun {
  let settings: ShardSettings
  private let manifest: Manifest
  private let shouldStop: @Sendable () -> Bool
  private let tell: (ShardCounts) -> Void
  let digest: String
  private let ledger: LedgerFile
  private let scratch: ScratchFolder
  let unfinished: UnfinishedFolder
  let inbox: ShardInbox
  let pool: WorkerPool
  private let start = ContinuousClock.now

  private var paths: ManifestPaths
  /// The stores that the run hasn't reached yet.
  private var keys: Set<PathKey>
  private var isExhausted = false
  private var missing: MissingStores
  /// Copied stores that wait for a worker.
  var ready: [StoreJob] = []
  var running: [String: StoreJob] = [:]
  /// The stores whose worker was killed from outside.
  ///
  /// These stores wait until it is clear whether the shard is killed, too.
  var killed: [KilledStore] = []
  private(set) var intakes = 0
  var deliveries = 0
  /// The stores that wait until the scratch folder has nothing else in it.
  var crowded: [StoreJob] = []
  /// Lines that aren't in the ledger yet.
  private var lines: [LedgerLine] = []
  private var isWriting = false
  /// Whether the ledger can't be written any more.
  private var isLedgerLost = false
  package internal(set) var counts = ShardCounts()
  /// How often in succession the shard's own workers didn't start; failures within half a second count as one.
  var startFailures = 0
  /// When a failed start was last counted, in seconds of the run's clock.
  private var startFailedAt = -Double.infinity
  var fatal: ShardError?

  /// Reads the manifest and opens the ledger.
  ///
  /// - Parameters:
  ///   - makePlaces: Makes the folders of results and ledger, after the manifest and the catalogue were read.
  ///   - shouldStop: Asked several times a second; after true, the running chunks are finished and the run ends.
  ///   - tell: Gets the counts, several times a second.
  package init(
    _ settings: ShardSettings, _ manifest: Manifest, makePlaces: () throws(ShardError) -> Void = {},
    shouldStop: @escaping @Sendable () -> Bool, tell: @escaping (ShardCounts) -> Void
  ) throws(ShardError) {
    self.settings = settings
    self.manifest = manifest
    self.shouldStop = shouldStop
    self.tell = tell
    digest = try SettingsDigest.text(catalogue: settings.catalogue, options: settings.options)
    let survey = try manifest.survey(settings.shard) { !shouldStop() }
    guard survey.records > 0 else { throw manifest.withoutStores }
    try makePlaces()
    keys = survey.keys
    missing = MissingStores(findsStores: survey.findsStores, device: survey.device)
    counts.stores = survey.keys.count
    counts.duplicates = survey.duplicates
    let key = PathKey(digesting: Array("\(settings.output)\0\(survey.digest)\0\(settings.shard)".utf8))
    ledger = try LedgerFile(
      settings.ledger,
      head: LedgerHead(
        manifest: survey.digest, manifestPath: manifest.path, shard: settings.shard, stores: survey.keys.count,
        settings: digest, output: settings.output, decant: Migration.decantVersion, started: Timestamp.text()))
    counts.tornBytes = ledger.tornBytes
    counts.unreadableLines = ledger.unreadable
    inbox = try ShardInbox()
    let scratch = try ScratchFolder(in: settings.scratch, key: key)
    do throws(ShardError) {
      unfinished = try UnfinishedFolder(in: settings.output, shard: key, run: scratch.run)
    } catch {
      scratch.removeIfEmpty()
      throw error
    }
    self.scratch = scratch
    pool = WorkerPool(settings: settings.pool)
    paths = manifest.paths()
  }

  /// Runs until every store of the shard is settled, a stop is requested, or an obstacle prevents further work.
  package func run() throws(ShardError) -> ShardCounts {
    _ = pool.provide(forJobs: min(settings.jobs, keys.count), of: settings.worker, at: now)
    while true {
      for event in inbox.take() { take(event) }
      for event in pool.events(at: now) { take(event) }
      if shouldStop() { counts.isStopped = true }
      if isEnding, !pool.isStopping { pool.stop(at: now) }
      if !isEnding {
        do throws(ShardError) {
          try fetch()
        } catch {
          // If the manifest was replaced, its rest may be unreadable; the replacement is the cause to report.
          fatal = manifest.hasChanged ? .changedManifest(path: manifest.path) : error
        }
        judgeKilled()
        assign()
        judgeMissing()
      }
      writeLines()
      counts.seconds = start.duration(to: .now) / .seconds(1)
      tell(counts)
      if isFinished { break }
      wait()
    }
    end()
    if let fatal {
      // A scheduler that stops a task may end its starting workers first. This is a stop, and not a fault.
      guard case .noWorker = fatal, shouldStop() else { throw fatal }
      counts.isStopped = true
    }
    return counts
  }

  /// Seconds since the run's start.
  var now: Double { start.duration(to: .now) / .seconds(1) }
  var isEnding: Bool { counts.isStopped || counts.obstacle != nil || fatal != nil }

  private var isFinished: Bool {
    guard intakes == 0, running.isEmpty, deliveries == 0, !isWriting else { return false }
    // Lines that can't be written are given up: their stores don't count as settled.
    guard lines.isEmpty || isLedgerLost else { return false }
    return isEnding || isExhausted && ready.isEmpty && killed.isEmpty && crowded.isEmpty && missing.isEmpty
  }

  private func wait() {
    var slots = (pool.descriptors + [inbox.descriptor]).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    poll(&slots, nfds_t(slots.count), 200)
  }

  private func end() {
    if !pool.isStopping { pool.stop(at: now) }
    let deadline = now + 10
    while pool.aliveCount > 0, now < deadline {
      wait()
      _ = pool.events(at: now)
    }
    pool.kill()
    if fatal != nil { for job in ready + killed.map(\.job) { abandon(job) } }
    if !isEnding { checkManifest() }
    if !isEnding, counts.settled == counts.stores {
      do throws(ShardError) {
        try ledger.end()
      } catch {
        counts.obstacle = [error.description, error.advice].filter { !$0.isEmpty }.joined(separator: " ")
      }
    }
    unfinished.removeOld()
    unfinished.remove()
    if counts.isComplete, fatal == nil {
      for run in scratch.removeAll() { unfinished.remove(ofRun: run) }
    } else {
      scratch.removeIfEmpty()
    }
    // A stop that came after the last store was settled left no work undone.
    if counts.settled == counts.stores { counts.isStopped = false }
  }

  /// Checks whether the manifest still names the stores that it named at the start.
  private func checkManifest() {
    if manifest.hasChanged {
      fatal = .changedManifest(path: manifest.path)
    } else if counts.settled < counts.stores {
      counts.obstacle = "\(ByteFile.printed(Array(manifest.path.utf8))) doesn't name all stores any more."
    }
  }

  // MARK: The way of a store

  /// Takes further stores of the manifest while there is room for them.
  private func fetch() throws(ShardError) {
    guard crowded.isEmpty else {
      if isScratchEmpty {
        var job = crowded.removeFirst()
        job.isAlone = true
        begin(job)
      }
      return
    }
    while !isExhausted, ready.count + intakes < 2 * settings.jobs, intakes < max(2, settings.jobs) {
      guard !keys.isEmpty, let path = try paths.next() else {
        isExhausted = true
        return
      }
      let key = PathKey(digesting: path)
      guard settings.shard.contains(key), keys.remove(key) != nil else { continue }
      var job = StoreJob(FileName(bytes: path), key: key, scratch: scratch.place(of: key))
      job.worker = settings.worker
      begin(job)
    }
  }

  /// Copies a store into the scratch folder in the background, unless the store is settled already.
  private func begin(_ job: StoreJob) {
    let intake = StoreIntake(settings: digest, output: settings.output) { [shouldStop] in !shouldStop() }
    let settled = ledger.settled(job.key)
    intakes += 1
    later { [inbox] in inbox.put(.intake(intake.run(job, settled: settled), job)) }
  }

  /// Runs a closure on another thread, because the closure may wait for a disk.
  func later(_ block: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "decant.shard").async(execute: block)
  }

  private func assign() {
    // If results can't be delivered fast enough, the workers wait, so that the scratch folder doesn't fill.
    guard deliveries < 4 * settings.jobs else { return }
    var waiting: [StoreJob] = []
    for var job in ready {
      if pool.hasIdle(of: job.worker), pool.assign(settings.workerJob(job), at: now) {
        job.begin()
        running[job.id] = job
      } else {
        waiting.append(job)
      }
    }
    ready = waiting
    for (executable, jobs) in Dictionary(grouping: ready, by: \.worker) {
      guard let words = pool.provide(forJobs: jobs.count, of: executable, at: now) else { continue }
      noteStartFailure(of: executable, words)
    }
  }

  /// Handles a worker that couldn't be started.
  ///
  /// Three failures of the shard's own workers in succession end the run. Stores of a family's worker are left to a
  /// later run.
  func noteStartFailure(of executable: String?, _ words: String) {
    guard executable != settings.worker else {
      // Workers that start together fail together, and count as one failure.
      guard now - startFailedAt >= 0.5 else { return }
      startFailedAt = now
      startFailures += 1
      if startFailures >= 3 { fatal = .noWorker(words, isOwn: settings.worker == nil) }
      return
    }
    let jobs = ready.filter { $0.worker == executable }
    ready.removeAll { $0.worker == executable }
    for job in jobs {
      settle(
        job,
        MigrationFailure(
          .workerUnusable, message: "The worker “\(executable ?? "")” can't be started. \(words)",
          advice: "Correct the worker, then run the shard again."))
    }
  }

  private func take(_ event: ShardInbox.Event) {
    switch event {
    case .intake(let end, let job):
      intakes -= 1
      switch end {
      case .ready(let job):
        missing.note(found: job)
        ready.append(job)
      case .settled(let job, let settled, let bytes):
        missing.note(found: job)
        counts.skip(job.path, settled, bytes: bytes)
      case .delivered(let job, let line):
        missing.note(found: job)
        lines.append(line)
      case .failed(let job, let failure, let concernsAllStores):
        missing.note(found: job)
        let isMissing = failure.reason == .noSuchFile && failure.disposition == .refuse
        guard !concernsAllStores else { return judgeScratch(job, failure) }
        if let failure = isMissing ? missing.judge(job, failure) : failure { settle(job, failure) }
      case .stopped: keys.insert(job.key)
      }
    case .delivery(let job, let line):
      deliveries -= 1
      job.clear()
      lines.append(line)
    case .undelivered(let job, let failure, let obstacle):
      deliveries -= 1
      settle(job, failure)
      if let obstacle { counts.obstacle = obstacle }
    case .written(let lines, let error):
      isWriting = false
      if let error {
        isLedgerLost = true
        counts.obstacle =
          counts.obstacle ?? [error.description, error.advice].filter { !$0.isEmpty }.joined(separator: " ")
      } else {
        for line in lines { counts.take(line) }
      }
    }
  }

  /// Settles the missing stores that have waited until all stores were looked at.
  private func judgeMissing() {
    guard isExhausted, intakes == 0, lines.isEmpty else { return }
    // The limit bounds the lines of one write, and the time until a stop is seen.
    for _ in 0..<64 {
      guard let (path, failure) = missing.next() else { return }
      let key = PathKey(of: path)
      var job = StoreJob(path, key: key, scratch: scratch.place(of: key))
      job.held = StoreDelivery.receipt(of: job, in: settings.output)?.mark
      settle(job, failure)
    }
  }

  /// Leaves a store because a fault ends the run.
  ///
  /// The store's copy is kept only if a worker has begun; then a later run continues after the last chunk.
  func abandon(_ job: StoreJob) { if !job.hasWork { job.clear() } }

  /// Adds the ledger's line for a store that isn't migrated, with the reason.
  ///
  /// The store's files are removed from the scratch folder.
  func settle(_ job: StoreJob, _ failure: MigrationFailure) {
    job.clear()
    lines.append(line(for: job, failure))
  }

  /// Writes all waiting lines with one sync.
  private func writeLines() {
    guard !isWriting, !lines.isEmpty, !isLedgerLost else { return }
    isWriting = true
    let batch = lines
    lines = []
    later { [inbox, ledger] in
      do throws(ShardError) {
        try ledger.append(batch)
        inbox.put(.written(batch, nil))
      } catch {
        inbox.put(.written(batch, error))
      }
    }
  }
}
