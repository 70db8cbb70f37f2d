internal import DecantConsole
internal import FileNames
internal import Foundation

/// A manifest of the stores that have no result yet: each path ends with a NUL byte.
///
/// It gets its name only when it is complete, because a part of it would look like a whole manifest. If no store is
/// left, no file is written, because “decant migrate” refuses a manifest that names no store.
final class RetryManifest {
  let path: String
  /// The file's name while it is written.
  private var unfinished: String { path + ".unfinished" }
  private var file: FileHandle?
  private var buffer = Data()
  private(set) var count = 0

  /// Takes the path of a file that must not exist; the first store creates the file.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    var status = stat()
    if lstat(path, &status) == 0 { throw Self.isThere(path) }
  }

  deinit {
    if file != nil { unlink(unfinished) }
  }

  private static func isThere(_ path: String) -> CommandFailure {
    CommandFailure(.cantCreate, "\(path) exists already.", advice: "Name another file: --retry FILE.")
  }

  private func made() throws(CommandFailure) -> FileHandle {
    // A killed command may have left this file.
    unlink(unfinished)
    let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw CommandFailure(errno: errno, path, "created") }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  func add(_ path: FileName) throws(CommandFailure) {
    if file == nil { file = try made() }
    count += 1
    buffer.append(contentsOf: path.bytes + [0])
    if buffer.count > 1 << 20 { try flush() }
  }

  /// Makes the file durable, and gives it its name.
  func finish() throws(CommandFailure) {
    guard let file else { return }
    try flush()
    guard fsync(file.fileDescriptor) == 0 else { throw CommandFailure(errno: errno, path, "made durable") }
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    guard try NewName.rename(unfinished, into: folder, as: FileName(url.lastPathComponent)) else {
      throw Self.isThere(path)
    }
    self.file = nil
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw CommandFailure(errno: errno, folder, "made durable") }
  }

  private func flush() throws(CommandFailure) {
    do { try file?.write(contentsOf: buffer) } catch { throw CommandFailure(errno: errno, path, "written") }
    buffer = Data()
  }
}
