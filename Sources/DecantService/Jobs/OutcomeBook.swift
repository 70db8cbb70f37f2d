internal import DecantMigration
internal import Glibc
internal import Synchronization

/// What came of the work on the disk queues.
///
/// The loop takes it from here, and can wait for it.
final class OutcomeBook<Entry: Sendable>: Sendable {
  private let entries = Mutex<[Entry]>([])
  /// Readable while there are entries.
  let descriptor: Int32
  private let bell: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    // Without a pipe the loop's own pace has to do.
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
      // A full pipe is readable too.
      if entries.count == 1, bell >= 0 { _ = write(bell, &byte, 1) }
    }
  }

  /// What was added since the last call.
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

/// What came of a claim.
struct ClaimOutcome: Sendable {
  var drop: Drop
  var arrival: Int
  var end: Result<Claim.Outcome, FileFailure>
}

/// What came of a departure.
struct DepartureOutcome: Sendable {
  /// The record as far as it is decided.
  var record: JobRecord
  /// The folder's name in `done/` or `failed/`; `nil` where an earlier run had brought it there.
  var end: Result<String?, FileFailure>
  /// What an earlier process had decided to deliver, where it could still be read.
  var report: MigrationReport?
}
