import Foundation
import Glibc

/// A plain client of a Unix socket.
final class UnixClient {
  private let descriptor: Int32

  init?(path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result != 0 {
      close(descriptor)
      return nil
    }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Reads until the server closes the connection.
  func readToEnd() -> String {
    var data: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return String(decoding: data, as: UTF8.self) }
      data += buffer.prefix(count)
    }
  }

  /// Sends one request and returns the answer.
  static func get(_ target: String, method: String = "GET", on path: String) -> (
    code: Int, head: String, body: String
  )? {
    guard let client = UnixClient(path: path) else { return nil }
    client.send("\(method) \(target) HTTP/1.1\r\nHost: decant\r\nConnection: close\r\n\r\n")
    let answer = client.readToEnd()
    guard let split = answer.range(of: "\r\n\r\n") else { return nil }
    let head = String(answer[..<split.lowerBound])
    let words = head.split(separator: " ")
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0, head, String(answer[split.upperBound...]))
  }
}
