internal import Dispatch
internal import Synchronization

/// The result of a scan that runs in parallel with the migration.
final class PendingScan: Sendable {
  private let group = DispatchGroup()
  private let outcome = Mutex<StoreScan?>(nil)

  init() { group.enter() }

  /// Sets the result, and ends the waiting.
  ///
  /// It must be called exactly once.
  func end(_ scan: StoreScan?) {
    outcome.withLock { $0 = scan }
    group.leave()
  }

  func result(while goesOn: () -> Bool) -> StoreScan? {
    guard group.wait(while: goesOn) else { return nil }
    return outcome.withLock { $0 }
  }
}
