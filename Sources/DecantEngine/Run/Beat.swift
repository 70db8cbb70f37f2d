internal import Dispatch
internal import Synchronization

/// Tells when a beat is due: when some time has passed since the last beat, or since the first question.
package final class Beat: Sendable {
  private let nanoseconds: UInt64
  private let last = Mutex<UInt64?>(nil)

  /// - Parameter seconds: The time between two beats; 0 for a beat at each question.
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
