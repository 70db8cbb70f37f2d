/// The status that the health socket shows, and the server that shows it.
final class Health {
  /// The seconds for which a shown status stays.
  static let pace = 0.1

  /// The status that was shown last.
  private(set) var status = ServiceStatus()
  private let board = StatusBoard()
  private let server: HealthServer
  private let startedAt: Double
  private var shownAt: Double

  /// Starts the server; `nil` if it can't be started.
  init?(socket: HealthSocket, at now: Double) {
    (startedAt, shownAt) = (now, -.infinity)
    board.write(status, at: now)
    guard let server = HealthServer(socket: socket, board: board) else { return nil }
    self.server = server
  }

  /// When the status is shown next without an event, in seconds of the steady clock.
  func deadline(pace: Double) -> Double { shownAt + pace }

  func isDue(at now: Double) -> Bool { now - shownAt >= Self.pace }

  func show(_ status: ServiceStatus, at now: Double) {
    shownAt = now
    self.status = status
    self.status.uptimeSeconds = ((now - startedAt) * 1000).rounded() / 1000
    board.write(self.status, at: now)
  }

  /// Stops the server and removes the socket.
  func stop() { server.stop() }
}
