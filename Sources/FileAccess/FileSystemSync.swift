internal import CLinux
internal import Foundation

/// `syncfs`, on file systems where it guarantees the same as `fsync` of each file and folder.
package final class FileSystemSync: Sendable {
  /// The magic numbers of XFS and Btrfs.
  ///
  /// The `syncfs` of XFS, Btrfs and ext4 writes all files and names, and flushes the disk's cache. On other file
  /// systems, such as FUSE and ext2, `syncfs` may do less.
  private static let kinds: Set<Int> = [0x5846_5342, 0x9123_683E]
  /// The magic number of ext4, which ext2 and ext3 share.
  private static let extended = 0xEF53
  /// The first kernel that reports all failures: since 5.8 failed writes (syncfs(2)), since 5.17 also failures of the
  /// file system itself.
  private static let leastKernel = (5, 17)

  private let descriptor: Int32

  /// - Parameter folder: The descriptor of a folder on the file system.
  /// - Returns: `nil` if the kernel is too old, if the file system isn't XFS, Btrfs or ext4, if the system doesn't give
  ///   these facts, or if the folder can't be opened again.
  package init?(of folder: Int32) {
    let kind = decant_file_system_kind(folder)
    guard Self.kinds.contains(kind) || kind == Self.extended && Self.isExt4(folder) else { return nil }
    var system = utsname()
    guard uname(&system) == 0 else { return nil }
    let release = withUnsafeBytes(of: system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    guard Self.tellsOfErrors(release) else { return nil }
    // A separate open file description is used, because each description reports an error once.
    let own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { return nil }
    descriptor = own
  }

  /// - Parameter path: A folder on the file system.
  package convenience init?(path: String) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    defer { close(folder) }
    self.init(of: folder)
  }

  deinit { close(descriptor) }

  /// Whether a kernel release reports all failures.
  static func tellsOfErrors(_ release: String) -> Bool {
    let numbers = release.split(whereSeparator: { !$0.isNumber }).prefix(2).compactMap { Int($0) }
    guard numbers.count == 2 else { return false }
    return (numbers[0], numbers[1]) >= leastKernel
  }

  private static func isExt4(_ folder: Int32) -> Bool {
    var status = stat()
    guard fstat(folder, &status) == 0, let mounts = FileManager.default.contents(atPath: "/proc/self/mountinfo")
    else { return false }
    let number = UInt64(status.st_dev)
    let major = (number >> 8 & 0xFFF) | (number >> 32 & ~0xFFF)
    let minor = (number & 0xFF) | (number >> 12 & ~0xFF)
    return kind(of: "\(major):\(minor)", in: String(decoding: mounts, as: UTF8.self)) == "ext4"
  }

  /// The file system type of a device (`8:1`), from the text of `mountinfo` (proc(5)).
  static func kind(of device: String, in mounts: String) -> Substring? {
    for line in mounts.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 2, words[2] == device, let dash = words.firstIndex(of: "-"), dash + 1 < words.count
      else {
        continue
      }
      return words[dash + 1]
    }
    return nil
  }

  /// Waits until everything is durable; returns 0, or the `errno` of a failure.
  package func run() -> Int32 { decant_sync_file_system(descriptor) == 0 ? 0 : errno }
}
