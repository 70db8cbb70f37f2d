internal import Foundation
internal import Synchronization

/// What has failed on disks since the process began.
///
/// Much of what is read is optional, and code that finds nothing goes on without it. Whoever gives an answer asks here
/// first whether a disk has kept something back.
package enum DiskFailures {
  private struct Log {
    var count = 0
    var recent: [(number: Int, failure: DiskFailure)] = []
  }

  /// A disk that fails does so often; the first failure says enough.
  private static let most = 256
  private static let log = Mutex(Log())

  /// Notes the failure of a call, where it is one of the disk.
  package static func note(_ path: String, _ action: String, _ code: Int32) {
    guard DiskFailure.isOne(code) else { return }
    log.withLock { log in
      log.count += 1
      log.recent.append((log.count, DiskFailure(path: path, action: action, code: code)))
      if log.recent.count > most { log.recent.removeFirst() }
    }
  }

  /// A moment, for `first(since:under:)`.
  package static var mark: Int { log.withLock { $0.count } }

  /// The first failure after a moment at one of these places, or below one, or beside one under a name that begins as
  /// its own.
  package static func first(since mark: Int, at places: [String]) -> DiskFailure? {
    log.withLock { log in
      log.recent.first { entry in
        entry.number > mark && places.contains { entry.failure.path.utf8.starts(with: $0.utf8) }
      }?.failure
    }
  }
}
