/// Handles SIGHUP: reads the configuration again, opens the log again, and retries the waiting jobs.
extension Daemon {
  package func reload() {
    guard stopRequestedAt == nil else { return }
    notifier.reloading(steadySeconds: clock.steady())
    defer { notifier.ready(statusLine) }
    if let file = configuration.file {
      do throws(ConfigurationError) {
        apply(try ServiceConfiguration.read(file: file))
      } catch {
        log.say(.error, "The configuration stays as it was. \(error)")
      }
    }
    progressLog.reopen(path: configuration.progressLog)
    for record in queue.waiting where record.state == .waiting { release(record) }
    for id in pending.keys { pending[id]?.notBefore = clock.steady() }
    catalogueRead = ""
    nextPeriodicScan = -.infinity
  }

  private func apply(_ new: ServiceConfiguration) {
    var new = new
    for (name, old, wanted) in [
      ("spool", configuration.spool, new.spool), ("socket", configuration.socket, new.socket),
    ]
    where old != wanted {
      log.say(.warning, "“\(name)” can't change while the daemon runs; it stays “\(old)” until a restart.")
    }
    new.spool = configuration.spool
    new.socket = configuration.socket
    configuration = new
    pool.change(to: Self.poolSettings(new))
    log.say(.notice, "The configuration “\(new.file ?? "")” was read anew.")
  }
}
