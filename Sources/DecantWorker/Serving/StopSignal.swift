internal import CLinux
internal import Glibc
internal import Synchronization

/// A stop request, by a signal or from within the process; it is checked between chunks and never taken back.
package final class StopSignal: Sendable {
  /// Readable when a signal has arrived; -1 without signals.
  package let descriptor: Int32
  private let stopped = Atomic<Bool>(false)

  /// A stop request without signals.
  package init() { descriptor = -1 }

  /// Listens for signals, each of which is a stop request.
  ///
  /// Call this before the process starts another thread, because only threads that start later block the signals.
  package init(listeningFor signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    descriptor = decant_signal_descriptor(&set)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  package func stop() { stopped.store(true, ordering: .releasing) }

  package var isStopped: Bool {
    if stopped.load(ordering: .acquiring) { return true }
    guard descriptor >= 0, decant_next_signal(descriptor) != 0 else { return false }
    stop()
    return true
  }
}
