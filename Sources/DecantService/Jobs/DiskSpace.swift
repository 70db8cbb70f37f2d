internal import DecantReport
package import DecantSpool
internal import Glibc

/// The free space on the spool's file system.
package struct DiskSpace: Sendable, Hashable {
  /// Bytes that this user may still write.
  package var freeBytes: Int64
  /// Files that this user may still create; `nil` if the file system has no such limit.
  package var freeFiles: Int64?
  /// Bytes of the whole file system.
  package var sizeBytes: Int64 = 0

  package init(freeBytes: Int64, freeFiles: Int64?) {
    self.freeBytes = freeBytes
    self.freeFiles = freeFiles
  }

  package init(of folder: FolderHandle) throws(FileFailure) {
    var status = statvfs()
    guard fstatvfs(folder.descriptor, &status) == 0 else {
      throw FileFailure("examine the disk of", folder.path)
    }
    func bytes(_ blocks: fsblkcnt_t) -> Int64 {
      let bytes = UInt64(blocks).multipliedReportingOverflow(by: UInt64(status.f_frsize))
      return Int64(clamping: bytes.overflow ? UInt64.max : bytes.partialValue)
    }
    freeBytes = bytes(status.f_bavail)
    sizeBytes = bytes(status.f_blocks)
    freeFiles = status.f_files == 0 ? nil : Int64(clamping: status.f_favail)
  }

  /// The least number of free files with which a job starts.
  static let fewestFiles: Int64 = 64

  /// The bytes that a job is expected to need.
  ///
  /// - Parameters:
  ///   - factor: The setting `spaceFactor`.
  ///   - heldBytes: The size of the job's existing working files.
  package static func need(of storeBytes: Int64, factor: Double, heldBytes: Int64 = 0) -> Int64 {
    let need = Double(max(0, storeBytes)) * factor - Double(max(0, heldBytes))
    return need < 9e18 ? Int64(max(0, need)) : Int64.max
  }

  /// Why a job can't start; `nil` if there is space.
  ///
  /// - Parameter reserved: The bytes that running jobs may still need.
  package func shortage(need: Int64, reserved: Int64, minimumFree: Int64) -> String? {
    let total = [need, reserved, minimumFree].reduce(Int64(0)) { sum, part in
      let (value, overflow) = sum.addingReportingOverflow(part)
      return overflow ? Int64.max : value
    }
    if let freeFiles, freeFiles < Self.fewestFiles { return "only \(freeFiles) inodes are free (see df -i)" }
    guard freeBytes < total else { return nil }
    return "\(ByteText.of(freeBytes)) free, \(ByteText.of(need: total, free: freeBytes)) needed"
  }
}
