internal import CLinux
internal import Glibc

/// The signals that the daemon handles, as a descriptor to wait on.
package final class SignalInbox {
  package enum Wish: Sendable, Hashable {
    case stop
    case reload
    /// A child process, such as a worker, has ended.
    case reap
  }

  package let descriptor: Int32

  /// Blocks the signals in this thread and all later threads.
  ///
  /// Make this object before any other thread exists.
  package init() {
    signal(SIGPIPE, SIG_IGN)
    // A write beyond the limit on file sizes then only fails, and the failure is reported.
    signal(SIGXFSZ, SIG_IGN)
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGTERM, SIGINT, SIGHUP, SIGCHLD] { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    descriptor = decant_signal_descriptor(&set)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The requests since the last call, but at most 64.
  package func wishes() -> [Wish] {
    var wishes: [Wish] = []
    while wishes.count < 64 {
      switch decant_next_signal(descriptor) {
      case 0: return wishes
      case SIGTERM, SIGINT: wishes.append(.stop)
      case SIGHUP: wishes.append(.reload)
      default: wishes.append(.reap)
      }
    }
    return wishes
  }
}
