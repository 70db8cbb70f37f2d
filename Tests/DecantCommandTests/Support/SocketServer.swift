import Foundation
import Synchronization

/// A Unix socket that gives fixed answers: one to each client, and the last answer to all further clients.
final class SocketServer: Sendable {
  let path: String
  private let descriptor: Int32
  private let received = Mutex("")

  /// - Parameter isSilent: Whether clients get no answer and their connections stay open.
  convenience init(_ path: String, answer: String, isSilent: Bool = false) {
    self.init(path, answers: [answer], isSilent: isSilent)
  }

  private init(_ path: String, answers: [String], isSilent: Bool) {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    listen(descriptor, 8)
    let thread = Thread { [self] in serve(answers, isSilent) }
    thread.start()
  }

  /// A server whose answer has this status as its body.
  convenience init(_ path: String, status: String) { self.init(path, statuses: [status]) }

  /// A server whose answers have these statuses as their bodies.
  ///
  /// An empty status is the answer to a POST request.
  convenience init(_ path: String, statuses: [String]) {
    self.init(
      path,
      answers: statuses.map {
        ($0.isEmpty ? "HTTP/1.1 202 Accepted" : "HTTP/1.1 200 OK")
          + "\r\nContent-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n\r\n" + $0
      }, isSilent: false)
  }

  /// The last request.
  var request: String { received.withLock { $0 } }

  /// Ends the server's thread.
  ///
  /// The socket's file stays.
  func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  private func serve(_ answers: [String], _ isSilent: Bool) {
    var answers = answers[...]
    var silent: [Int32] = []
    while true {
      let client = accept(descriptor, nil, nil)
      guard client >= 0 else { break }
      if isSilent {
        silent.append(client)
        continue
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(client, &buffer, buffer.count, 0)
      received.withLock { $0 = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) }
      let bytes = Array((answers.first ?? "").utf8)
      if answers.count > 1 { answers.removeFirst() }
      _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      close(client)
    }
    for client in silent { close(client) }
    close(descriptor)
  }
}
