import Foundation
import Testing

/// A pseudo-terminal: tests read a program's output, and send keys.
final class Terminal {
  let master: Int32
  let slave: Int32

  init(width: UInt16, height: UInt16) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number) = (Int32(0), Int32(-1))
    // TIOCSPTLCK and TIOCGPTN of Linux: the first unlocks the other end, the second gives its number.
    try #require(ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
    slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(slave >= 0)
    resize(width, height)
  }

  deinit {
    close(master)
    close(slave)
  }

  func resize(_ width: UInt16, _ height: UInt16) {
    var size = winsize(ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  func press(_ key: String) { _ = write(master, Array(key.utf8), key.utf8.count) }

  var settings: termios {
    var settings = termios()
    tcgetattr(slave, &settings)
    return settings
  }

  /// Reads until the program has written a text, at most for half a minute.
  ///
  /// Returns all text read.
  func read(until text: String) -> String {
    var found: [UInt8] = []
    let end = Date().addingTimeInterval(30)
    while Date() < end, !String(decoding: found, as: UTF8.self).contains(text) {
      var slot = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&slot, 1, 100) > 0 else { continue }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = Foundation.read(master, &buffer, buffer.count)
      if count > 0 { found += buffer.prefix(count) }
    }
    return String(decoding: found, as: UTF8.self)
  }
}
