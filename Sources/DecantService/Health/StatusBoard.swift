internal import DecantSpool
internal import Synchronization

/// The last status that the daemon's loop wrote.
///
/// The health endpoint's thread reads the status here.
package final class StatusBoard: Sendable {
  private struct Notice {
    var status = ServiceStatus()
    /// Seconds of the steady clock.
    var writtenAt = 0.0
  }

  private let notice = Mutex(Notice())

  package init() {}

  package func write(_ status: ServiceStatus, at now: Double) {
    notice.withLock { $0 = Notice(status: status, writtenAt: now) }
  }

  package func read() -> (status: ServiceStatus, writtenAt: Double) {
    notice.withLock { ($0.status, $0.writtenAt) }
  }
}
