internal import FileAccess
internal import Glibc

/// Who may use a file or a folder: its owner, its group, and the permission bits of its mode.
///
/// Further users and groups of an access control list, and extended attributes, are not included.
struct FilePermissions: Sendable, Hashable {
  var owner: uid_t
  var group: gid_t
  var mode: mode_t

  init(_ status: stat) {
    owner = status.st_uid
    group = status.st_gid
    mode = status.st_mode & 0o777
  }

  /// The access to a file or folder, or to a link itself; `nil` if the path can't be examined.
  init?(of path: [UInt8]) {
    guard let status = ByteFile.status(path) else { return nil }
    self.init(status)
    let descriptor = ByteFile.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // With an access control list, the group bits of the mode are the maximum for all listed users. The group may have
    // less.
    guard let list = AccessList(of: descriptor) else { return }
    mode = mode & ~0o070 | mode_t(list.group & list.effectiveMask) << 3
  }

  /// This access, limited to what `other` allows.
  ///
  /// If the two groups differ, the group gets no more than other users have.
  func narrowed(by other: FilePermissions) -> FilePermissions {
    var access = self
    access.mode &= other.mode
    if other.group != group { access.mode = Self.withoutGroup(access.mode) }
    return access
  }

  /// The bits that stay if the group gets no more than other users have.
  private static func withoutGroup(_ mode: mode_t) -> mode_t { mode & (~0o070 | (mode & 0o007) << 3) }

  /// The access of a folder whose files have this access.
  ///
  /// A user who may read a file may also enter its folder.
  var ofFolder: FilePermissions {
    var access = self
    access.mode |= (mode & 0o444) >> 2
    return access
  }

  /// Gives an open file or folder this access, as far as this user is allowed to.
  ///
  /// The owner can always read and write the file or folder, because this user continues to work with it. If the group
  /// can't be set, the group gets no more than other users have. Errors of file systems without owners or modes are
  /// ignored.
  ///
  /// - Returns: 0 or the errno.
  private func give(to descriptor: Int32, isFolder: Bool) -> Int32 {
    let mode = isFolder ? self.mode | 0o700 : self.mode & 0o666 | 0o600
    let narrow = Self.withoutGroup(mode)
    // The output folder may give new files an access control list. The users of this list must never have access. So
    // first the mask is cleared, and then the list is removed.
    var code = fchmod(descriptor, mode & 0o700) == 0 ? 0 : errno
    guard AccessList.remove(from: descriptor, isFolder: isFolder) else { return errno }
    if code == 0, fchmod(descriptor, narrow) != 0 { code = errno }
    _ = fchown(descriptor, owner, group) == 0 || fchown(descriptor, uid_t.max, group) == 0
    var status = stat()
    if code == 0, narrow != mode, fstat(descriptor, &status) == 0, status.st_gid == group {
      code = fchmod(descriptor, mode) == 0 ? 0 : errno
    }
    // On file systems without modes these errors are expected. They also come if the owner was changed before the mode:
    // then the file keeps the narrower access.
    return [EPERM, ENOSYS, ENOTSUP, EINVAL].contains(code) ? 0 : code
  }

  private func give(to path: [UInt8], isFolder: Bool) throws(FileTrouble) {
    let descriptor = ByteFile.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileTrouble(path, "opened") }
    defer { close(descriptor) }
    let code = give(to: descriptor, isFolder: isFolder)
    guard code == 0 else { throw FileTrouble(path, "given its permissions", code) }
  }

  /// Gives all files in a folder this access, and the folders in it the access `folders`.
  ///
  /// - Parameter inner: Gives the content of an inner folder its access. With `nil`, this content gets the same access
  ///   as the content of the folder.
  func give(
    toContentOf folder: [UInt8], folders: FilePermissions, inner: (([UInt8]) throws(FileTrouble) -> Void)? = nil
  ) throws(FileTrouble) {
    guard let entries = ByteFile.entries(of: folder) else { throw FileTrouble(folder, "read") }
    for entry in entries {
      let path = ByteFile.path(folder, entry.name)
      switch try FileTree.kind(entry, at: path) {
      case S_IFREG: try give(to: path, isFolder: false)
      case S_IFDIR:
        // The content comes first, because afterwards the folder may belong to another user.
        if let inner { try inner(path) } else { try give(toContentOf: path, folders: folders) }
        try folders.give(to: path, isFolder: true)
      default: break
      }
    }
  }
}
