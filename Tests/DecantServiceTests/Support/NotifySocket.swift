import Foundation
import Glibc

/// The socket of a service manager, which gets the daemon's notifications.
final class NotifySocket {
  let path: String
  private let descriptor: Int32
  /// The messages so far, in order.
  private(set) var messages: [String] = []

  init(_ path: String) {
    self.path = path
    descriptor = UnixAddress.bound(path, SOCK_DGRAM)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Reads the messages that have come.
  func take() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count >= 0 else { return }
      messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
    }
  }

  /// Waits for a message, at most a minute.
  ///
  /// - Parameter start: The index of the first message to check.
  /// - Returns: The index of the first message that fits; `nil` if no such message came.
  func wait(from start: Int = 0, for fits: (String) -> Bool) -> Int? {
    let end = Date().addingTimeInterval(60)
    while Date() < end {
      take()
      if let index = messages.indices.first(where: { $0 >= start && fits(messages[$0]) }) { return index }
      usleep(10_000)
    }
    return nil
  }
}

/// Unix sockets of tests.
enum UnixAddress {
  /// A socket that is bound to a path, and that child processes don't inherit; -1 if it can't be made.
  static func bound(_ path: String, _ type: __socket_type) -> Int32 {
    let new = socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let done = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(new, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return done == 0 ? new : -1
  }
}
