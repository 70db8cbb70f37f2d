/// The status that the health socket shows, and the server that shows it.
final class Health {
  /// The shortest time in seconds between two updates of the shown status.
  static let pace = 0.1

  private(set) var status = ServiceStatus()
  private let board = StatusBoard()
  private let orders = OutcomeBook<DaemonOrder>()
  private let server: HealthServer
  private let startedAt: Double
  private var shownAt: Double

  init?(socket: HealthSocket, at now: Double) {
    (startedAt, shownAt) = (now, -.infinity)
    board.write(status, at: now)
    guard let server = HealthServer(socket: socket, board: board, orders: orders) else {
      return nil
    }
    self.server = server
  }

  var descriptor: Int32 { orders.descriptor }

  func takeOrders() -> [DaemonOrder] { orders.take() }

  /// Whether something may have changed since the last update.
  var isStale = false

  /// When the next update is due without an event, in seconds of the steady clock.
  ///
  /// - Parameter pace: The seconds between two updates while nothing changes.
  func deadline(pace: Double) -> Double { shownAt + (isStale ? Self.pace : pace) }

  func isDue(at now: Double) -> Bool { now - shownAt >= Self.pace }

  func show(_ status: ServiceStatus, at now: Double) {
    shownAt = now
    isStale = false
    self.status = status
    self.status.uptimeSeconds = ((now - startedAt) * 1000).rounded() / 1000
    board.write(self.status, at: now)
  }

  func stop() { server.stop() }
}
