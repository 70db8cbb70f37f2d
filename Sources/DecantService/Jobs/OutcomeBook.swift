internal import DecantMigration
internal import DecantReport
internal import DecantSpool
internal import Glibc
internal import Synchronization

/// The outcomes of tasks on the disk queues, or the orders of clients.
///
/// Other threads add these entries. The loop takes them from here, and can wait for them.
final class OutcomeBook<Entry: Sendable>: Sendable {
  private let entries = Mutex<[Entry]>([])
  /// Readable while there are entries.
  let descriptor: Int32
  private let bell: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    // Without a pipe, the loop finds outcomes at its next turn.
    if pipe(&ends) != 0 { ends = [-1, -1] }
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, bell) = (ends[0], ends[1])
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if bell >= 0 { close(bell) }
  }

  func add(_ entry: Entry) {
    entries.withLock { entries in
      entries.append(entry)
      var byte: UInt8 = 1
      // A failed write does no harm, because a full pipe is readable, too.
      if entries.count == 1, bell >= 0 { _ = write(bell, &byte, 1) }
    }
  }

  func take() -> [Entry] {
    entries.withLock { entries in
      guard !entries.isEmpty else { return [] }
      var bytes: [UInt8] = Array(repeating: 0, count: 64)
      if descriptor >= 0 { _ = read(descriptor, &bytes, bytes.count) }
      defer { entries = [] }
      return entries
    }
  }
}

struct ClaimOutcome: Sendable {
  var drop: Drop
  var arrival: Int
  var end: Result<Claim.Outcome, FileFailure>
}

struct DepartureOutcome: Sendable {
  /// The record, with the decision if there is one.
  var record: JobRecord
  /// The folder's name in `done/` or `failed/`; `nil` if an earlier run had moved it there.
  var end: Result<String?, FileFailure>
  /// The report of a delivery that an earlier process decided; `nil` if there is none, or if it can't be read.
  var report: MigrationReport?
}
