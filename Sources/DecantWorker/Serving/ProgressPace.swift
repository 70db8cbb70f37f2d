internal import Synchronization

/// Limits how often a worker reports progress.
///
/// The engine gives hundreds of progress values for a small store in a few milliseconds. To send all of them would cost
/// more than the work.
final class ProgressPace: Sendable {
  private static let interval = Duration.milliseconds(50)
  private let last = Mutex<(next: ContinuousClock.Instant, family: String?)?>(nil)

  /// Whether a report is due; if so, it counts as sent.
  ///
  /// - Parameter family: The store's family. When the family becomes known, a report is due at once, because a message
  ///   about a worker's death names the family.
  func isDue(of family: String?, at now: ContinuousClock.Instant = .now) -> Bool {
    last.withLock { last in
      if let last, now < last.next, last.family == family { return false }
      last = (now + Self.interval, family)
      return true
    }
  }
}
