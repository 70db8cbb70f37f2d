internal import FileNames
internal import Foundation

/// A manifest of the stores that have no result yet: each path ends with a NUL byte.
///
/// Without such a store there is no file: “decant migrate” refuses a manifest that names no store.
struct RetryManifest {
  let path: String
  private var file: FileHandle?
  private var buffer = Data()
  private(set) var count = 0

  /// Names the file, which mustn't exist; the first store makes it.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    var status = stat()
    if lstat(path, &status) == 0 { throw Self.isThere(path) }
  }

  private static func isThere(_ path: String) -> CommandFailure {
    CommandFailure(.cantCreate, "\(path) exists already.", advice: "Name another file: --retry MANIFEST.")
  }

  private func made() throws(CommandFailure) -> FileHandle {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      guard errno == EEXIST else { throw CommandFailure(errno: errno, path, "created") }
      throw Self.isThere(path)
    }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  mutating func add(_ path: FileName) throws(CommandFailure) {
    if file == nil { file = try made() }
    count += 1
    buffer.append(contentsOf: path.bytes + [0])
    if buffer.count > 1 << 20 { try flush() }
  }

  /// Makes the file durable.
  mutating func finish() throws(CommandFailure) {
    guard let file else { return }
    try flush()
    guard fsync(file.fileDescriptor) == 0 else { throw CommandFailure(errno: errno, path, "made durable") }
  }

  private mutating func flush() throws(CommandFailure) {
    do { try file?.write(contentsOf: buffer) } catch { throw CommandFailure(errno: errno, path, "written") }
    buffer = Data()
  }
}
