internal import CSystemd
package import DecantSpool
internal import Glibc

package enum HealthSocketError: Error, Sendable, Hashable, CustomStringConvertible {
  case tooLong(path: String)
  case notASocket(path: String)
  case inUse(path: String)
  case unsuitable(descriptors: Int)
  case files(FileFailure)

  package var description: String {
    switch self {
    case .tooLong(let path):
      "The socket's path “\(path)” has \(path.utf8.count) bytes; Linux allows \(HealthSocket.longestPath). "
        + "Choose a shorter path."
    case .notASocket(let path):
      "“\(path)” exists and is not a socket. Move it away or choose another “socket”."
    case .inUse(let path): "Another process answers on the socket “\(path)”."
    case .unsuitable(1):
      "The service manager has passed something that is not a listening Unix stream socket. "
        + "Give the socket unit one “ListenStream=” with a path."
    case .unsuitable(let count):
      "The service manager has passed \(count) sockets. Give the socket unit one “ListenStream=” with a path."
    case .files(let failure): "The socket can't be made. \(failure)"
    }
  }

  /// The exit code from sysexits.h.
  package var exitCode: Int32 {
    switch self {
    case .tooLong: 78
    case .notASocket: 73
    case .inUse: 75
    case .unsuitable: 78
    case .files(let failure): failure.exitCodeOfMaking
    }
  }
}

/// The listening Unix socket, from the service manager or made by the daemon.
package final class HealthSocket: Sendable {
  /// The longest path in bytes: `sun_path` without its zero.
  package static let longestPath = 107

  package let descriptor: Int32
  /// `nil` if the service manager owns the socket.
  package let path: String?
  private let inode: UInt64

  /// Takes the socket of a socket unit, or binds a new socket at the path.
  package convenience init(path: String) throws(HealthSocketError) {
    let passed = sd_listen_fds(1)
    guard passed <= 0 else {
      guard passed == 1 else { throw .unsuitable(descriptors: Int(passed)) }
      // SD_LISTEN_FDS_START, which is a macro.
      try self.init(passed: 3)
      return
    }
    try self.init(bindingAt: path)
  }

  /// Takes the socket that the service manager has made and keeps.
  package init(passed descriptor: Int32) throws(HealthSocketError) {
    guard sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else {
      throw .unsuitable(descriptors: 1)
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    self.descriptor = descriptor
    path = nil
    inode = 0
  }

  /// Whether the service manager has passed sockets, so that the path isn't used.
  static var isPassed: Bool { sd_listen_fds(0) > 0 }

  /// Why no socket can be made at a path, judged by the path's length and the file there; `nil` if these allow it.
  static func obstacle(at path: String) -> HealthSocketError? {
    guard path.utf8.count <= longestPath else { return .tooLong(path: path) }
    var status = stat()
    guard lstat(path, &status) == 0 else {
      return errno == ENOENT ? nil : .files(FileFailure("examine", path))
    }
    return status.st_mode & S_IFMT == S_IFSOCK ? nil : .notASocket(path: path)
  }

  private init(bindingAt path: String) throws(HealthSocketError) {
    if let obstacle = Self.obstacle(at: path) { throw obstacle }
    try Self.clear(path)
    let new = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
    guard new >= 0 else { throw .files(FileFailure("make the socket", path)) }
    // The socket's mode is never wider than 0660. The name gets this mode without the umask's bits. The umask stays
    // unchanged, because all threads share it. The missing bits are added afterwards.
    _ = fchmod(new, 0o660)
    let bound = Self.withAddress(path) { bind(new, $0, $1) }
    let code = errno
    if bound == 0 { _ = chmod(path, 0o660) }
    guard bound == 0, listen(new, 64) == 0 else {
      let failure = FileFailure("make the socket", path, bound == 0 ? errno : code)
      close(new)
      throw .files(failure)
    }
    var status = stat()
    lstat(path, &status)
    inode = UInt64(status.st_ino)
    descriptor = new
    self.path = path
  }

  /// Removes the name, if it still leads to this socket.
  package func remove() {
    guard let path else { return }
    var status = stat()
    if lstat(path, &status) == 0, UInt64(status.st_ino) == inode { unlink(path) }
  }

  /// Removes a dead daemon's socket, but no other file.
  private static func clear(_ path: String) throws(HealthSocketError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw .files(FileFailure("examine", path))
    }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
    defer { if probe >= 0 { close(probe) } }
    let connected = withAddress(path) { connect(probe, $0, $1) }
    if connected == 0 || errno == EAGAIN { throw .inUse(path: path) }
    guard unlink(path) == 0 || errno == ENOENT else { throw .files(FileFailure("remove", path)) }
  }

  private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32)
    -> Int32
  {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(longestPath)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
