internal import CLinux
internal import Foundation

/// The program that runs, whose policies a result depends on.
enum Executable {
  /// Tells one build of it from another, by size and time of writing.
  static let identity: String = {
    var status = stat()
    guard stat("/proc/self/exe", &status) == 0 else { return "" }
    return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }()
}
