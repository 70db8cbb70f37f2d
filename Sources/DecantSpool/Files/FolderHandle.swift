internal import CLinux
internal import DecantModel
package import FileNames
package import Foundation
internal import Glibc

/// An open folder.
///
/// Everything in the folder is reached by name relative to its descriptor. No link in the folder is followed, unless a
/// method says so.
package final class FolderHandle: Sendable {
  package let descriptor: Int32
  /// The path with which the folder was opened; the folder may have been moved since.
  package let path: String
  /// Shared syncs for writers in this folder and its subfolders; `nil` if each writer syncs alone.
  package let rounds: SyncRounds?

  private init(descriptor: Int32, path: String, rounds: SyncRounds?) {
    self.descriptor = descriptor
    self.path = path
    self.rounds = rounds
  }

  deinit { close(descriptor) }

  /// Opens a folder by its path; links in the path are followed.
  package convenience init(path: String) throws(FileFailure) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure("open the folder", path) }
    self.init(descriptor: descriptor, path: path, rounds: nil)
  }

  package func path(of name: String) -> String { (path.utf8.last == 0x2F ? path : path + "/") + name }

  /// The path of a name, for messages.
  package func path(of name: FileName) -> String { path(of: name.text) }

  /// Opens a subfolder.
  ///
  /// - Parameter rounds: The `rounds` of the subfolder; `nil` for the `rounds` of this folder.
  package func folder(_ name: FileName, rounds: SyncRounds? = nil) throws(FileFailure) -> FolderHandle {
    try failOnPlan("open the folder", name.text)
    let inner = name.bytes.withNullTerminated {
      openat(descriptor, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    guard inner >= 0 else { throw FileFailure("open the folder", path(of: name)) }
    return FolderHandle(descriptor: inner, path: path(of: name), rounds: rounds ?? self.rounds)
  }

  /// Throws if a test lets this call fail.
  private func failOnPlan(_ operation: String, _ name: String) throws(FileFailure) {
    let code = DiskFaultPlan.pass(path(of: name))
    if code != 0 { throw FileFailure(operation, path(of: name), code) }
  }

  /// Switches to the folder that now has this name in `parent`, if it is another folder.
  ///
  /// The descriptor keeps its number.
  ///
  /// - Returns: Whether the name led to another folder.
  /// - Throws: `FileFailure`, also if the other folder is on another file system.
  package func renew(_ name: String, in parent: FolderHandle) throws(FileFailure) -> Bool {
    let own = try status()
    let there = try parent.status(name)
    guard there?.inode != own.inode || there?.device != own.device else { return false }
    let other = try parent.folder(name)
    guard try other.status().device == own.device else {
      throw FileFailure("use the new folder", path, EXDEV)
    }
    guard decant_replace_descriptor(other.descriptor, descriptor) >= 0 else { throw FileFailure("open", path) }
    return true
  }

  /// Creates a folder; true if it didn't exist before.
  @discardableResult
  package func make(_ name: String, mode: UInt32 = 0o750) throws(FileFailure) -> Bool {
    try FaultPlan.pass("make the folder", path(of: name))
    if mkdirat(descriptor, name, mode) == 0 { return true }
    guard errno == EEXIST else { throw FileFailure("make the folder", path(of: name)) }
    return false
  }

  /// The status of a name; `nil` if the name doesn't exist.
  package func status(_ name: FileName) throws(FileFailure) -> FileStatus? {
    var status = stat()
    let code = name.bytes.withNullTerminated { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
    if code == 0 { return FileStatus(status) }
    guard errno == ENOENT else { throw FileFailure("examine", path(of: name)) }
    return nil
  }

  package func status() throws(FileFailure) -> FileStatus {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFailure("examine", path) }
    return FileStatus(status)
  }

  package func exists(_ name: FileName) throws(FileFailure) -> Bool { try status(name) != nil }

  /// The names in the folder, without `.` and `..`, in no order.
  package func names() throws(FileFailure) -> [FileName] {
    var names: [FileName] = []
    try forEachName { names.append(FileName(bytes: Array($0))) }
    return names
  }

  /// Reads the names in the folder one by one, without `.` and `..`, in no order.
  ///
  /// A folder may have very many names.
  package func forEachName(_ take: (UnsafeRawBufferPointer) -> Void) throws(FileFailure) {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw FileFailure("read the folder", path) }
    guard let stream = fdopendir(copy) else {
      let code = errno
      close(copy)
      throw FileFailure("read the folder", path, code)
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      withUnsafeBytes(of: &entry.pointee.d_name) { field in
        let name = UnsafeRawBufferPointer(rebasing: field.prefix { $0 != 0 })
        if !name.elementsEqual([0x2E]), !name.elementsEqual([0x2E, 0x2E]) { take(name) }
      }
    }
    guard errno == 0 else { throw FileFailure("read the folder", path) }
  }

  /// The number of names that don't begin with a dot.
  package func countNames() throws(FileFailure) -> Int {
    var count = 0
    try forEachName { if $0.first != 0x2E { count += 1 } }
    return count
  }

  /// Renames without replacing.
  ///
  /// - Throws: A failure with `isTaken` if the new name is in use.
  package func rename(_ name: FileName, to folder: FolderHandle, as newName: FileName) throws(FileFailure) {
    try FaultPlan.pass("rename", path(of: name))
    let code = name.bytes.withNullTerminated { name in
      newName.bytes.withNullTerminated {
        decant_rename_without_replacing(descriptor, name, folder.descriptor, $0)
      }
    }
    guard code == 0 else {
      throw FileFailure("rename", path(of: name), to: folder.path(of: newName))
    }
  }

  /// Removes a file's name; does nothing if the name doesn't exist.
  package func remove(_ name: FileName) throws(FileFailure) {
    try FaultPlan.pass("remove", path(of: name))
    guard name.bytes.withNullTerminated({ unlinkat(descriptor, $0, 0) }) == 0 || errno == ENOENT else {
      throw FileFailure("remove", path(of: name))
    }
  }

  /// Writes a whole file durably: a new file beside it, fsync, rename over it, fsync of the folder.
  ///
  /// - Parameter others: Further items that are made durable before the rename, for example the folder's other names.
  package func write(_ data: Data, to name: String, after others: [SyncItem] = []) throws(FileFailure) {
    let temporary = ".\(name).new"
    try write(data, toNew: temporary, for: name)
    do throws(FileFailure) {
      try settle([.file(temporary, in: self)] + others)
      try FaultPlan.pass("write", path(of: name))
      guard renameat(descriptor, temporary, descriptor, name) == 0 else {
        throw FileFailure("write", path(of: name))
      }
    } catch {
      unlinkat(descriptor, temporary, 0)
      throw error
    }
    try sync()
  }

  /// Writes a file directly, without a rename; the caller makes it durable.
  package func add(_ data: Data, as name: String) throws(FileFailure) {
    try write(data, toNew: name, for: name)
  }

  private func write(_ data: Data, toNew temporary: String, for name: String) throws(FileFailure) {
    try FaultPlan.pass("write", path(of: name))
    let file = openat(
      descriptor, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o640)
    guard file >= 0 else { throw FileFailure("write", path(of: name)) }
    var code = data.withUnsafeBytes { buffer -> Int32 in
      var offset = 0
      while offset < buffer.count {
        let count = Glibc.write(file, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : EIO }
        offset += count
      }
      return 0
    }
    if close(file) != 0, code == 0 { code = errno }
    guard code == 0 else {
      unlinkat(descriptor, temporary, 0)
      throw FileFailure("write", path(of: name), code)
    }
  }

  /// Opens a regular file to read it; `nil` if the name doesn't exist.
  private func opened(_ name: String, following: Bool) throws(FileFailure) -> (file: Int32, size: Int64)? {
    // Non-blocking: a FIFO in the file's place must not block the daemon.
    try failOnPlan("read", name)
    let file = openat(
      descriptor, name, O_RDONLY | (following ? 0 : O_NOFOLLOW) | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      let failure = FileFailure("read", path(of: name))
      // For a socket or a missing device, this errno doesn't mean that the disk failed.
      if [ENXIO, ENODEV].contains(failure.code), let kind = try status(name)?.kind, kind != .file {
        throw FileFailure("read", path(of: name), .notAFile)
      }
      throw failure
    }
    var status = stat()
    let problem =
      fstat(file, &status) != 0
      ? FileFailure("read", path(of: name))
      : status.st_mode & S_IFMT != S_IFREG ? FileFailure("read", path(of: name), .notAFile) : nil
    if let problem {
      close(file)
      throw problem
    }
    return (file, Int64(status.st_size))
  }

  /// Reads the first bytes of a regular file; `nil` if the name doesn't exist.
  package func read(_ name: String, first count: Int) throws(FileFailure) -> [UInt8]? {
    guard let (file, _) = try opened(name, following: false) else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes {
        Glibc.read(file, $0.baseAddress?.advanced(by: filled), count - filled)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw FileFailure("read", path(of: name)) }
      if got == 0 { break }
      filled += got
    }
    return Array(bytes.prefix(filled))
  }

  /// Reads a regular file of at most `limit` bytes; `nil` if the name doesn't exist.
  ///
  /// - Parameter following: Whether to follow a symbolic link; only for a name that the administrator chose.
  package func read(_ name: String, limit: Int, following: Bool = false) throws(FileFailure) -> Data? {
    guard let (file, size) = try opened(name, following: following) else { return nil }
    defer { close(file) }
    let tooLarge = FileFailure("read", path(of: name), .tooLarge(limit: limit))
    guard size <= limit else { throw tooLarge }
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while data.count <= limit {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure("read", path(of: name)) }
      if count == 0 { return data }
      data.append(contentsOf: buffer.prefix(count))
    }
    throw tooLarge
  }
}
