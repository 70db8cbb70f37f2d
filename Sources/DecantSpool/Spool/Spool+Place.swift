internal import Glibc

extension Spool {
  /// Why the spool's path doesn't lead to this spool any more; `nil` if it does, or if the system doesn't say.
  ///
  /// Workers and users use the path; the daemon uses the open folders.
  package var displacement: String? {
    var (own, there) = (stat(), stat())
    guard fstat(root.descriptor, &own) == 0 else { return nil }
    guard stat(root.path, &there) == 0 else {
      return errno == ENOENT
        ? "“\(root.path)” was moved away or removed. Move it back, or restart the daemon." : nil
    }
    guard there.st_dev != own.st_dev || there.st_ino != own.st_ino else { return nil }
    return
      "“\(root.path)” is another folder than at the daemon's start: it was replaced, or a file system was mounted "
      + "there. Undo that, or restart the daemon."
  }
}
