internal import Synchronization

/// The status as the daemon's loop last wrote it, to be read from the health endpoint's thread.
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

  /// The status, and when it was written.
  package func read() -> (status: ServiceStatus, writtenAt: Double) {
    notice.withLock { ($0.status, $0.writtenAt) }
  }
}
