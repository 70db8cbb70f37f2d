internal import DecantModel
internal import Foundation

/// Reads parts of a file without SQLite.
///
/// It is a class because it holds the file open as long as it lives.
package final class FileParts {
  private let path: String
  private let descriptor: Int32
  /// The size of the file in bytes.
  let size: Int

  /// - Throws: `StoreError.unreadable` or `disk` with the errno.
  package init(_ path: String) throws(StoreError) {
    self.path = path
    descriptor = DiskRead.open(path, O_NOFOLLOW)
    guard descriptor >= 0 else { throw .unreadable(path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw .unreadable(path, code)
    }
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// Goes to a place, in bytes from the start of the file.
  func seek(to place: Int) throws(StoreError) {
    guard lseek(descriptor, off_t(place), SEEK_SET) >= 0 else { throw .unreadable(path, errno) }
  }

  /// The next bytes; there are fewer than requested only at the end of the file.
  ///
  /// - Throws: `StoreError.unreadable` or `disk` with the errno.
  package func read(_ count: Int) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let part = bytes.withUnsafeMutableBytes {
        DiskRead.read(descriptor, into: $0.baseAddress?.advanced(by: done), count: count - done, of: path)
      }
      guard part >= 0 else { throw .unreadable(path, errno) }
      if part == 0 { break }
      done += part
    }
    return done == count ? bytes : Array(bytes.prefix(done))
  }
}
