/// When `incoming/` is scanned, in seconds of the steady clock.
struct ScanSchedule {
  private var next = -Double.infinity
  private var nextPeriodic = -Double.infinity
  private var notBefore = -Double.infinity

  var deadline: Double { min(next, nextPeriodic) }

  var periodicDeadline: Double { nextPeriodic }

  func isPeriodicDue(at now: Double) -> Bool { now >= nextPeriodic }

  mutating func ask(at moment: Double) { next = min(next, moment) }

  /// Asks for a scan after a hint; if very many names arrive, one scan serves many hints.
  mutating func hint(at now: Double) { ask(at: max(now, notBefore)) }

  mutating func beginPeriodic(at now: Double, pace: Double) { nextPeriodic = now + pace }

  mutating func forcePeriodic() { nextPeriodic = -.infinity }

  /// Records a scan.
  ///
  /// Scans of very many names must not use all the time of the loop, so a pause follows. If `isIdle`, the pause is
  /// shorter, because the loop has time and the next scan may find a settled drop.
  ///
  /// - Parameters:
  ///   - wanted: When the next name will have settled; `nil` if there is none.
  ///   - isIdle: Whether there are no jobs and no settled drops.
  mutating func noteScan(from start: Double, to end: Double, wanted: Double?, isIdle: Bool) {
    notBefore = end + (isIdle ? 1 : 4) * (end - start)
    next = max(wanted ?? .infinity, notBefore)
    nextPeriodic = max(nextPeriodic, notBefore)
  }

  /// Records that `incoming/` can't be scanned; the periodic scan tries again.
  mutating func noteFailure() { next = .infinity }

  /// Lets no scan begin before a moment, and makes the next scan a periodic one.
  mutating func postpone(to moment: Double) {
    notBefore = max(notBefore, moment)
    next = max(next, notBefore)
    nextPeriodic = notBefore
  }
}
