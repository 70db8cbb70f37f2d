internal import CLinux
internal import DecantReport
internal import Glibc
internal import Synchronization

/// What the threads beside the shard's own one have finished.
final class ShardInbox: Sendable {
  enum Event: Sendable {
    case intake(StoreIntake.End, StoreJob)
    case delivery(StoreJob, LedgerLine)
    /// A delivery that came to nothing; the second value is the obstacle if all stores have the same one.
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
    // A full pipe has woken the reader already.
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
