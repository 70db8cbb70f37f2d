package import FileNames
internal import Glibc

/// Finds files that another program has open for writing.
///
/// The kernel tells this only to the file's owner and to root (fcntl(2), leases).
package enum OpenWriters {
  /// `F_SETLEASE`, which the header declares only with `_GNU_SOURCE`.
  private static let setLease: Int32 = 1024

  /// Ignores SIGIO, which would end this process.
  ///
  /// The kernel sends the signal if another program opens the file for writing, or truncates it, during the lease.
  private static let isPrepared: Bool = {
    signal(SIGIO, SIG_IGN)
    return true
  }()

  /// The path of the first file that another program has open for writing, at a name or below it.
  ///
  /// Skips names that aren't text, files that can't be opened or for which the kernel doesn't tell, and levels from
  /// `deepestTree` on.
  ///
  /// - Returns: `nil` if no such file is found.
  package static func first(at name: FileName, in folder: FolderHandle, depth: Int = 0) throws(FileFailure)
    -> String?
  {
    guard isPrepared, depth < deepestTree, name.isText else { return nil }
    switch try folder.status(name.text)?.kind {
    case .file?: return isOpen(name, in: folder) ? folder.path(of: name) : nil
    case .folder?:
      let inner = try folder.folder(name.text)
      for entry in try inner.names() {
        if let path = try first(at: entry, in: inner, depth: depth + 1) { return path }
      }
      return nil
    default: return nil
    }
  }

  private static func isOpen(_ name: FileName, in folder: FolderHandle) -> Bool {
    let file = openat(folder.descriptor, name.text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    guard fcntl(file, setLease, Int32(F_RDLCK)) != 0 else {
      _ = fcntl(file, setLease, Int32(F_UNLCK))
      return false
    }
    return errno == EAGAIN
  }
}
