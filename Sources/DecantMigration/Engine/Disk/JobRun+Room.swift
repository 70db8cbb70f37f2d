internal import Foundation

/// Whether there is room for the work.
extension JobRun {
  /// What working files have taken of the disk already.
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

  /// The least room with which something that was begun is gone on with, though less than the rest is reckoned to
  /// take; in bytes.
  private static let leastRoom = 8 << 20

  /// Whether work that was begun goes on whatever the rest is reckoned to take: of what has come so far that may well
  /// find room, and where it doesn't, what is done is kept.
  static func isWorthGoingOn(held: Int, of reckoned: Int, free: Int) -> Bool {
    held >= reckoned / 3 && free >= leastRoom
  }

  /// Looks whether the rest finds room.
  ///
  /// - Throws: `MigrationFailure` with the reason `no-room`, and what counting filters throws.
  func checkRoom() throws {
    let external = ExternalData(store: job.source)
    var status = statvfs()
    guard statvfs(job.workFolder.path, &status) == 0 else { return }
    let free = Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    let held = heldBytes
    if Self.isWorthGoingOn(held: held, of: prepared.plan.diskBytes, free: free) { return }
    var need = max(0, prepared.plan.diskBytes - held)
    guard free < need else { return }
    // Filters may take less than what is reckoned without counting.
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
