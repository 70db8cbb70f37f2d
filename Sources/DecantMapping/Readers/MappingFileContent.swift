internal import DecantModel
internal import Foundation

/// The bytes of a mapping model's file.
enum MappingFileContent {
  /// More than any mapping model needs: the largest genuine one has 700 kB.
  static let maximumBytes = 64 << 20

  static func read(_ file: URL) throws(MappingModelError) -> Data {
    var status = stat()
    guard stat(file.path, &status) == 0 else { throw .unreadable(path: file.path) }
    // A FIFO in its place would never end.
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .malformed(path: file.path, reason: "it is no regular file")
    }
    guard status.st_size <= maximumBytes else {
      throw .malformed(
        path: file.path, reason: "it has \(status.st_size) bytes, more than any mapping model needs")
    }
    guard let data = DiskRead.contents(of: file.path) else { throw .unreadable(path: file.path) }
    return data
  }
}
