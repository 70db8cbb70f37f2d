internal import DecantConsole
internal import DecantReport

/// Waits until a daemon's status shows that an order is carried out.
struct StatusWait {
  /// The seconds between two requests for the status.
  private static let pace = 0.25
  /// The seconds within which the daemon has to begin.
  private static let patience = 30.0

  private let client: HealthClient

  init(_ client: HealthClient) { self.client = client }

  /// - Parameters:
  ///   - holds: Whether a status shows that the order is carried out.
  ///   - whenPatienceEnds: Asked after half a minute: whether a status shows that the daemon hasn't even begun.
  func wait(
    until holds: (DaemonStatus) -> Bool, whenPatienceEnds: (DaemonStatus) -> Bool
  ) throws(CommandFailure) -> DaemonStatus {
    let start = ContinuousClock.now
    while !StopSignals.isAsked {
      let status = try client.status().values
      if holds(status) { return status }
      if start.duration(to: .now) > .seconds(Self.patience), whenPatienceEnds(status) {
        throw CommandFailure(
          .stopped, "The daemon has not begun within \(Int(Self.patience)) s to do what was asked.",
          advice: "“decant status” and the daemon's log show why.")
      }
      StopSignals.wait(seconds: Self.pace)
    }
    throw CommandFailure(
      .stopped, "Stopped waiting. The daemon goes on with what was asked.",
      advice: "“decant status” shows its state.")
  }
}
