internal import DecantReport

/// Applies the rule of fairness (`FairShare`) to the jobs.
extension Dispatcher {
  var share: FairShare {
    FairShare(
      workers: configuration.workers, longSeconds: configuration.longSeconds,
      bigStoreBytes: Int64(configuration.bigStoreBytes))
  }

  func candidate(_ record: JobRecord, at wall: Double) -> FairShare.Candidate {
    FairShare.Candidate(
      bytes: record.bytes,
      expected: notes[record.id]?.expectedSeconds
        ?? speeds.expectedSeconds(bytes: record.bytes, store: record.title),
      waited: wall - record.claimedAt)
  }

  func runningJobs(at now: Double) -> [FairShare.Running] {
    running.map { id, job in
      FairShare.Running(
        job: id, bytes: queue[id]?.bytes ?? 0, elapsed: elapsed(id, job, at: now), left: job.meter.secondsLeft,
        isStopping: notes[id]?.isYielding == true || queue[id]?.cancelled == true)
    }
  }

  private func elapsed(_ id: String, _ job: RunningJob, at now: Double) -> Double {
    (notes[id]?.spentSeconds ?? 0) + now - job.startedAt
  }

  /// Notes the family and version of a job's store under the store's file name.
  func learnKind(of job: String, _ progress: MigrationProgress) {
    guard let record = queue[job], let family = progress.family, progress.step == 1 else { return }
    speeds.note(.init(family: family, version: progress.sourceVersion), of: record.title)
  }

  func learnSpeed(of record: JobRecord, _ report: MigrationReport) {
    guard report.result == .migrated, let seconds = wholeSeconds(of: record, report) else { return }
    let kind = MeasuredSpeeds.Kind(family: report.family, version: report.sourceVersion)
    speeds.note(kind, of: record.title)
    speeds.add(bytes: record.bytes, seconds: seconds, of: kind)
  }

  /// The seconds of all runs of a finished job together; `nil` if an earlier daemon may have done a part of the work.
  func wholeSeconds(of record: JobRecord, _ report: MigrationReport) -> Double? {
    let note = notes[record.id] ?? JobNotes()
    if note.isOfEarlierDaemon, note.spentSeconds == 0 || report.steps.contains(where: { $0.resumedChunks > 0 })
    {
      return nil
    }
    return max(note.spentSeconds, report.seconds)
  }

  /// Keeps the time of a job's run that has ended, and the run's estimate of the job's whole time.
  func noteRun(of job: String, at now: Double) {
    guard let ended = running[job] else { return }
    let spent = elapsed(job, ended, at: now)
    notes[job, default: JobNotes()].spentSeconds = spent
    // A run may end without an estimate, for example if another worker has to do the job.
    if let left = ended.meter.secondsLeft { notes[job]?.expectedSeconds = spent + left }
    notes[job]?.isYielding = false
  }

  /// If long jobs have all workers and a short job waits, lets one of the long jobs stop after its chunk.
  func makeRoomForShortJobs(at now: Double) {
    let (fairness, wall, running) = (share, clock.wall(), runningJobs(at: now))
    // The speeds of running long jobs also tell which waiting jobs are long.
    for job in running where fairness.isLong(job) {
      guard let record = queue[job.job] else { continue }
      speeds.add(bytes: job.bytes, secondsSoFar: job.elapsed + (job.left ?? 0), store: record.title)
    }
    guard let job = fairness.yielding(running),
      !queue.ready(at: wall, most: 1, where: { !fairness.isLong(candidate($0, at: wall)) }).isEmpty
    else { return }
    notes[job, default: JobNotes()].isYielding = true
    if let record = queue[job] {
      events.write(record, "yields", [])
      events.say(
        .info,
        "Job \(job) (“\(record.title)”) is long. It stops after its chunk for short jobs, and continues later.",
        event: "yields", about: record, pass: pass(of: job))
    }
    pool.yield(job: job)
  }
}
