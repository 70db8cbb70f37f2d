import Foundation

/// Says “stop” after a number of calls, and counts all calls.
final class Stopper: @unchecked Sendable {
  private let lock = NSLock()
  private let limit: Int
  private var count = 0

  init(after limit: Int) { self.limit = limit }

  var calls: Int { lock.withLock { count } }

  func shouldStop() -> Bool {
    lock.withLock {
      count += 1
      return count > limit
    }
  }
}
