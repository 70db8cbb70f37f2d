/// Handles SIGHUP.
///
/// The daemon reads the configuration and the catalogue again, and opens the log again. What would otherwise wait is
/// done now: retries, moves of jobs out of `work/`, the scan and the removal of old results.
extension Daemon {
  package func reload() {
    guard phase.isOpen else { return }
    let now = context.clock.steady()
    notifier.reloading(steadySeconds: now)
    defer { notifier.ready(statusLine) }
    if let file = context.configuration.file {
      do throws(ConfigurationError) {
        let wanted = try ServiceConfiguration.read(file: file)
        // Check the settings that would be in use. The spool and the socket can't change now.
        var new = wanted
        new.spool = context.configuration.spool
        new.socket = context.configuration.socket
        let check = SettingsCheck(configuration: new, isBeforeStart: false)
        let faults = check.changeable
        if faults.isEmpty {
          apply(new, wanted)
        } else {
          context.events.say(
            .error, "The configuration is unchanged. \(faults.map(check.sentence).joined(separator: " "))",
            event: "reload")
        }
      } catch {
        context.events.say(.error, "The configuration is unchanged. \(error)", event: "reload")
      }
    }
    context.events.progress.reopen(path: context.configuration.progressLog)
    dispatcher.releaseAll()
    departures.hurry(at: now)
    catalogue.readAgain()
    intake.schedule.forcePeriodic()
    retention.hurry()
  }

  /// - Parameter wanted: The configuration as it was read. Its `spool` and `socket` can't take effect now.
  private func apply(_ new: ServiceConfiguration, _ wanted: ServiceConfiguration) {
    for (name, old, wanted) in [("spool", new.spool, wanted.spool), ("socket", new.socket, wanted.socket)]
    where old != wanted {
      context.events.say(
        .warning, "“\(name)” can't change while the daemon runs; it stays “\(old)” until a restart.",
        event: "reload")
    }
    context.configuration = new
    context.spool.resultRules = new.resultRules
    dispatcher.pool.change(to: new.poolSettings)
    let dropIns = new.dropIns.isEmpty ? "" : ", with its drop-ins (\(new.dropIns.count)),"
    context.events.say(
      .notice, "The configuration “\(new.file ?? "")”\(dropIns) was read again.", event: "reload")
  }
}
