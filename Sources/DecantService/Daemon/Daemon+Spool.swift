internal import DecantSpool

/// Watches the spool's folders and their file system.
extension Daemon {
  func checkPlace() {
    displacement = context.spool.displacement
    if let displacement {
      context.events.trouble("place", displacement)
    } else {
      context.events.clear("place")
    }
  }

  /// Checks regularly whether the spool takes files.
  func checkSpool(at now: Double) {
    if let failure = probe.failure {
      context.events.trouble("probe", failure.description)
    } else {
      context.events.clear("probe")
    }
    // `incoming/` needs no probe: drops are taken by renames.
    let spool = context.spool
    probe.begin(
      in: [spool.work, spool.done, spool.failed], at: now, retrySeconds: context.configuration.retrySeconds)
  }

  /// Opens the spool's folders again if they were moved away and replaced, before a scan or a departure uses them.
  func renewFolders(at now: Double) {
    guard now >= intake.schedule.deadline || !departures.pending.isEmpty else { return }
    // A claim, or the move of a job out of `work/`, may be between its rename and its fsync, so wait for its end.
    guard !departures.isUnderWay, !intake.isClaiming else { return }
    do throws(FileFailure) {
      for path in try context.spool.renewFolders() {
        context.events.say(
          .warning,
          "“\(path)” was moved away or removed. The new folder of that name is used from now on.",
          event: "folders")
        intake.distrust()
      }
      context.events.clear("folders")
    } catch {
      context.events.trouble("folders", "\(error)")
    }
  }
}
