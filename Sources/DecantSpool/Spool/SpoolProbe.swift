internal import Foundation
internal import Synchronization

/// Tests whether the spool takes files, because write permission alone doesn't show that the disk works.
///
/// Another thread waits for the disk.
package final class SpoolProbe: Sendable {
  /// The file that is created and removed.
  ///
  /// If a crash leaves the file, the next probe removes it.
  static let name = ".probe"
  /// The seconds between two probes while all is well.
  static let pace = 30.0

  private struct State {
    /// When the running probe began, in seconds of the steady clock.
    var since: Double?
    var lastBegan = -Double.infinity
    var failure: FileFailure?
  }

  private let state = Mutex(State())
  private let queue = DiskQueues(1)

  package init() {}

  /// Starts a probe if one is due and none is running.
  ///
  /// - Parameter retrySeconds: The seconds to the next probe after a failure, at most `pace`.
  package func begin(in folders: [FolderHandle], at now: Double, retrySeconds: Double) {
    let isFree = state.withLock { state in
      let pace = state.failure == nil ? Self.pace : min(Self.pace, max(retrySeconds, 0.01))
      guard state.since == nil, now - state.lastBegan >= pace else { return false }
      (state.since, state.lastBegan) = (now, now)
      return true
    }
    guard isFree else { return }
    queue.async { [self] in
      var found: FileFailure?
      for folder in folders where found == nil { found = Self.failure(in: folder) }
      state.withLock { [found] in ($0.since, $0.failure) = (nil, found) }
    }
  }

  /// The failure of the last probe; `nil` if the folders take files, or if no probe has ended yet.
  package var failure: FileFailure? { state.withLock { $0.failure } }

  /// How long an overdue probe has been running, in seconds; `nil` if none is overdue.
  package func delay(at now: Double) -> Double? {
    guard let since = state.withLock({ $0.since }), now - since > Self.pace else { return nil }
    return now - since
  }

  package func finish() { queue.finish() }

  private static func failure(in folder: FolderHandle) -> FileFailure? {
    do throws(FileFailure) {
      try folder.remove(name)
      try folder.add(Data("decantd checks whether it can write to this folder.\n".utf8), as: name)
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
