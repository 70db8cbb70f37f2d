internal import CSQLite
internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import Foundation

final class XMLByteSource {
  private let path: String
  private let descriptor: Int32
  private let pulse: () -> Bool

  /// - Parameter pulse: Called before each read of the file; false cancels the reading.
  init(_ path: String, pulse: @escaping () -> Bool) throws(StoreError) {
    self.path = path
    self.pulse = pulse
    descriptor = DiskRead.open(path, O_NOFOLLOW)
    guard descriptor >= 0 else {
      throw errno == ENOTSUP ? .notARegularFile(path: path) : .unreadable(path, errno)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notARegularFile(path: path)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Puts the next bytes into a buffer.
  ///
  /// - Returns: The number of bytes; 0 at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(StoreError) -> Int {
    guard pulse() else {
      var error = SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted", statement: nil, path: path)
      error.interruption = .request
      throw .sqlite(error)
    }
    let count = DiskRead.read(descriptor, into: buffer.baseAddress, count: buffer.count, of: path)
    guard count >= 0 else { throw .unreadable(path, errno) }
    return count
  }
}
