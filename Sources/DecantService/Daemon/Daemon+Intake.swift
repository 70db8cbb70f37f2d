internal import DecantMigration
internal import FileNames

/// Takes drops from `incoming/` to `work/`.
extension Daemon {
  /// The most jobs in `work/`; further drops wait in `incoming/`.
  static let mostJobs = 1000
  /// The number of drops that are claimed in parallel.
  static let claimsAtOnce = 16
  /// The seconds that one turn of the loop may spend on claims.
  static let claimSeconds = 0.25
  /// The seconds that the disk may take for claims.
  ///
  /// After that, the watchdog takes the daemon for hung.
  static let longestClaim = 600

  /// Takes the kernel's hints about `incoming/`.
  func takeHints(at now: Double) {
    let hints = watch.hints()
    var isNews = false
    for hint in hints {
      switch hint {
      case .movedIn(let name):
        touch(name, at: now)
        settling.noteMovedIn(name)
      case .changed(let name): touch(name, at: now)
      case .gone(let name):
        touch(name, at: now)
        // Usually this is our own claim: no new scan is needed.
        continue
      case .everything:
        settling.distrustRenames()
        backlog = []
      }
      isNews = true
    }
    guard isNews else { return }
    // If very many names arrive, one scan serves many hints.
    nextScan = min(nextScan, max(now, scanNotBefore))
  }

  private func touch(_ name: FileName, at now: Double) {
    settling.touch(name, at: now)
    if !backlog.isEmpty { touched.insert(name) }
  }

  /// Opens the spool's folders again if they were moved away and replaced, before a scan or a delivery uses them.
  func renewFolders(at now: Double) {
    guard now >= min(nextScan, nextPeriodicScan) || !pending.isEmpty else { return }
    // A departure may be between its rename and its fsync.
    guard !isDeparting else { return }
    do throws(FileFailure) {
      for path in try spool.renewFolders() {
        log.say(
          .warning,
          "“\(path)” was moved away or removed; the folder that has its name now is used from here on.")
        settling.distrustRenames()
        backlog = []
      }
      clear("folders")
    } catch {
      trouble("folders", "\(error)")
    }
  }

  /// Takes new drops.
  ///
  /// - Returns: Whether a scan was due or a backlog was there.
  func intake(at now: Double) -> Bool {
    // If a folder was replaced, drops wait until `renewFolders` has opened the new folder.
    guard !isDeparting || spool.isCurrent else { return false }
    if now >= min(nextScan, nextPeriodicScan) {
      scan(at: now)
      return true
    }
    guard !backlog.isEmpty else { return false }
    takeBacklog()
    return true
  }

  /// Scans `incoming/`, takes the settled drops, and reports the drops that can't be taken.
  func scan(at now: Double) {
    let isPeriodic = now >= nextPeriodicScan
    if isPeriodic {
      nextPeriodicScan = now + configuration.scanSeconds
      sweep()
    }
    let found: IncomingScan
    do throws(FileFailure) {
      found = try IncomingScan(
        of: spool.incoming, access: access, now: Int64(clock.wall() + 60) &* 1_000_000_000,
        takenAs: { self.takenAs[$0] })
      clear("incoming")
    } catch {
      trouble("incoming", error.description)
      nextScan = .infinity
      return
    }
    touched = []
    settling.keep(Set(found.sightings.map(\.name)))
    var settled: [Drop] = []
    var blocked: [FileName: [Obstacle]] = [:]
    for sighting in found.sightings {
      let age = settling.observe(sighting.name, sighting.fingerprint, at: now)
      let hasSettled = age >= configuration.settleSeconds
      if !sighting.obstacles.isEmpty {
        if hasSettled { blocked[sighting.name] = sighting.obstacles }
      } else if let drop = sighting.drop {
        let isWhole = drop.form == .folder && drop.defect == nil && settling.cameByRename(drop.name)
        if hasSettled || isWhole { settled.append(drop) }
      }
    }
    let end = clock.steady()
    // A scan of very many names must not use all the time of the loop.
    nextScan = settling.nextDeadline(settleSeconds: configuration.settleSeconds, after: now) ?? .infinity
    scanNotBefore = end + 4 * (end - now)
    nextScan = max(nextScan, scanNotBefore)
    nextPeriodicScan = max(nextPeriodicScan, scanNotBefore)
    backlog = settled.sorted { settling.order(of: $0.name) < settling.order(of: $1.name) }[...]
    inTheWay = blocked
    claim()
    report(inTheWay)
  }

  /// Takes settled drops that the last scan left, because time or room in `work/` ran out.
  func takeBacklog() {
    guard !backlog.isEmpty else { return }
    if isFull, queue.records.count > Self.mostJobs / 2 { return }
    isFull = false
    claim()
    report(inTheWay)
  }

  /// Claims drops from the backlog, several in parallel, while there is time and room.
  private func claim() {
    let start = clock.steady()
    repeat {
      do throws(FileFailure) {
        guard try take(nextClaims()) else { return }
      } catch {
        return hold(nil, error)
      }
    } while !backlog.isEmpty && !isFull && clock.steady() - start < Self.claimSeconds
  }

  /// Claims drops on the disk queues, and handles the outcomes in the order of arrival.
  ///
  /// - Returns: Whether to continue.
  private func take(_ batch: [(drop: Drop, arrival: Int)]) -> Bool {
    let (spool, book, wall) = (spool, claims, clock.wall())
    for (drop, arrival) in batch {
      claimQueues.async {
        let end: Result<Claim.Outcome, FileFailure>
        do throws(FileFailure) {
          end = .success(try Claim(spool: spool).take(drop, arrival: arrival, at: wall))
        } catch {
          end = .failure(error)
        }
        book.add(ClaimOutcome(drop: drop, arrival: arrival, end: end))
      }
    }
    var patience = Self.longestClaim
    while patience > 0, !claimQueues.finish(within: 1) {
      // A busy disk is not a hang. If the disk gives no answer at all, the watchdog ends the daemon.
      patience -= 1
      notifier.watchdog()
      publish(at: clock.steady())
    }
    claimQueues.finish()
    let outcomes = book.take().sorted { $0.arrival < $1.arrival }
    var isSound = true
    for outcome in outcomes {
      switch outcome.end {
      case .success(.claimed(let record, let refusal)): admit(record, refusal, outcome.drop)
      case .success(.blocked(let obstacle)): inTheWay[outcome.drop.name] = [obstacle]
      case .success(.vanished): nextScan = min(nextScan, clock.steady() + configuration.settleSeconds)
      case .failure(let failure):
        isSound = false
        hold(outcome.drop, failure)
      }
    }
    if isSound, !outcomes.isEmpty { clear("claim") }
    return isSound
  }

  /// The next drops of the backlog, at most as many as are claimed in parallel and as there is room for.
  private func nextClaims() throws(FileFailure) -> [(drop: Drop, arrival: Int)] {
    var batch: [(drop: Drop, arrival: Int)] = []
    while batch.count < Self.claimsAtOnce, let drop = backlog.first {
      guard queue.records.count + batch.count < Self.mostJobs else {
        isFull = true
        break
      }
      // A touched drop may have changed since the scan.
      if !touched.contains(drop.name) { batch.append((drop, try counter.next(spool: spool))) }
      backlog.removeFirst()
    }
    return batch
  }

  /// Postpones all claims, because the spool itself failed.
  ///
  /// The drops stay until a later scan. That scan first cleans up after claims that stopped halfway.
  private func hold(_ drop: Drop?, _ failure: FileFailure) {
    trouble("claim", "\(drop.map { "“\($0.name)”" } ?? "A drop") can't be taken. \(failure)")
    backlog = []
    let rest = min(configuration.retrySeconds, configuration.scanSeconds)
    scanNotBefore = max(scanNotBefore, clock.steady() + rest)
    nextScan = max(nextScan, scanNotBefore)
    nextPeriodicScan = scanNotBefore
  }

  private func admit(_ record: JobRecord, _ refusal: MigrationFailure?, _ drop: Drop) {
    status.totals.claimed += 1
    if let store = record.store { remember(store, takenAs: record.id) }
    write(record, "claimed", [("bytes", "\(record.bytes)"), ("priority", "\(record.priority)")])
    log.say(.info, "Took “\(drop.name)” as job \(record.id).")
    if drop.isFromTheFuture {
      log.say(.warning, "“\(drop.name)” was last written at a time that is still to come; is a clock wrong?")
    }
    enqueue(record)
    // Only for the log line: the record has the reason already.
    if let refusal { pending[record.id]?.kind = .refuse(refusal) }
  }

  private func remember(_ store: FileName, takenAs job: String) {
    if takenAs.updateValue(job, forKey: store) == nil { takenOrder.append(store) }
    if takenOrder.count > 1000 { takenAs[takenOrder.removeFirst()] = nil }
  }

  /// Reports each obstacle once, and reports once that it is gone.
  private func report(_ blocked: [FileName: [Obstacle]]) {
    for (name, list) in blocked.sorted(by: { $0.key < $1.key }) where obstacles[name] != list {
      for obstacle in list.prefix(20) {
        log.say(.warning, obstacle.description)
        let command = obstacle.command.isEmpty ? [] : [("command", obstacle.command)]
        write(event: "blocked", [("drop", name.description), ("message", obstacle.message)] + command)
      }
    }
    for name in obstacles.keys.sorted() where blocked[name] == nil {
      log.say(.info, "“\(name)” is no longer in the way.")
    }
    obstacles = blocked
  }

  /// The other work of a periodic scan, besides `incoming/`.
  private func sweep() {
    recover()
    checkCatalogue()
    status.jobs.done = (try? spool.done.names().count { !$0.text.hasPrefix(".") }) ?? status.jobs.done
    status.jobs.failed = (try? spool.failed.names().count { !$0.text.hasPrefix(".") }) ?? status.jobs.failed
  }

  /// Resumes jobs in `work/` that aren't in the queue.
  func recover() {
    do throws(FileFailure) {
      let findings = try Recovery(spool: spool).run(known: { queue[$0] != nil }, at: clock.wall())
      for record in findings.records {
        log.say(.info, "Goes on with job \(record.id) (“\(record.title)”), \(record.state.rawValue).")
        write(record, "resumed", [("state", record.state.rawValue), ("priority", "\(record.priority)")])
        enqueue(record)
        // This needs no worker and no disk space.
        _ = deliverFinished(record, at: clock.steady())
      }
      if let failure = findings.failures.first {
        trouble("work", failure.description)
      } else {
        clear("work")
      }
      for stranger in findings.strangers.sorted() {
        say(
          once: "stranger \(stranger)", .warning,
          "“\(PrintedName.of(spool.work.path(of: stranger)))” is no job; it is left alone.")
      }
    } catch {
      trouble("work", error.description)
    }
  }

  /// Puts a job into the queue or among the departures, as its state demands.
  func enqueue(_ record: JobRecord) {
    queue.put(record)
    if record.state == .delivering || record.state == .refusing {
      leave(record, PendingDeparture(kind: .complete, notBefore: clock.steady()))
    }
  }
}
