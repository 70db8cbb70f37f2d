package import FileAccess
internal import Glibc

extension FolderHandle {
  /// The access rights of a file or folder in this folder.
  package func rights(of name: String, _ status: FileStatus) -> FileRights {
    // Before Linux 6.13, no call reads the access list of a name relative to a descriptor. Opening the name may be
    // forbidden. So the path in /proc is used.
    FileRights(status, AccessList(ofPath: "/proc/self/fd/\(descriptor)/\(name)"))
  }

  package func rights() throws(FileFailure) -> FileRights {
    FileRights(try status(), AccessList(of: descriptor))
  }

  /// Whether any user except `users` may write this folder or anything below it, or change rights there.
  ///
  /// Only files and folders with UTF-8 names count.
  package func isWritable(exceptBy users: Set<UInt32>, depth: Int = 0) throws(FileFailure) -> Bool {
    guard depth < deepestTree else { throw FileFailure("read", path, ELOOP) }
    if try rights().allowAnyone(FileRights.write, except: users) { return true }
    for name in try names() where name.isText {
      guard let status = try status(name.text) else { continue }
      switch status.kind {
      case .file: if rights(of: name.text, status).allowAnyone(FileRights.write, except: users) { return true }
      case .folder: if try folder(name.text).isWritable(exceptBy: users, depth: depth + 1) { return true }
      default: continue
      }
    }
    return false
  }
}

extension FileRights {
  init(_ status: FileStatus, _ list: AccessList?) {
    self.init(owner: status.owner, group: status.group, mode: status.mode, list: list)
  }
}
