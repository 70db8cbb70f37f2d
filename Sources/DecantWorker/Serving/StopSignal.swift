internal import CLinux
internal import Glibc
internal import Synchronization

/// A request to stop that came as SIGTERM, asked for between chunks; once there it stays.
package final class StopSignal: Sendable {
  /// Readable when a signal has arrived; -1 where there is none to wait for.
  package let descriptor: Int32
  private let stopped = Atomic<Bool>(false)

  /// A stop request without a signal behind it.
  package init() { descriptor = -1 }

  /// Listens for the signals, which from now on have no other effect in the threads started after this call.
  ///
  /// Has to be called from the first thread before any other exists.
  package init(listeningFor signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    descriptor = decant_signal_descriptor(&set)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Asks for the stop from within the process.
  package func stop() { stopped.store(true, ordering: .releasing) }

  /// True once a stop was asked for.
  package var isStopped: Bool {
    if stopped.load(ordering: .acquiring) { return true }
    guard descriptor >= 0, decant_next_signal(descriptor) != 0 else { return false }
    stop()
    return true
  }
}
