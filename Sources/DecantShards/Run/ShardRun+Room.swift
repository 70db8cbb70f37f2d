internal import DecantReport
internal import Glibc

/// Handles a scratch folder that has no room, or can't be written.
extension ShardRun {
  /// The scratch folder counts as full if it has less room than this, in bytes.
  private static let leastRoom: UInt64 = 1 << 20

  /// Whether no store is in the scratch folder.
  var isScratchEmpty: Bool {
    intakes == 0 && ready.isEmpty && running.isEmpty && killed.isEmpty && deliveries == 0
  }

  /// Decides about a store for which the scratch folder has no room, or can't be written.
  ///
  /// If there is no room, the store waits until it can be tried alone. If there is still no room, the store is too
  /// large for the folder and is settled; the other stores go on.
  ///
  /// The run ends in two cases: the folder is full without any store, or it can't be written for another reason.
  func judgeScratch(_ job: StoreJob, _ failure: MigrationFailure) {
    job.clear()
    guard failure.isAboutRoom else {
      // Each store would have the same failure, so the failure says nothing about this store. The store isn't settled.
      counts.obstacle = counts.obstacle ?? failure.description
      return
    }
    guard job.isAlone else { return crowded.append(job) }
    settle(job, failure)
    if !hasRoom { counts.obstacle = counts.obstacle ?? failure.description }
  }

  private var hasRoom: Bool {
    var room = statvfs()
    guard statvfs(settings.scratch, &room) == 0 else { return true }
    return UInt64(room.f_bavail) * UInt64(room.f_frsize) >= Self.leastRoom
  }
}

extension MigrationFailure {
  /// Whether a file found no room, or would have become larger than the limit on file sizes.
  var isAboutRoom: Bool { reason == .noRoom || reason == .fileLimit }
}
