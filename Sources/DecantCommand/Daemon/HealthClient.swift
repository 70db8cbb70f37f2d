internal import DecantConsole
internal import DecantReport
internal import Foundation

/// Asks a daemon over its Unix socket, with one connection for each request.
struct HealthClient: Sendable {
  /// The largest answer in bytes.
  static let largestAnswer = 16 << 20
  /// The longest path of a socket in bytes: `sun_path` without the zero byte at its end.
  static let longestPath = 107

  let path: String
  /// The seconds that an answer may take.
  var patience = 10.0

  init(path: String) { self.path = path }

  /// Sends a request without a body.
  ///
  /// - Parameter target: The path of the request, such as `/status`.
  func ask(_ target: String, method: String = "GET") throws(CommandFailure) -> HTTPAnswer {
    let end = ContinuousClock.now + .seconds(patience)
    let connection = try connected(until: end)
    defer { close(connection) }
    try send(
      "\(method) \(target) HTTP/1.1\r\nHost: decant\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
      on: connection)
    let bytes = try read(connection, until: end)
    do throws(HTTPAnswer.Fault) {
      return try HTTPAnswer(bytes)
    } catch {
      switch error {
      case .nonsense: throw Self.nonsense(path)
      case .cut:
        throw CommandFailure(
          .badAnswer, "The answer on “\(path)” ended too early.", exitCode: ExitCode.inputOutput,
          advice: "Try again.")
      }
    }
  }

  static func nonsense(_ path: String) -> CommandFailure {
    CommandFailure(
      .badAnswer, "“\(path)” answers, but not as decantd does.",
      advice: "Name the daemon's socket with --socket, or its configuration with --config.")
  }

  private func connected(until end: ContinuousClock.Instant) throws(CommandFailure) -> Int32 {
    guard path.utf8.count <= Self.longestPath else {
      throw CommandFailure(
        .usage, "The socket's path “\(path)” is longer than the \(Self.longestPath) bytes that Linux allows.")
    }
    while true {
      let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
      guard connection >= 0 else { throw CommandFailure(errno: errno, path, "connected to") }
      if withAddress({ connect(connection, $0, $1) }) == 0 { return connection }
      let code = errno
      close(connection)
      // EAGAIN means that too many other clients wait for the daemon, so try again.
      guard code == EAGAIN || code == EINTR else { throw refusal(code) }
      guard ContinuousClock.now < end else { throw silence }
      usleep(20_000)
    }
  }

  private func refusal(_ code: Int32) -> CommandFailure {
    let start = "decantd doesn't run, or uses another socket: "
    let advice = "Start decantd, or name its socket with --socket or its configuration with --config."
    switch code {
    case ENOENT, ENOTDIR:
      return CommandFailure(.noDaemon, start + "there is no “\(path)”.", advice: advice)
    case EACCES, EPERM:
      return CommandFailure(
        .permission, "You may not use the socket “\(path)”.",
        advice: "Become a member of its group, or ask an administrator.")
    default:
      var status = stat()
      let isSocket = lstat(path, &status) != 0 || [S_IFSOCK, S_IFLNK].contains(status.st_mode & S_IFMT)
      return CommandFailure(
        .noDaemon, start + (isSocket ? "no process answers on “\(path)”." : "“\(path)” isn't a socket."),
        advice: advice)
    }
  }

  private var silence: CommandFailure {
    CommandFailure(
      .badAnswer, "decantd has not answered on “\(path)” within \(Int(patience)) s.",
      exitCode: ExitCode.inputOutput, advice: "Look at its log, or restart it.")
  }

  private func send(_ text: String, on connection: Int32) throws(CommandFailure) {
    let bytes = Array(text.utf8)
    // A request is short, so the socket's buffer takes all its bytes in one call.
    guard Foundation.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw CommandFailure(
        .badAnswer, "The request can't be sent on “\(path)”: \(String(cString: strerror(errno))).",
        exitCode: ExitCode.inputOutput, advice: "Try again.")
    }
  }

  private func read(_ connection: Int32, until end: ContinuousClock.Instant) throws(CommandFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let left = ContinuousClock.now.duration(to: end) / .seconds(1)
      guard left > 0 else { throw silence }
      var slot = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      guard poll(&slot, 1, Int32(min(left * 1000 + 1, 60_000))) > 0 else { continue }
      let count = recv(connection, &buffer, buffer.count, 0)
      if count > 0 {
        bytes += buffer.prefix(count)
        guard bytes.count <= Self.largestAnswer else { throw Self.nonsense(path) }
      } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
        // If the connection broke, the answer is incomplete, and the caller reports this.
        return bytes
      }
    }
  }

  private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(Self.longestPath)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
