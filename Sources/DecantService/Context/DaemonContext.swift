internal import DecantSpool

final class DaemonContext {
  /// The settings; a reload changes them.
  var configuration: ServiceConfiguration
  let spool: Spool
  let clock: ServiceClock
  let events: EventLog

  init(configuration: ServiceConfiguration, spool: Spool, clock: ServiceClock, events: EventLog) {
    self.configuration = configuration
    self.spool = spool
    self.clock = clock
    self.events = events
  }
}
