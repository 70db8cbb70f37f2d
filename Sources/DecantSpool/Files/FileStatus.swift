package import Glibc

/// The facts about a file that are known without opening it.
///
/// `FolderHandle` follows no link to get them.
package struct FileStatus: Sendable, Hashable {
  package enum Kind: String, Sendable {
    case file
    case folder
    case symbolicLink = "a symbolic link"
    case pipe = "a named pipe (FIFO)"
    case socket = "a socket"
    case device = "a device"
  }

  package var kind: Kind
  package var size: Int64
  /// Bytes on the disk; fewer than the size if the file has large holes.
  package var takenBytes: Int64
  package var links: Int
  package var owner: UInt32
  package var group: UInt32
  /// The permission bits, with set-user-id, set-group-id and sticky.
  package var mode: UInt32
  package var inode: UInt64
  package var device: UInt64
  /// When the content last changed (mtime), in nanoseconds since 1970.
  package var modified: Int64
  /// When the status last changed (ctime), in nanoseconds since 1970.
  package var changed: Int64

  package init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .symbolicLink
    case S_IFIFO: kind = .pipe
    case S_IFSOCK: kind = .socket
    default: kind = .device
    }
    size = Int64(status.st_size)
    let (bytes, overflows) = Int64(status.st_blocks).multipliedReportingOverflow(by: 512)
    takenBytes = overflows ? .max : bytes
    links = Int(status.st_nlink)
    owner = status.st_uid
    group = status.st_gid
    mode = status.st_mode & 0o7777
    inode = UInt64(status.st_ino)
    device = UInt64(status.st_dev)
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    // A time after the year 2262 wraps around to one before 1970, so it doesn't count as a time in the future.
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
