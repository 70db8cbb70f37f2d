internal import DecantStore
internal import FileAccess
internal import Foundation

extension DropFolder {
  /// Lets the daemon remove a drop that is never finished.
  func letDaemonSweep() {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return }
    defer { close(folder) }
    var root = stat()
    guard stat(spool, &root) == 0, root.st_uid != 0, root.st_uid != geteuid() else { return }
    var list = AccessList(mode: 0o700)
    list.users[root.st_uid] = 7
    // Without access lists, the daemon can't remove the drop.
    _ = list.apply(to: folder)
  }

  /// Lets the daemon read and claim all files of the drop.
  ///
  /// The daemon's user is the owner of the spool.
  ///
  /// - Returns: The group whose members can read and remove the drop as well, because the file system has no access
  ///   lists; `nil` if there is no such group.
  func openToDaemon() throws -> UInt32? {
    var (root, incoming) = (stat(), stat())
    guard stat(spool, &root) == 0 else { throw FileCopy.failure(spool, "read") }
    guard stat("\(spool)/incoming", &incoming) == 0 else { throw FileCopy.failure("\(spool)/incoming", "read") }
    var isOpenToGroup = false
    let below = try FileManager.default.subpathsOfDirectory(atPath: path).map { "\(path)/\($0)" }
    for name in below + [path] {
      let file = open(name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      guard file >= 0 else { throw FileCopy.failure(name, "read") }
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0 else { throw FileCopy.failure(name, "read") }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      guard fchmod(file, isFolder ? 0o700 : 0o600) == 0 else {
        throw FileCopy.failure(name, "opened for the daemon")
      }
      var list = AccessList(mode: isFolder ? 0o700 : 0o600)
      // Root and the owner of a file need no entry: root can read everything, and an owner has the owner's rights.
      if root.st_uid != 0, root.st_uid != status.st_uid { list.users[root.st_uid] = isFolder ? 7 : 4 }
      guard !list.apply(to: file), !list.users.isEmpty else { continue }
      guard errno == EOPNOTSUPP else { throw FileCopy.failure(name, "opened for the daemon") }
      isOpenToGroup = true
      // Only root and members of the group may give a file to the group. For other users the drop fails, because it
      // would be open to the members of another group, and perhaps not to the daemon.
      guard status.st_gid == incoming.st_gid || fchown(file, uid_t.max, incoming.st_gid) == 0 else {
        throw FileCopy.failure(name, "given to the group of “incoming”")
      }
      guard fchmod(file, isFolder ? 0o2770 : 0o640) == 0 else {
        throw FileCopy.failure(name, "opened for the daemon")
      }
    }
    return isOpenToGroup ? incoming.st_gid : nil
  }
}
