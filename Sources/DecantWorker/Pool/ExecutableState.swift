internal import Glibc

/// Detects whether a worker's file has changed since the worker was started.
package enum ExecutableState {
  /// A text that changes when the file is written or replaced.
  ///
  /// The text stays the same while the file is missing.
  package static func text(of path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "none" }
    let times = [status.st_mtim, status.st_ctim].map { "\($0.tv_sec).\($0.tv_nsec)" }
    return "\(status.st_dev) \(status.st_ino) \(status.st_size) \(times[0]) \(times[1])"
  }
}
