internal import DecantReport
internal import DecantSpool
internal import FileNames
internal import Glibc

/// The conditions of readiness: whether the daemon can go on, and what needs attention.
extension Daemon {
  func checks(
    _ space: Result<DiskSpace, FileFailure>, freeBytes: Int64, families: [ServiceStatus.Family]
  ) -> [ServiceStatus.Check] {
    let (configuration, troubles) = (context.configuration, context.events.troubles)
    let progressLog = context.events.progress
    let blocked = intake.blocked.count
    func check(_ name: String, _ problem: String?, _ fine: String) -> ServiceStatus.Check {
      .init(name: name, ok: problem == nil, message: problem ?? fine)
    }
    let spoolTrouble = ["folders", "incoming", "work", "claim", "record", "departure"].compactMap {
      troubles[$0]
    }.first
    return [
      check(
        "spool", displacement ?? unwritable() ?? unprobed() ?? spoolTrouble,
        "“\(configuration.spool)” is writable"),
      roomCheck(space, freeBytes: freeBytes),
      check(
        "catalogue", troubles["catalogue"] ?? troubles["models"], "“\(configuration.catalogue)” can be read"),
      // During a pause, drops stay in incoming, so the daemon isn't ready.
      .init(
        name: "pause", ok: pause == nil, warning: troubles["pause"] != nil,
        message: pauseMessage(troubles["pause"])),
      .init(
        name: "workers", ok: troubles["workers"] == nil, warning: troubles["priority"] != nil,
        message: troubles["workers"] ?? troubles["priority"]
          ?? "\(dispatcher.pool.busyCount) of \(configuration.workers) busy"),
      // Stores of all other families are still migrated, so the daemon stays ready.
      .init(
        name: "families", ok: true, warning: !families.isEmpty,
        message: families.isEmpty
          ? "no job waits for a family" : families.map(\.message).joined(separator: " ")),
      // Only the jobs of a newer version of decantd stay. The other jobs go on, so the daemon stays ready.
      .init(
        name: "records", ok: true, warning: troubles["newer"] != nil,
        message: troubles["newer"] ?? "no job is of a newer version"),
      // A log that can't be written never stops a migration, so the daemon stays ready.
      .init(
        name: "log", ok: true, warning: progressLog.trouble != nil,
        message: progressLog.trouble ?? "“\(progressLog.path)” is written"),
      .init(
        name: "incoming", ok: true, warning: blocked > 0 || dispatcher.queue.held >= Backlog.mostHeld,
        message: (blocked == 0
          ? "no drop is blocked"
          : "\(blocked) \(blocked == 1 ? "drop" : "drops") can't be taken\(takesWork ? "; others are taken" : "")")
          + unclaimed),
    ]
  }

  /// Whether the jobs have room on the disk.
  ///
  /// A job that waits for room doesn't make the condition fail while another job goes on.
  private func roomCheck(
    _ space: Result<DiskSpace, FileFailure>, freeBytes: Int64
  ) -> ServiceStatus.Check {
    let (queue, room) = (dispatcher.queue, dispatcher.room)
    let shortage = (try? space.get())?.shortage(
      need: 0, reserved: 0, minimumFree: Int64(context.configuration.minimumFreeBytes))
    // A job whose move out of `work/` has failed once may fail again, so it doesn't count.
    let goesOn = room.isAnyRunning || departures.pending.values.contains { $0.attempts == 0 }
    let isFull = !goesOn && (shortage != nil || room.stuck > 1 && !room.isAnyQueued)
    guard let first = room.short.first else {
      if case .failure(let failure) = space {
        // No job is known to lack space, so this is only a warning.
        return .init(name: "space", ok: !isFull, warning: true, message: failure.description)
      }
      return .init(
        name: "space", ok: !isFull, warning: shortage != nil,
        message: shortage.map { "no further job can start: \($0)" } ?? "\(ByteText.of(freeBytes)) free")
    }
    let reason = queue.shortages[first] ?? queue[first]?.hold?.failure.message ?? ""
    let words = room.short.count == 1 ? "job \(first) waits" : "\(room.short.count) jobs wait"
    let others = isFull ? ", and no other job can go on" : goesOn || room.isAnyQueued ? "; others go on" : ""
    return .init(
      name: "space", ok: !isFull, warning: true,
      message: "\(words) for disk space\(others). "
        + (room.short.count == 1 ? reason : "Job \(first): \(reason)"))
  }

  /// The words about the drops that wait because `work/` has too many jobs.
  private var unclaimed: String {
    let (count, held) = (intake.backlog.count, dispatcher.queue.held)
    guard intake.backlog.isFull, count > 0 else { return "" }
    return "; \(count) wait in incoming until work has room"
      + (held >= Backlog.mostHeld ? ", where \(held) jobs wait for the catalogue" : "")
  }

  private func pauseMessage(_ trouble: String?) -> String {
    guard let pause else { return trouble ?? "not paused" }
    let message = pause.message(context.configuration.commandOption)
    return trouble.map { "\(message). \($0)" } ?? message
  }

  private func unprobed() -> String? {
    if let failure = probe.failure { return failure.description }
    let now = context.clock.steady()
    return probe.delay(at: now).map {
      "The disk of “\(context.configuration.spool)” doesn't answer: writing a small file has taken \(Int($0)) s so far."
    } ?? intake.delay(at: now)
  }

  private func unwritable() -> String? {
    let spool = context.spool
    for folder in [spool.incoming, spool.work, spool.done, spool.failed]
    where faccessat(folder.descriptor, ".", W_OK | X_OK, AT_EACCESS) != 0 {
      return
        "\(FileFailure("write into", folder.path)) Fix it with: chmod g+rwx \(ShellQuoting.quote(folder.path))"
    }
    return nil
  }
}
