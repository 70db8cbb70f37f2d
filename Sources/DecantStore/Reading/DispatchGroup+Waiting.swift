package import Dispatch

extension DispatchGroup {
  /// Waits for the group's work.
  ///
  /// - Parameter goesOn: Asked at once, and then about once a second; false ends the waiting.
  /// - Returns: Whether the work has ended.
  package func wait(while goesOn: () -> Bool) -> Bool {
    while wait(timeout: .now()) == .timedOut {
      guard goesOn() else { return false }
      _ = wait(timeout: .now() + 1)
    }
    return true
  }
}
