internal import DecantStore
internal import Foundation

/// Checks for free disk space.
extension JobRun {
  /// The bytes of the working files so far.
  private var heldBytes: Int {
    var held = prepared.strays?.bytes ?? 0
    // The copy of the store that is read.
    if prepared.store.readPath != prepared.store.path {
      held += FreeRoom.held(by: prepared.store.readPath)
    }
    for step in 1...max(1, prepared.steps.count) {
      for suffix in ["", ".partial", ".partial-journal"] {
        held += FreeRoom.held(by: path("step-\(step).sqlite\(suffix)"))
      }
      for file in WorkingCopy.leftovers(of: path("step-\(step).sqlite.partial")) {
        held += FreeRoom.held(by: file)
      }
    }
    return held
  }

  /// The minimum free space to resume a job, in bytes; it may be less than the estimate for the remaining work.
  private static let leastRoom = 8 << 20

  /// Whether to resume a job although the free space is below the estimate for the remaining work.
  ///
  /// The estimate may be too high. If the space runs out, the finished work is kept.
  static func isWorthGoingOn(held: Int, of reckoned: Int, free: Int) -> Bool {
    held >= reckoned / 3 && free >= leastRoom
  }

  /// Checks that there is probably enough free space for the remaining work.
  func checkRoom() throws {
    let external = ExternalData(store: job.source)
    guard let room = FreeRoom(in: job.workFolder.path) else { return }
    let free = room.bytes
    let held = heldBytes
    if Self.isWorthGoingOn(held: held, of: prepared.plan.diskBytes, free: free) { return }
    var need = max(0, prepared.plan.diskBytes - held)
    guard free < need else { return }
    // Filters may take fewer rows than the estimate assumes, so now these rows are counted.
    let (waiting, isStopped, progress) = (waiting(.open), shouldStop, progress)
    let counted = try DiskNeed(counting: prepared) {
      progress(waiting)
      return !isStopped()
    }
    need = max(0, try counted.bytes(external: external.bytes()) - held)
    guard free < need else { return }
    throw room.failure(need: need, family: prepared.family.name)
  }
}
