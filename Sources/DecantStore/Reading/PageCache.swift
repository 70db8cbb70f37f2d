internal import Foundation

/// The system's cache of files.
package enum PageCache {
  /// Asks the system to remove a store's pages from the cache, so that the next reader reads them from the disk.
  package static func forget(store path: String) {
    for suffix in ["", "-wal", "-journal"] {
      let descriptor = open(path + suffix, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      close(descriptor)
    }
  }
}
