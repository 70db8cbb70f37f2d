internal import CLinux
internal import Glibc

/// `syncfs` on file systems where it promises what `fsync` of each file and folder would.
final class FileSystemSync: Sendable {
  /// ext2 to ext4, XFS, Btrfs.
  ///
  /// Their `syncfs` writes down all files and names, and has the disk empty its cache; that of others, FUSE among them,
  /// may do less.
  private static let kinds: Set<Int> = [0xEF53, 0x5846_5342, 0x9123_683E]
  /// Since this version the kernel tells of writes that have failed (syncfs(2)).
  private static let leastKernel = (5, 8)

  private let descriptor: Int32

  /// - Returns: `nil` where the kernel or the kind of file system isn't one of those.
  init?(of folder: FolderHandle) {
    guard Self.kinds.contains(decant_file_system_kind(folder.descriptor)) else { return nil }
    var system = utsname()
    guard uname(&system) == 0 else { return nil }
    let release = withUnsafeBytes(of: system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    guard Self.tellsOfErrors(release) else { return nil }
    // A description of its own: each is told of an error once.
    let own = openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { return nil }
    descriptor = own
  }

  deinit { close(descriptor) }

  /// Whether the kernel of a release tells of writes that have failed.
  static func tellsOfErrors(_ release: String) -> Bool {
    let numbers = release.split(whereSeparator: { !$0.isNumber }).prefix(2).compactMap { Int($0) }
    guard numbers.count == 2 else { return false }
    return (numbers[0], numbers[1]) >= leastKernel
  }

  /// Waits until everything is durable; the errno.
  func run() -> Int32 { decant_sync_file_system(descriptor) == 0 ? 0 : errno }
}
