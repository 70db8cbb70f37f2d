internal import Dispatch
internal import Synchronization

/// Says when the next beat is due: a report of progress, or a question whether to stop.
///
/// A beat is due when a given time has passed since the last beat, or since the first call of `isDue()`.
package final class Beat: Sendable {
  private let nanoseconds: UInt64
  private let last = Mutex<UInt64?>(nil)

  /// - Parameter seconds: The time between two beats; with 0, a beat is due at each call.
  package init(seconds: Double) { nanoseconds = UInt64(max(0, min(seconds, 1e6)) * 1e9) }

  package func isDue() -> Bool {
    guard nanoseconds > 0 else { return true }
    let now = DispatchTime.now().uptimeNanoseconds
    return last.withLock { last in
      guard let before = last else {
        last = now
        return false
      }
      guard now >= before &+ nanoseconds else { return false }
      last = now
      return true
    }
  }
}
