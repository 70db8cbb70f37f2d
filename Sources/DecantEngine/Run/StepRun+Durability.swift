internal import CLinux
internal import DecantSQLite
internal import Foundation

/// Decides when a working file becomes durable: from this moment on it survives a power cut.
///
/// Before this moment no commit waits for the disk, and the file has no digest of the step's inputs. So no later run
/// continues the file: if the run is killed, the next run repeats the step, which is little work. If the step ends
/// before this moment, the file is synced once, at the end.
extension StepRun {
  /// How long a step works before its commits wait for the disk.
  package static let usualPatience = Duration.milliseconds(150)

  /// Syncs what is committed, once the step has worked for long enough.
  ///
  /// Until the commit of the digest is on the disk, no run trusts the file. That commit syncs the whole file, and every
  /// later commit waits for the disk.
  func becomeDurable() throws(SQLiteError) {
    guard !isDurable, !isInMemory, !isHeld, begun.duration(to: .now) >= input.patience else { return }
    try destination.makeDurable()
    try checkpoint.note(digest: input.digest)
    isDurable = true
  }

  /// Lets the disk write the file while it is checked, so that the sync at the end has less to wait for.
  func beginWriting() {
    guard !isDurable, !isInMemory else { return }
    let descriptor = open(input.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // The length 0 means: up to the end of the file.
    decant_begin_writing(descriptor, 0, 0)
  }
}
