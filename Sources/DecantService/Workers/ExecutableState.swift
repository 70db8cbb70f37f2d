internal import Glibc

/// Whether a worker's file has changed since the worker was started.
enum ExecutableState {
  /// A text that changes when the file is written or replaced.
  ///
  /// It stays the same while the file is missing.
  static func text(of path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "none" }
    let file = FileStatus(status)
    return "\(file.device) \(file.inode) \(file.size) \(file.modified) \(file.changed)"
  }
}
