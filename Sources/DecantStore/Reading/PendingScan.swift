internal import Dispatch
internal import Synchronization

/// A scan that runs in parallel with the work.
final class PendingScan: Sendable {
  private let group = DispatchGroup()
  private let outcome = Mutex<StoreScan?>(nil)

  init() { group.enter() }

  /// Ends the waiting; called once.
  func end(_ scan: StoreScan?) {
    outcome.withLock { $0 = scan }
    group.leave()
  }

  /// Waits for the scan.
  ///
  /// - Parameter goesOn: Asked about once a second; false ends the waiting.
  /// - Returns: `nil` if the scan has no result.
  func result(while goesOn: () -> Bool) -> StoreScan? {
    guard group.wait(while: goesOn) else { return nil }
    return outcome.withLock { $0 }
  }
}
