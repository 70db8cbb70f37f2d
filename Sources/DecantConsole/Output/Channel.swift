internal import Foundation

/// An output of the command: standard output, standard error, or a test's own.
package struct Channel: Sendable {
  /// Whether the channel is a terminal.
  ///
  /// Only terminals get colour, the progress bar and wrapping.
  package let isTerminal: Bool
  /// The terminal's columns; 80 if unknown.
  package let width: Int
  /// Writes bytes and returns 0, or the errno.
  package let write: @Sendable ([UInt8]) -> Int32

  package init(isTerminal: Bool, width: Int = 80, write: @escaping @Sendable ([UInt8]) -> Int32) {
    self.isTerminal = isTerminal
    self.width = width
    self.write = write
  }

  /// A file descriptor of this process.
  ///
  /// - Parameter environment: `COLUMNS` overrides the terminal's width. `TERM=dumb` means that it isn't a terminal.
  package static func descriptor(_ descriptor: Int32, environment: [String: String]) -> Channel {
    let isTerminal = isatty(descriptor) == 1 && environment["TERM"] != "dumb"
    var size = winsize()
    var width = 80
    if let columns = environment["COLUMNS"].flatMap(Int.init), (20...1000).contains(columns) {
      width = columns
    } else if isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 {
      width = Int(size.ws_col)
    }
    return Channel(isTerminal: isTerminal, width: width) { bytes in
      var written = 0
      while written < bytes.count {
        let part = bytes.withUnsafeBytes {
          Foundation.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
        }
        if part < 0 {
          if errno == EINTR { continue }
          if errno == EAGAIN {
            var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&wait, 1, 1000)
            continue
          }
          return errno
        }
        written += part
      }
      return 0
    }
  }
}
