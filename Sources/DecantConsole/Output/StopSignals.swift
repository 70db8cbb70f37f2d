internal import Foundation
internal import Synchronization

/// Turns SIGINT, SIGTERM and SIGHUP into requests to end.
///
/// SIGWINCH, which reports a new terminal size, only interrupts a wait.
package enum StopSignals {
  private static let isRequested = Atomic<Bool>(false)

  /// Whether the end was requested.
  package static var isAsked: Bool { isRequested.load(ordering: .relaxed) }

  /// Watches for these signals while the body runs.
  ///
  /// Each of them interrupts a wait. None prints anything.
  package static func watching<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
  {
    // Initialise the flag here, so that the handler doesn't.
    isRequested.store(false, ordering: .relaxed)
    var before = [SIGINT, SIGTERM, SIGHUP, SIGWINCH].map { ($0, sigaction()) }
    for index in before.indices {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        if number != SIGWINCH { StopSignals.isRequested.store(true, ordering: .relaxed) }
      }
      sigemptyset(&action.sa_mask)
      sigaction(before[index].0, &action, &before[index].1)
    }
    // A parent process with threads may have blocked the signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    for (number, _) in before { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    defer { for index in before.indices { sigaction(before[index].0, &before[index].1, nil) } }
    return try body()
  }

  /// Waits for a signal, or for the time to pass, at most a second.
  package static func wait(seconds: Double) { poll(nil, 0, Int32(max(0, min(seconds, 1)) * 1000 + 0.999)) }
}
