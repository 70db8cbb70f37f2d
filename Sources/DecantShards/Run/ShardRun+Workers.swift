internal import DecantCatalogue
internal import DecantReport
internal import DecantWorker
internal import FileNames
internal import Foundation

extension ShardRun {
  func take(_ event: WorkerPool.Event) {
    switch event {
    case .progress: break
    case .report(let id, let report, _): end(id) { conclude($0, report) }
    case .failure(let id, let failure, _): end(id) { conclude($0, $0.withoutScratch(failure)) }
    case .died(let id, let death) where death.cause == .end(.signal(SIGKILL)):
      end(id) { killed.append(KilledStore(job: $0, death: death, judgedAt: now + KilledStore.pause)) }
    case .died(let id, let death): end(id) { conclude($0, death) }
    case .startFailed(let executable, let words): noteStartFailure(of: executable, words)
    }
  }

  private func end(_ id: String, _ conclude: (StoreJob) -> Void) {
    guard var job = running.removeValue(forKey: id) else { return }
    job.end()
    if job.worker == settings.worker { startFailures = 0 }
    conclude(job)
  }

  private func conclude(_ job: StoreJob, _ report: MigrationReport) {
    guard report.result == .alreadyCurrent || access(job.output, F_OK) == 0 else {
      return conclude(
        job,
        WorkerDeath(
          worker: "The worker", executable: job.worker,
          cause: .misbehaviour("it reported that the store was migrated, but there is no output"), place: nil,
          lastWords: [], family: report.family))
    }
    var report = report
    report.store = SourceFiles(path: job.path).name.description
    deliver(job, report, line(for: job, report))
  }

  /// Reasons of failures that concern the run's own files, and not the store.
  private static let ofPlaces: Set<FailureReason> = [.noSuchFile, .permission, .cantCreate, .damagedWork]
  /// Reasons that may disappear without a change in the catalogue's files.
  private static let ofMachine: Set<FailureReason> = [.workerUnusable, .catalogueUnreadable, .noCatalogue]

  /// The maximum number of times that a store is given to another worker, or given back by a worker that ends.
  private static let mostHandOvers = 5

  private func conclude(_ job: StoreJob, _ failure: MigrationFailure) {
    var failure = failure
    if Self.ofPlaces.contains(failure.reason) {
      (failure.reason, failure.disposition) = (.files, .retry)
    }
    guard failure.reason != .otherWorker else { return handOver(job, failure) }
    // A family that the catalogue doesn't have, or a target that the stated family doesn't have, fits no store of the
    // manifest.
    let isWrong = failure.reason == .unknownFamily || failure.reason == .unknownTarget && settings.family != nil
    guard !isWrong else {
      job.clear()
      fatal = .wrongOption([failure.message, failure.advice].filter { !$0.isEmpty }.joined(separator: " "))
      return
    }
    switch failure.disposition {
    case .stopped:
      // A worker that ends at its limits gives its job back. A stopped shard leaves the job to the next run.
      guard !isEnding else {
        if fatal != nil { abandon(job) }
        return
      }
      var job = job
      job.handOvers += 1
      if job.handOvers <= Self.mostHandOvers { ready.insert(job, at: 0) } else { strike(job, failure) }
    case .fault: strike(job, failure)
    case .retry where failure.isAboutRoom: judgeScratch(job, failure)
    case .refuse, .retry, .catalogue:
      settle(job, failure)
    }
  }

  /// Concludes the stores whose worker was killed some time ago, because the shard itself wasn't killed.
  func judgeKilled() {
    while let first = killed.first, first.judgedAt <= now {
      killed.removeFirst()
      conclude(first.job, first.death)
    }
  }

  private func conclude(_ job: StoreJob, _ death: WorkerDeath) {
    // The run itself may have ended the worker.
    guard !isEnding else {
      if fatal != nil { abandon(job) }
      return
    }
    let advice = death.advice(
      chunkSetting: "--chunk-size, or chunkSize in family.json5", hangSetting: "--hang-seconds",
      memory: "Give the task more memory, then try the store again with a manifest of “decant ledger --retry”.")
    strike(
      job,
      job.withoutScratch(
        death.failure(
          .refuse, occasion: "\(job.path), attempt \(job.strikes + 1) of \(settings.attempts): ",
          advice: "The store is unchanged. \(advice)")))
  }

  /// Tries a store again, or refuses the store after the last attempt.
  private func strike(_ job: StoreJob, _ failure: MigrationFailure) {
    var job = job
    job.strikes += 1
    guard job.strikes >= settings.attempts else { return ready.insert(job, at: 0) }
    var final = failure
    final.disposition = .refuse
    settle(job, final)
  }

  /// Gives a store to the worker that its family names.
  private func handOver(_ job: StoreJob, _ failure: MigrationFailure) {
    let catalogue = URL(fileURLWithPath: settings.catalogue, isDirectory: true)
    var job = job
    job.handOvers += 1
    do throws(FamilyError) {
      let path = try FamilyWorker.path(of: failure.family ?? "", in: catalogue)
      let problem = path.flatMap(WorkerFile.problem)
      guard path != job.worker, job.handOvers <= Self.mostHandOvers, problem == nil else {
        return settle(
          job,
          MigrationFailure(
            .workerUnusable, message: problem ?? failure.message,
            advice: "Correct the worker in family.json5 (worker: …).", family: failure.family))
      }
      job.worker = path
      ready.insert(job, at: 0)
    } catch {
      settle(job, MigrationFailure(.brokenFamily, message: error.description, family: failure.family))
    }
  }

  // MARK: Lines

  private func line(for job: StoreJob, _ result: LedgerLine.Result) -> LedgerLine {
    var line = LedgerLine(
      path: job.path, settings: digest, result: result, seconds: job.seconds, ended: Timestamp.text())
    line.size = job.digests?.bytes
    line.sha256 = job.digests?.sha256
    line.companions = job.digests?.companions
    return line
  }

  private func line(for job: StoreJob, _ report: MigrationReport) -> LedgerLine {
    var line = line(for: job, report.result == .alreadyCurrent ? .current : .done)
    line.family = report.family
    line.from = report.sourceVersion
    line.to = report.targetVersion
    line.rows = report.steps.first.map { $0.entities.sum().source } ?? 0
    line.losses = report.realLosses.lostValues
    line.setOutput(
      FileName(bytes: Array("\(job.key.folder)/".utf8) + SourceFiles(path: job.path).name.bytes))
    return line
  }

  func line(for job: StoreJob, _ failure: MigrationFailure) -> LedgerLine {
    let result: LedgerLine.Result =
      switch failure.disposition {
      case .refuse, .fault: .refused
      // A refusal holds only for the same settings. A change of the catalogue changes the settings, so then the store
      // is tried again.
      case .catalogue: Self.ofMachine.contains(failure.reason) ? .later : .refused
      case .retry, .stopped: .later
      }
    var line = line(for: job, result)
    if result == .refused, job.held != nil { line.staleResult = job.key.folder }
    line.family = failure.family
    line.reason = failure.reason.word
    // A hostile store may have long names, and one letter may be many bytes. So the bytes are limited.
    line.message = String(decoding: failure.description.utf8.prefix(4000), as: UTF8.self)
    return line
  }
}
