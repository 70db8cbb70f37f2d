internal import Foundation

/// What the system keeps in memory of files.
package enum PageCache {
  /// Lets go of what is kept of a store, so that its next reader reads the disk.
  package static func forget(store path: String) {
    for suffix in ["", "-wal", "-journal"] {
      let descriptor = open(path + suffix, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      // An advice: a system that doesn't take it gives what it has.
      _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      close(descriptor)
    }
  }
}
