internal import CSQLite
internal import Synchronization

/// Refuses the commits of a connection while `isClosed` is true.
///
/// On a full disk, SQLite may roll back the whole transaction by itself. Without this gate, later writes would be
/// committed statement by statement.
package final class CommitGate: Sendable {
  private let closed = Atomic(false)

  package var isClosed: Bool {
    get { closed.load(ordering: .sequentiallyConsistent) }
    set { closed.store(newValue, ordering: .sequentiallyConsistent) }
  }

  /// Installs the gate on a connection, which must keep it alive.
  func install(on handle: OpaquePointer) {
    sqlite3_commit_hook(
      handle,
      { pointer in
        guard let pointer else { return 0 }
        return Unmanaged<CommitGate>.fromOpaque(pointer).takeUnretainedValue().isClosed ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
