internal import Foundation
internal import Glibc

/// Whether a file may be run as a worker: what it does, it does with the rights of whoever runs it.
package enum WorkerFile {
  /// Why a file isn't run; `nil` where all is well.
  ///
  /// It has to be a regular executable file that belongs to root or to the user, as its folder does, and that nobody
  /// else can write to.
  package static func problem(with path: String) -> String? {
    guard path.hasPrefix("/") else { return "The worker “\(path)” is no absolute path." }
    guard let resolved = realpath(path, nil) else {
      return "The worker “\(path)” isn't there: \(String(cString: strerror(errno)))."
    }
    defer { free(resolved) }
    let file = String(cString: resolved)
    var status = stat()
    guard stat(file, &status) == 0 else {
      return "The worker “\(path)” can't be looked at: \(String(cString: strerror(errno)))."
    }
    guard status.st_mode & S_IFMT == S_IFREG, access(file, X_OK) == 0 else {
      return "The worker “\(path)” is no executable file."
    }
    let folder = (file as NSString).deletingLastPathComponent
    var parent = stat()
    guard stat(folder, &parent) == 0 else { return "The folder of the worker “\(path)” can't be looked at." }
    for (what, status) in [("The worker “\(path)”", status), ("The folder of the worker “\(path)”", parent)] {
      guard status.st_uid == 0 || status.st_uid == geteuid() else {
        return "\(what) belongs to user \(status.st_uid); it has to be root's, or the user's who runs Decant."
      }
      // The sticky bit keeps others from putting another file in its place.
      guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
        return "\(what) can be written to by others; take that right away (chmod go-w)."
      }
    }
    return nil
  }
}
