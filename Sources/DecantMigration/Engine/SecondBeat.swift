internal import Dispatch
internal import Synchronization

/// Says when a second has passed since the last time, or since the first question.
final class SecondBeat: Sendable {
  private let last = Mutex<UInt64?>(nil)

  func isDue() -> Bool {
    let now = DispatchTime.now().uptimeNanoseconds
    return last.withLock { last in
      guard let before = last else {
        last = now
        return false
      }
      guard now >= before &+ 1_000_000_000 else { return false }
      last = now
      return true
    }
  }
}
