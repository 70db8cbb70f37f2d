package import DecantStore
internal import Foundation

/// A text file that is written in pieces, with a buffer of bounded size.
package final class LineFile {
  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private static let bufferSize = 1 << 16

  /// Makes the file, or empties an existing one.
  package init(_ path: String) throws(StoreError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw FileCopy.failure(path, "written") }
  }

  deinit { Foundation.close(descriptor) }

  package func write(_ text: String) throws(StoreError) {
    buffer += Array(text.utf8)
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes the rest of the buffer.
  package func close() throws(StoreError) { try flush() }

  private func flush() throws(StoreError) {
    var done = 0
    while done < buffer.count {
      let count = buffer[done...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileCopy.failure(path, "written") }
      done += count
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
