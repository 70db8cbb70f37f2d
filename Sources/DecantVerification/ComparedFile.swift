internal import DecantModel
internal import DecantStore
internal import Foundation

/// A file that is read in parts, for a comparison with another file.
final class ComparedFile {
  private static let pieceSize = 1 << 18

  private let path: String
  private let descriptor: Int32

  /// Opens a regular file.
  ///
  /// - Parameter isLinkFollowed: Whether a symbolic link is followed. If not, a link counts as no file.
  /// - Returns: `nil` if there is no such file.
  /// - Throws: `StoreError.unreadable` if a file can't be opened for another reason.
  init?(_ path: String, isLinkFollowed: Bool = false) throws(StoreError) {
    self.path = path
    descriptor = DiskRead.openFile(path, isLinkFollowed ? 0 : O_NOFOLLOW)
    guard descriptor < 0 else { return }
    guard [ENOENT, ENOTDIR, ELOOP, EISDIR, ENOTSUP].contains(errno) else { throw Self.unreadable(path) }
    return nil
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Compares the bytes of two files that haven't been read yet.
  ///
  /// - Throws: `StoreError.unreadable`.
  static func areSame(_ one: ComparedFile, _ other: ComparedFile) throws(StoreError) -> Bool {
    while true {
      let piece = try one.piece()
      guard try piece == other.piece() else { return false }
      if piece.isEmpty { return true }
    }
  }

  /// The next bytes, fewer than a whole piece only at the end.
  private func piece() throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.pieceSize)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { memory in
        let rest = UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
        return DiskRead.read(descriptor, into: rest.baseAddress, count: rest.count, of: path)
      }
      guard count >= 0 else { throw Self.unreadable(path) }
      if count == 0 { break }
      filled += count
    }
    return Array(bytes.prefix(filled))
  }

  private static func unreadable(_ path: String) -> StoreError {
    .unreadable(path: path, reason: String(cString: strerror(errno)))
  }
}
