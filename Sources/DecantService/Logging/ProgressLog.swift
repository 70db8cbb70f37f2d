internal import DecantSpool
internal import DecantWorker
internal import Foundation
internal import Glibc

/// The progress log, one line per event.
///
/// A failure to write the log never stops a job.
package final class ProgressLog {
  package private(set) var path: String
  private var descriptor: Int32 = -1
  /// Whether only a part of the last line was written.
  ///
  /// If so, the next line begins with the missing newline.
  private var isCut = false
  /// The problem with the last line; `nil` if there was none.
  package private(set) var trouble: String?

  package init(path: String) {
    self.path = path
    reopen(path: path)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Opens the file again, for example after its rotation.
  package func reopen(path: String) {
    self.path = path
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    open()
  }

  private func open() {
    // Non-blocking: a FIFO in the log's place must not block the daemon.
    descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0o640)
    trouble = descriptor < 0 ? FileFailure("open", path).description : nil
  }

  /// Writes one line, with a single call if possible; a line that can't be written is dropped.
  package func write(_ fields: [(String, String)]) {
    if descriptor < 0 { open() }
    guard descriptor >= 0 else { return }
    let line = Array(((isCut ? "\n" : "") + LogLine.format(fields) + "\n").utf8)
    var written = 0
    // If a call writes only a part, only a second call gives the reason.
    while written < line.count {
      let count = line.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, line.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        isCut = isCut || written > 0
        trouble = FileFailure("write", path, count < 0 ? errno : EIO).description
        return
      }
      written += count
    }
    trouble = nil
    isCut = false
  }
}
