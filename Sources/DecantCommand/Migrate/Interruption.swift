internal import Foundation
internal import Synchronization

/// Ctrl-C and SIGTERM as requests to stop between two chunks.
///
/// The first signal requests a stop. The second ends the process at once; the work can be resumed after it, too.
enum Interruption {
  private static let isRequested = Atomic<Bool>(false)

  /// Whether a stop was requested.
  static var isAsked: Bool { isRequested.load(ordering: .relaxed) }

  /// Watches for signals while the body runs.
  static func watching<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Initialise it here, so that the handler doesn't.
    isRequested.store(false, ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in Interruption.ask() }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
    sigemptyset(&action.sa_mask)
    // A parent process with threads may have blocked them.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    var before = [SIGINT, SIGTERM].map { ($0, sigaction()) }
    for index in before.indices {
      sigaction(before[index].0, &action, &before[index].1)
      // Scripts let background jobs ignore Ctrl-C. Keep that.
      if before[index].0 == SIGINT, isIgnored(before[index].1) { sigaction(SIGINT, &before[index].1, nil) }
    }
    defer { for index in before.indices { sigaction(before[index].0, &before[index].1, nil) } }
    return try body()
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// The work of the handler: only async-signal-safe calls.
  private static func ask() {
    isRequested.store(true, ordering: .relaxed)
    let text: StaticString = "\ndecant: Stopping after this chunk. Press Ctrl-C again to stop at once.\n"
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }
}
