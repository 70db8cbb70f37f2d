internal import DecantConsole

/// A way to learn what comes of a drop.
protocol DropFollowing {
  /// Looks at what is there before the drop, once more: the copying took its time.
  mutating func lookAgain() throws(CommandFailure)

  /// Waits for the end; `nil` if a stop was requested.
  ///
  /// - Parameter show: Takes what happens in words.
  func outcome(of drop: String, show: (String) -> Void) throws(CommandFailure) -> DropOutcome?
}
