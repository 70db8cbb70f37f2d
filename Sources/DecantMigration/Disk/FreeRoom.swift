internal import DecantReport
internal import Foundation

/// The free space of a work folder's file system.
struct FreeRoom {
  let folder: String
  /// The number of free bytes for this user.
  let bytes: Int

  /// `nil` if the free space can't be found out, for example because the folder doesn't exist.
  init?(in folder: String) {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    self.folder = folder
    bytes = Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
  }

  /// The failure if the free space is too small.
  ///
  /// - Parameter need: In bytes.
  func failure(need: Int, family: String) -> MigrationFailure {
    MigrationFailure(
      .noRoom,
      message: "\(folder) has \(ByteText.of(bytes)) free, but the work needs about "
        + "\(ByteText.of(need: Int64(need), free: Int64(bytes))).",
      advice: "Free space on that file system.", family: family)
  }

  /// The space that a file takes on the disk, in bytes; 0 if there is no such file.
  static func held(by path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(clamping: status.st_blocks) * 512 : 0
  }
}
