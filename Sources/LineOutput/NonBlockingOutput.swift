internal import Glibc

/// Writes lines to a descriptor and never waits for its reader.
///
/// A pipe or terminal that is full must not stop the program. The lines that don't fit are dropped and counted. A pipe
/// without a reader raises no signal.
package final class NonBlockingOutput {
  private let descriptor: Int32
  private let isSocket: Bool
  /// Whether the descriptor is closed at the end.
  private let isOwn: Bool
  /// Whether only a part of the last line was written, so that the next line begins with the missing newline.
  private var isCut = false
  /// The number of lines that were dropped since a line or notice was last written.
  package private(set) var dropped = 0

  package init(_ original: Int32) {
    var status = stat()
    let kind = fstat(original, &status) == 0 ? status.st_mode & S_IFMT : 0
    isSocket = kind == S_IFSOCK
    // Other processes may share the original and its flags, so a pipe or a terminal is opened again. A file isn't
    // opened again: it never blocks, and a new descriptor would write from the file's first byte.
    let own =
      kind == S_IFIFO || kind == S_IFCHR
      ? open("/proc/self/fd/\(original)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) : -1
    isOwn = own >= 0
    descriptor = isOwn ? own : original
  }

  deinit { if isOwn { close(descriptor) } }

  /// Writes a line, which ends with a newline.
  ///
  /// - Parameter notice: A line about the dropped lines, written before `line`; empty for none.
  package func write(_ line: String, after notice: String = "") {
    let start = (isCut ? "\n" : "") + notice
    let bytes = Array((start + line).utf8)
    var done = 0
    while done < bytes.count {
      let count = BrokenPipe.quietly { put(bytes[done...]) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      done += count
    }
    if done > 0 { isCut = done < bytes.count }
    let isNoticed = !notice.isEmpty && done >= start.utf8.count
    dropped = done == bytes.count ? 0 : isNoticed ? 1 : dropped + 1
  }

  private func put(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { buffer in
      if isSocket {
        return send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      }
      if isOwn { return Glibc.write(descriptor, buffer.baseAddress, buffer.count) }
      // A pipe that is ready takes `PIPE_BUF` bytes without waiting.
      var slot = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&slot, 1, 0) == 1 else { return 0 }
      return Glibc.write(descriptor, buffer.baseAddress, min(buffer.count, Int(PIPE_BUF)))
    }
  }
}
