internal import Synchronization

/// How often a worker says how far its job is: at once, and then so often that a person sees it move.
///
/// A small store passes through hundreds of stages in a few milliseconds; telling each would cost more than the work.
final class ProgressPace: Sendable {
  private static let interval = Duration.milliseconds(50)
  private let last = Mutex<(next: ContinuousClock.Instant, family: String?)?>(nil)

  /// Whether something may be said now; if so, it counts as said.
  ///
  /// - Parameter family: The store's; that it is known is said at once, for whoever tells of a worker that died.
  func isDue(of family: String?, at now: ContinuousClock.Instant = .now) -> Bool {
    last.withLock { last in
      if let last, now < last.next, last.family == family { return false }
      last = (now + Self.interval, family)
      return true
    }
  }
}
