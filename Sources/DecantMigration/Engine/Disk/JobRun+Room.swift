internal import Foundation

/// Checks for free disk space.
extension JobRun {
  /// The bytes of the working files so far.
  private var heldBytes: Int {
    var held = prepared.strays?.bytes ?? 0
    // The copy of the store that is read.
    if prepared.store.readPath != prepared.store.path {
      var status = stat()
      if lstat(prepared.store.readPath, &status) == 0 { held += Int(clamping: status.st_blocks) * 512 }
    }
    for step in 1...max(1, prepared.steps.count) {
      for suffix in ["", ".partial", ".partial-journal"] {
        var status = stat()
        guard lstat(path("step-\(step).sqlite\(suffix)"), &status) == 0 else { continue }
        held += Int(clamping: status.st_blocks) * 512
      }
    }
    return held
  }

  /// Minimum free space to resume a job, in bytes; may be less than the estimate for the remaining work.
  private static let leastRoom = 8 << 20

  /// Whether to resume a job although the free space is below the estimate for the remaining work.
  ///
  /// The estimate may be too high. If the space runs out, the finished work is kept.
  static func isWorthGoingOn(held: Int, of reckoned: Int, free: Int) -> Bool {
    held >= reckoned / 3 && free >= leastRoom
  }

  /// Checks that the remaining work has enough free space.
  ///
  /// - Throws: `MigrationFailure` with the reason `no-room`, and errors of counting filtered rows.
  func checkRoom() throws {
    let external = ExternalData(store: job.source)
    var status = statvfs()
    guard statvfs(job.workFolder.path, &status) == 0 else { return }
    let free = Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    let held = heldBytes
    if Self.isWorthGoingOn(held: held, of: prepared.plan.diskBytes, free: free) { return }
    var need = max(0, prepared.plan.diskBytes - held)
    guard free < need else { return }
    // Filters may take less than the estimate without counting.
    let (waiting, isStopped, progress) = (waiting(.open), shouldStop, progress)
    let counted = try DiskNeed(counting: prepared) {
      progress(waiting)
      return !isStopped()
    }
    need = max(0, try counted.bytes(external: external.bytes()) - held)
    guard free < need else { return }
    throw MigrationFailure(
      disposition: .retry, reason: "no-room",
      message:
        "\(job.workFolder.path) has \(free / 1_048_576) MiB free, the work needs about \(need / 1_048_576 + 1) MiB.",
      advice: "Make room on that file system.", family: prepared.family.name)
  }
}
