internal import FileNames
internal import Foundation

/// A manifest of the stores that have no result yet: each path ends with a NUL byte.
struct RetryManifest {
  let path: String
  private let file: FileHandle
  private var buffer = Data()
  private(set) var count = 0

  /// Makes the file, which mustn't exist.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      guard errno == EEXIST else { throw CommandFailure(errno: errno, path, "created") }
      throw CommandFailure(
        .cantCreate, "\(path) exists already.", advice: "Name another file: --retry MANIFEST.")
    }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  mutating func add(_ path: FileName) throws(CommandFailure) {
    count += 1
    buffer.append(contentsOf: path.bytes + [0])
    if buffer.count > 1 << 20 { try flush() }
  }

  /// Makes the file durable.
  mutating func finish() throws(CommandFailure) {
    try flush()
    guard fsync(file.fileDescriptor) == 0 else { throw CommandFailure(errno: errno, path, "made durable") }
  }

  private mutating func flush() throws(CommandFailure) {
    do { try file.write(contentsOf: buffer) } catch { throw CommandFailure(errno: errno, path, "written") }
    buffer = Data()
  }
}
