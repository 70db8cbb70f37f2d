internal import CLinux
internal import Foundation

/// The running executable, whose build is part of a step's digest: the result depends on the policies in it.
enum Executable {
  /// Identifies a build of the program by size and modification time.
  static let identity: String = {
    var status = stat()
    guard stat("/proc/self/exe", &status) == 0 else { return "" }
    return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }()
}
