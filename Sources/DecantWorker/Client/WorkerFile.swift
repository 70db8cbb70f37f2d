internal import Foundation
internal import Glibc

/// Checks whether a file may be run as a worker, which has all rights of its caller.
package enum WorkerFile {
  /// Why a file must not be run; `nil` if it may.
  ///
  /// The path has to be absolute, and the file has to be a regular executable file. The file and its folder have to
  /// belong to root or to the user. No other user may have write permission, except in a sticky folder.
  package static func problem(with path: String) -> String? {
    guard path.hasPrefix("/") else { return "The worker “\(path)” is not an absolute path." }
    guard let resolved = realpath(path, nil) else {
      return "The worker “\(path)” doesn't exist: \(String(cString: strerror(errno)))."
    }
    defer { free(resolved) }
    let file = String(cString: resolved)
    var status = stat()
    guard stat(file, &status) == 0 else {
      return "The worker “\(path)” can't be examined: \(String(cString: strerror(errno)))."
    }
    guard status.st_mode & S_IFMT == S_IFREG, access(file, X_OK) == 0 else {
      return "The worker “\(path)” is not an executable file."
    }
    let folder = (file as NSString).deletingLastPathComponent
    var parent = stat()
    guard stat(folder, &parent) == 0 else { return "The folder of the worker “\(path)” can't be examined." }
    for (what, status, isFolder) in [
      ("The worker “\(path)”", status, false), ("The folder of the worker “\(path)”", parent, true),
    ] {
      guard status.st_uid == 0 || status.st_uid == geteuid() else {
        return
          "\(what) belongs to user \(status.st_uid); it must belong to root, or to the user who runs Decant."
      }
      // In a sticky folder, other users can't replace the file.
      guard status.st_mode & 0o022 == 0 || isFolder && status.st_mode & S_ISVTX != 0 else {
        return "\(what) can be written to by others. Remove that permission (chmod go-w)."
      }
    }
    return nil
  }
}
