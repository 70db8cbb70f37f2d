internal import CMicroHTTPD
internal import Glibc

/// Answers on the health socket from the status board, in a separate thread.
///
/// An answer takes only a moment. So when many clients are connected, the client of the oldest connection is probably
/// slow or silent, and this connection is closed.
package final class HealthServer {
  /// The largest number of clients at a time, and the number above which the oldest connection is closed.
  static let connections: UInt32 = 64
  static let crowd = 48
  /// The seconds of silence after which a connection is closed.
  static let silenceSeconds: UInt32 = 5

  private let socket: HealthSocket
  private let context: Context
  private var daemon: OpaquePointer?

  /// The data of the answering thread.
  ///
  /// `@unchecked Sendable`: only that thread touches the list of clients.
  final class Context: @unchecked Sendable {
    let board: StatusBoard
    let orders: OutcomeBook<DaemonOrder>
    /// The sockets of the clients, the oldest first.
    private var clients: [Int32] = []

    init(board: StatusBoard, orders: OutcomeBook<DaemonOrder>) {
      self.board = board
      self.orders = orders
    }

    func begin(_ client: Int32) {
      clients.append(client)
      // Only shut the socket down: the library closes it.
      if clients.count > HealthServer.crowd { shutdown(clients.removeFirst(), Int32(SHUT_RDWR)) }
    }

    func end(_ client: Int32) { clients.removeAll { $0 == client } }
  }

  init?(
    socket: HealthSocket, board: StatusBoard, orders: OutcomeBook<DaemonOrder> = OutcomeBook(),
    silenceSeconds: UInt32 = silenceSeconds
  ) {
    self.socket = socket
    context = Context(board: board, orders: orders)
    daemon = decant_mhd_start_on_descriptor(
      socket.descriptor, Self.connections, silenceSeconds,
      { context, connection, url, method, _, _, uploadSize, state in
        HealthServer.answer(context, connection, url, method, uploadSize, state)
      },
      { context, connection, _, event in HealthServer.note(event, of: connection, context) },
      Unmanaged.passUnretained(context).toOpaque())
    if daemon == nil { return nil }
  }

  /// Stops the server and removes the socket.
  package func stop() {
    guard let daemon else { return }
    socket.remove()
    MHD_stop_daemon(daemon)
    self.daemon = nil
  }

  deinit { stop() }

  private static func note(
    _ event: MHD_ConnectionNotificationCode, of connection: OpaquePointer?,
    _ context: UnsafeMutableRawPointer?
  ) {
    guard let context, let connection else { return }
    let clients = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
    let client = decant_mhd_socket(connection)
    // 0 is MHD_CONNECTION_NOTIFY_STARTED.
    if event.rawValue == 0 { clients.begin(client) } else { clients.end(client) }
  }

  private static func answer(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ uploadSize: UnsafeMutablePointer<Int>?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> MHD_Result {
    guard let context, let connection, let url, let method else { return .NO }
    // The first call for a request has only its headers. The parts of a body are discarded.
    if let state, state.pointee == nil {
      state.pointee = context
      return .YES
    }
    if let uploadSize, uploadSize.pointee > 0 {
      uploadSize.pointee = 0
      return .YES
    }
    let own = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
    var (status, writtenAt) = own.board.read()
    let age = ServiceClock.machine.steady() - writtenAt
    status.uptimeSeconds = ((status.uptimeSeconds + max(0, age)) * 1000).rounded() / 1000
    let answer = HealthAnswer.answer(
      HealthRequest(
        method: String(cString: method), path: String(cString: url),
        isVerbose: hasArgument(connection, "verbose"), stopsJobs: hasArgument(connection, "stop-jobs"),
        mayChange: isOwner(connection)), status: status, age: age)
    if let order = answer.order { own.orders.add(order) }
    return send(answer, to: connection)
  }

  /// Whether the client runs as root or as this process's user, as the kernel says.
  private static func isOwner(_ connection: OpaquePointer) -> Bool {
    // The process, user and group of `struct ucred`, which needs GNU's extensions.
    var peer: [UInt32] = [0, .max, .max]
    var length = socklen_t(peer.count * MemoryLayout<UInt32>.stride)
    guard getsockopt(decant_mhd_socket(connection), SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 else {
      return false
    }
    return peer[1] == 0 || peer[1] == geteuid()
  }

  /// Whether the request has an argument, with or without a value.
  private static func hasArgument(_ connection: OpaquePointer, _ name: String) -> Bool {
    var length = 0
    return MHD_lookup_connection_value_n(
      connection, .GET_ARGUMENT_KIND, name, name.utf8.count, nil, &length) == .YES
  }

  private static func send(_ answer: HealthAnswer, to connection: OpaquePointer) -> MHD_Result {
    var bytes = Array(answer.body.utf8)
    let response = bytes.withUnsafeMutableBytes {
      MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
    }
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    MHD_add_response_header(response, "Content-Type", answer.type)
    MHD_add_response_header(response, "Cache-Control", "no-store")
    if let allow = answer.allow { MHD_add_response_header(response, "Allow", allow) }
    return MHD_queue_response(connection, UInt32(answer.code), response)
  }
}
