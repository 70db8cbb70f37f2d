internal import Synchronization

/// How often a worker says how far its job is: at once, and then so often that a person sees it move.
///
/// A small store passes through hundreds of stages in a few milliseconds; telling each would cost more than the work.
final class ProgressPace: Sendable {
  private static let interval = Duration.milliseconds(50)
  private let next = Mutex<ContinuousClock.Instant?>(nil)

  /// Whether something may be said now; if so, it counts as said.
  func isDue(at now: ContinuousClock.Instant = .now) -> Bool {
    next.withLock { next in
      if let due = next, now < due { return false }
      next = now + Self.interval
      return true
    }
  }
}
