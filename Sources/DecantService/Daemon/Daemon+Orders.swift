internal import DecantReport
internal import DecantSpool

extension Daemon {
  func carryOut(_ order: DaemonOrder, at now: Double) {
    switch order {
    case .cancel(let job): dispatcher.cancel(job, at: now)
    case .retry(let job): dispatcher.retry(job)
    case .restart(let job): dispatcher.restart(job, at: now)
    case .pause(let stopsJobs): beginPause(stopsJobs: stopsJobs, at: now)
    case .resume: endPause()
    }
  }

  /// Continues the pause of an earlier daemon.
  ///
  /// A file that can't be read counts as a pause, because a pause does no harm.
  func readPause() {
    do throws(FileFailure) {
      pause = try Pause.read(in: context.spool)
    } catch {
      pause = Pause(since: nil, stopsJobs: false)
      context.events.trouble("pause", error.description)
    }
    if let pause {
      context.events.say(
        .notice, "The daemon is \(pause.message(context.configuration.commandOption)).", event: "paused")
    }
  }

  private func beginPause(stopsJobs: Bool, at now: Double) {
    let (events, wasPaused) = (context.events, pause != nil)
    var new = pause ?? Pause(since: Timestamp.text(context.clock.wall()), stopsJobs: false)
    new.stopsJobs = new.stopsJobs || stopsJobs
    if pause != new {
      pause = new
      do throws(FileFailure) {
        try new.save(in: context.spool)
        events.clear("pause")
      } catch {
        events.trouble("pause", "The pause ends when the daemon ends, because it can't be saved. \(error)")
      }
    }
    intake.holdBack(at: now)
    if stopsJobs { dispatcher.stopRunning(at: now) }
    guard !wasPaused || stopsJobs else { return }
    events.write(event: "paused", [("runningJobs", stopsJobs ? "stop" : "continue")])
    events.say(
      .notice,
      stopsJobs ? "Paused: running jobs stop after their chunk." : "Paused: running jobs go on.",
      event: "paused")
  }

  private func endPause() {
    guard pause != nil else { return }
    let events = context.events
    do throws(FileFailure) {
      try Pause.end(in: context.spool)
      events.clear("pause")
    } catch {
      events.trouble("pause", "The pause comes back when the daemon starts again. \(error)")
    }
    pause = nil
    intake.schedule.forcePeriodic()
    events.write(event: "continued", [])
    events.say(.notice, "The pause is over.", event: "continued")
  }
}
