internal import CLinux
internal import DecantReport
internal import Glibc
internal import Synchronization

/// Passes finished work from background threads to the shard's own thread.
final class ShardInbox: Sendable {
  enum Event: Sendable {
    case intake(StoreIntake.End, StoreJob)
    case delivery(StoreJob, LedgerLine)
    /// A delivery that failed; `obstacle` is set if all stores would fail for the same reason.
    case undelivered(StoreJob, MigrationFailure, obstacle: String?)
    case written([LedgerLine], ShardError?)
  }

  /// Readable when there is an event.
  let descriptor: Int32
  private let bell: Int32
  private let events = Mutex<[Event]>([])

  init() throws(ShardError) {
    var ends: [Int32] = [-1, -1]
    guard decant_pipe(&ends) == 0 else { throw .file(path: "(pipe)", action: "made", code: errno) }
    (descriptor, bell) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    close(descriptor)
    close(bell)
  }

  func put(_ event: Event) {
    events.withLock { $0.append(event) }
    // If the pipe is full, the reader has been woken already.
    var byte: UInt8 = 0
    _ = write(bell, &byte, 1)
  }

  func take() -> [Event] {
    var bytes = [UInt8](repeating: 0, count: 512)
    while read(descriptor, &bytes, bytes.count) > 0 {}
    return events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
