internal import Glibc

/// Who may read and write a file or a folder: its owner, its group, and the bits of its mode for that.
///
/// Access control lists and extended attributes are not a part of it.
struct FileAccess: Sendable, Hashable {
  var owner: uid_t
  var group: gid_t
  var mode: mode_t

  init(_ status: stat) {
    owner = status.st_uid
    group = status.st_gid
    mode = status.st_mode & 0o777
  }

  /// The access of a folder whose files have this access: who may read a file may enter its folder.
  var ofFolder: FileAccess {
    var access = self
    access.mode |= (mode & 0o444) >> 2
    return access
  }

  /// Gives an open file or folder this access, as far as this user may.
  ///
  /// The owner can always read and write it: this user goes on working with it. If the group can't be kept, this user's
  /// group gets no more than all others have. File systems without owners or modes keep theirs.
  private func give(to descriptor: Int32, isFolder: Bool) -> Int32 {
    let mode = isFolder ? self.mode | 0o700 : self.mode & 0o666 | 0o600
    let narrow = mode & (~0o070 | (mode & 0o007) << 3)
    var code = fchmod(descriptor, narrow) == 0 ? 0 : errno
    _ = fchown(descriptor, owner, group) == 0 || fchown(descriptor, uid_t.max, group) == 0
    var status = stat()
    if code == 0, narrow != mode, fstat(descriptor, &status) == 0, status.st_gid == group {
      code = fchmod(descriptor, mode) == 0 ? 0 : errno
    }
    // A new owner's file needs no more than what it has then.
    return [EPERM, ENOSYS, ENOTSUP, EINVAL].contains(code) ? 0 : code
  }

  private func give(to path: [UInt8], isFolder: Bool) throws(FileTrouble) {
    let descriptor = ByteFile.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileTrouble(path, "opened") }
    defer { close(descriptor) }
    let code = give(to: descriptor, isFolder: isFolder)
    guard code == 0 else { throw FileTrouble(path, "given its permissions", code) }
  }

  /// Gives all files in a folder this access, and the folders in it another one.
  ///
  /// - Parameter folders: The access of the folders directly in it; what they hold has this access.
  func give(toContentOf folder: [UInt8], folders: FileAccess) throws(FileTrouble) {
    guard let entries = ByteFile.entries(of: folder) else { throw FileTrouble(folder, "read") }
    for entry in entries {
      let path = ByteFile.path(folder, entry.name)
      switch try FileTree.kind(entry, at: path) {
      case S_IFREG: try give(to: path, isFolder: false)
      case S_IFDIR:
        // The content first: the folder may then be another user's.
        try give(toContentOf: path, folders: ofFolder)
        try folders.give(to: path, isFolder: true)
      default: break
      }
    }
  }
}
