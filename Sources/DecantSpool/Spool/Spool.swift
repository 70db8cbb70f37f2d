internal import FileAccess
internal import Glibc
internal import Synchronization

/// The spool's four folders, and the lock that allows only one daemon.
package final class Spool: Sendable {
  package let root: FolderHandle
  package let incoming: FolderHandle
  package let work: FolderHandle
  package let done: FolderHandle
  package let failed: FolderHandle
  private let lock: Int32
  private let rules = Mutex(ResultRules())

  package var resultRules: ResultRules {
    get { rules.withLock { $0 } }
    set { rules.withLock { $0 = newValue } }
  }

  /// Opens the spool, locks it, and creates missing folders.
  package init(path: String) throws(SpoolError) {
    do throws(FileFailure) {
      try Self.makePath(path)
      root = try FolderHandle(path: path)
    } catch {
      throw .files(error)
    }
    lock = try Self.lock(root)
    var elsewhere: String?
    do throws(FileFailure) {
      try Self.makeIncoming(in: root)
      for name in ["work", "done", "failed"] { try root.make(name) }
      // All four folders are on one file system. Otherwise the spool is refused below.
      let rounds = SyncRounds(of: try root.folder("work"))
      incoming = try root.folder("incoming", rounds: rounds)
      work = try root.folder("work", rounds: rounds)
      done = try root.folder("done", rounds: rounds)
      failed = try root.folder("failed", rounds: rounds)
      let device = try incoming.status().device
      for folder in [work, done, failed] where try folder.status().device != device { elsewhere = folder.path }
    } catch {
      close(lock)
      throw .files(error)
    }
    if let elsewhere {
      close(lock)
      throw .severalFileSystems(spool: path, folder: elsewhere)
    }
  }

  deinit {
    // Unlock first: a child process that is being started has a copy of the descriptor until its exec.
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// Opens `incoming`, `done` and `failed` again if they were moved away while the daemon runs.
  ///
  /// Missing folders are created.
  ///
  /// - Returns: The paths of the folders that were replaced.
  package func renewFolders() throws(FileFailure) -> [String] {
    if try !isCurrent(incoming, "incoming") { try Self.makeIncoming(in: root) }
    for name in ["done", "failed"] where try !root.exists(name) { try root.make(name) }
    var renewed: [String] = []
    if try incoming.renew("incoming", in: root) { renewed.append(incoming.path) }
    if try done.renew("done", in: root) { renewed.append(done.path) }
    if try failed.renew("failed", in: root) { renewed.append(failed.path) }
    return renewed
  }

  /// Whether the open folders `incoming`, `done` and `failed` still have these names in the spool.
  package var isCurrent: Bool {
    [("incoming", incoming), ("done", done), ("failed", failed)].allSatisfy { name, folder in
      (try? isCurrent(folder, name)) == true
    }
  }

  private func isCurrent(_ folder: FolderHandle, _ name: String) throws(FileFailure) -> Bool {
    guard let there = try root.status(name) else { return false }
    let own = try folder.status()
    return there.inode == own.inode && there.device == own.device
  }

  private static func makeIncoming(in root: FolderHandle) throws(FileFailure) {
    if try root.make("incoming", mode: 0o770) {
      // Set-group-id and sticky: writers share the folder's group, and can't remove another user's drop.
      _ = fchmodat(root.descriptor, "incoming", 0o3770, 0)
    }
    try closeDrops(in: root.folder("incoming"))
  }

  /// Lets only two users access a name in `incoming/`: the user who makes it, and the daemon's user.
  ///
  /// The umask has no effect then.
  ///
  /// An administrator's own access list stays. Without access lists in the file system, the modes of the drops count.
  private static func closeDrops(in incoming: FolderHandle) throws(FileFailure) {
    let owner = try incoming.status().owner
    guard owner == geteuid(), AccessList(forNewNamesIn: incoming.descriptor) == nil else { return }
    var list = AccessList(mode: 0o700)
    list.users[owner] = 7
    _ = list.applyToNewNames(in: incoming.descriptor)
  }

  private static func lock(_ root: FolderHandle) throws(SpoolError) -> Int32 {
    let file = openat(
      root.descriptor, ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o640)
    guard file >= 0 else {
      let failure = FileFailure("open", root.path(of: ".lock"))
      var status = stat()
      guard failure.isDenied, fstatat(root.descriptor, ".lock", &status, AT_SYMLINK_NOFOLLOW) == 0,
        status.st_uid != geteuid()
      else { throw .files(failure) }
      throw .foreignLock(path: failure.path, user: status.st_uid)
    }
    var status = stat()
    // The spool's owner could put a hard link to another user's file here, and root would change that file.
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
      close(file)
      throw .badLock(path: root.path(of: ".lock"))
    }
    // Root gives the lock to the spool's owner, so that the daemon can run as that user later.
    if geteuid() == 0, fstat(root.descriptor, &status) == 0 { _ = fchown(file, status.st_uid, status.st_gid) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      var text = [UInt8](repeating: 0, count: 32)
      let count = read(file, &text, text.count)
      close(file)
      guard code == EWOULDBLOCK else { throw .files(FileFailure("lock", root.path(of: ".lock"), code)) }
      let words = String(decoding: text.prefix(max(0, count)), as: UTF8.self)
      throw .inUse(spool: root.path, process: Int(words.filter(\.isNumber)))
    }
    let text = Array("\(getpid())\n".utf8)
    _ = ftruncate(file, 0)
    _ = pwrite(file, text, text.count, 0)
    return file
  }

  private static func makePath(_ path: String) throws(FileFailure) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o750) != 0, errno != EEXIST, errno != EISDIR else { continue }
      let code = errno
      // The folder may exist although this user may not make folders beside it.
      var status = stat()
      if stat(made, &status) != 0 { throw FileFailure("make the folder", made, code) }
    }
  }
}
