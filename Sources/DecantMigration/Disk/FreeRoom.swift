internal import DecantReport
internal import Foundation

/// The free space of a work folder's file system.
struct FreeRoom {
  let folder: String
  /// Bytes that may still be written there.
  let bytes: Int

  /// `nil` where the file system doesn't say how much is free.
  init?(in folder: String) {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    self.folder = folder
    bytes = Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
  }

  /// The failure where there is too little of it.
  ///
  /// - Parameter need: In bytes.
  func failure(need: Int, family: String) -> MigrationFailure {
    MigrationFailure(
      .noRoom,
      message: "\(folder) has \(bytes / 1_048_576) MiB free, the work needs about \(need / 1_048_576 + 1) MiB.",
      advice: "Make room on that file system.", family: family)
  }

  /// What a file takes of the disk, in bytes; 0 where there is none.
  static func held(by path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(clamping: status.st_blocks) * 512 : 0
  }
}
