internal import DecantConsole

/// Follows a drop until its job is over.
protocol DropFollowing {
  /// Records again which jobs exist before the drop, because the copying may have taken long.
  mutating func lookAgain() throws(CommandFailure)

  /// Waits for the end; `nil` if a stop was requested.
  ///
  /// - Parameter show: Gets the current state in words.
  func outcome(of drop: String, show: (String) -> Void) throws(CommandFailure) -> DropOutcome?
}
