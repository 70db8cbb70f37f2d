internal import Glibc

/// Whether a worker's file is still the one that was started.
enum ExecutableState {
  /// What changes when a file is written or replaced; the same text while none is there.
  static func text(of path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "none" }
    let file = FileStatus(status)
    return "\(file.device) \(file.inode) \(file.size) \(file.modified) \(file.changed)"
  }
}
