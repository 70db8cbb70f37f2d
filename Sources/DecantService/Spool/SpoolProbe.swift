internal import Foundation
internal import Synchronization

/// Tries whether the spool takes files: that the daemon may write says nothing of a disk that doesn't.
///
/// The wait for the disk is another thread's.
final class SpoolProbe: Sendable {
  /// The file that is made and removed; one that a crash has left is removed by the next look.
  static let name = ".probe"
  /// The seconds between two looks as long as all is well.
  static let pace = 30.0

  private struct State {
    /// Since when a look is under way, in seconds of the steady clock.
    var since: Double?
    var failure: FileFailure?
  }

  private let state = Mutex(State())
  private let queue = DiskQueues(1)

  /// Begins a look, unless one is under way.
  func begin(in folders: [FolderHandle], at now: Double) {
    let isFree = state.withLock { state in
      guard state.since == nil else { return false }
      state.since = now
      return true
    }
    guard isFree else { return }
    queue.async { [self] in
      var found: FileFailure?
      for folder in folders where found == nil { found = Self.failure(in: folder) }
      state.withLock { $0 = State(since: nil, failure: found) }
    }
  }

  /// What the last look has found; `nil` where the folders take files.
  var failure: FileFailure? { state.withLock { $0.failure } }

  /// How many seconds a look has lasted that should have been over; `nil` where none has.
  func delay(at now: Double) -> Double? {
    guard let since = state.withLock({ $0.since }), now - since > Self.pace else { return nil }
    return now - since
  }

  /// Waits for the look that is under way.
  func finish() { queue.finish() }

  private static func failure(in folder: FolderHandle) -> FileFailure? {
    do throws(FileFailure) {
      try folder.remove(name)
      try folder.add(Data("decantd looks whether this folder can be written to.\n".utf8), as: name)
      do throws(FileFailure) {
        try SyncItem.file(name, in: folder).sync()
      } catch {
        try? folder.remove(name)
        throw error
      }
      try folder.remove(name)
      return nil
    } catch {
      return error
    }
  }
}
