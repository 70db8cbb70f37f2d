internal import CLinux
internal import FileAccess
package import FileNames
internal import Glibc

extension FolderHandle {
  /// Replaces a file by a copy, so that the file's other names (hard links) don't lead to the copy.
  ///
  /// The other names keep the former file. The copy has the file's times. The file's owner may read and write the copy,
  /// if the daemon runs as root or the file system has access lists. The caller makes the copy durable.
  package func separate(_ name: FileName) throws(FileFailure) {
    try FaultPlan.pass("copy", path(of: name))
    let temporary = FileName(bytes: [0x2E] + name.bytes) + ".alone"
    let code = name.bytes.withNullTerminated { name in
      temporary.bytes.withNullTerminated { replaceByCopy(name, temporary: $0) }
    }
    guard code == 0 else { throw FileFailure("copy", path(of: name), code) }
  }

  /// Returns an errno, or 0.
  private func replaceByCopy(_ name: UnsafePointer<CChar>, temporary: UnsafePointer<CChar>) -> Int32 {
    let source = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard source >= 0 else { return errno }
    defer { close(source) }
    // An earlier run may have left this file.
    unlinkat(descriptor, temporary, 0)
    let copy = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard copy >= 0 else { return errno }
    defer { close(copy) }
    var code = Self.copy(source, to: copy)
    if code == 0, renameat(descriptor, temporary, descriptor, name) != 0 { code = errno }
    if code != 0 { unlinkat(descriptor, temporary, 0) }
    return code
  }

  private static func copyBytes(_ source: Int32, to copy: Int32) -> Int32 {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = Glibc.read(source, &buffer, buffer.count)
      if count == 0 { return 0 }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return errno }
      var offset = 0
      while offset < count {
        let part = buffer.withUnsafeBytes {
          Glibc.write(copy, $0.baseAddress?.advanced(by: offset), count - offset)
        }
        if part < 0, errno == EINTR { continue }
        guard part > 0 else { return part < 0 ? errno : EIO }
        offset += part
      }
    }
  }

  /// Copies the content and the times, and lets the file's owner use the copy if possible; returns an errno, or 0.
  private static func copy(_ source: Int32, to copy: Int32) -> Int32 {
    var status = stat()
    guard fstat(source, &status) == 0 else { return errno }
    if decant_share_blocks(source, copy) != 0 {
      let code = copyBytes(source, to: copy)
      guard code == 0 else { return code }
    }
    // Only root can give the copy to the file's owner. Otherwise an access list lets the owner use the copy. On a file
    // system without access lists, only the daemon can use the copy.
    if fchown(copy, status.st_uid, status.st_gid) != 0, status.st_uid != geteuid() {
      var list = AccessList(mode: 0o600)
      list.users[status.st_uid] = 6
      _ = list.apply(to: copy)
    }
    let times = [status.st_atim, status.st_mtim]
    return futimens(copy, times) == 0 ? 0 : errno
  }
}
