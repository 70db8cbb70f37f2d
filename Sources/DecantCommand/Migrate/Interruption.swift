internal import Foundation
internal import Synchronization

/// Ctrl-C and SIGTERM as requests to stop between two chunks.
///
/// The second signal ends the process at once. With `isPatient`, this signal must be Ctrl-C: a scheduler may send
/// SIGTERM to each process of a task, and the task's script may pass it on, so that one stop gives two signals.
enum Interruption {
  private static let isRequested = Atomic<Bool>(false)
  private static let isPatient = Atomic<Bool>(false)

  static var isAsked: Bool { isRequested.load(ordering: .relaxed) }

  static func watching<Result, Failure>(
    isPatient: Bool = false, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Initialise the flags here, so that the handler doesn't.
    isRequested.store(false, ordering: .relaxed)
    self.isPatient.store(isPatient, ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in Interruption.take(number) }
    action.sa_flags = SA_RESTART
    sigemptyset(&action.sa_mask)
    // A parent process with threads may have blocked the signals, so unblock them.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    var before = [SIGINT, SIGTERM].map { ($0, sigaction()) }
    for index in before.indices {
      sigaction(before[index].0, &action, &before[index].1)
      // A shell lets the background jobs of a script ignore Ctrl-C. Keep that setting.
      if before[index].0 == SIGINT, isIgnored(before[index].1) { sigaction(SIGINT, &before[index].1, nil) }
    }
    defer { for index in before.indices { sigaction(before[index].0, &before[index].1, nil) } }
    return try body()
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// The work of the handler: only async-signal-safe calls.
  private static func take(_ number: Int32) {
    guard isRequested.exchange(true, ordering: .relaxed) else {
      // SIGTERM usually comes from a scheduler, and the reader of its log can't press Ctrl-C.
      return number == SIGTERM
        ? tell("\ndecant: Stopping after this chunk.\n")
        : tell("\ndecant: Stopping after this chunk. Press Ctrl-C again to stop at once.\n")
    }
    guard number != SIGTERM || !isPatient.load(ordering: .relaxed) else { return }
    tell("\ndecant: Stopped at once. The same command continues or begins again.\n")
    // The process ends by the signal itself, so that a shell script that runs the command ends, too.
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }

  private static func tell(_ text: StaticString) {
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }
}
