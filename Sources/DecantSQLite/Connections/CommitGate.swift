internal import CSQLite
internal import Synchronization

/// Keeps a connection from committing while only somebody else may end the transaction.
///
/// A full disk makes SQLite take the whole transaction back by itself; whatever another queue writes after that would be
/// committed statement by statement.
package final class CommitGate: Sendable {
  private let closed = Atomic(false)

  package var isClosed: Bool {
    get { closed.load(ordering: .sequentiallyConsistent) }
    set { closed.store(newValue, ordering: .sequentiallyConsistent) }
  }

  /// Lets a connection ask for it while it lives; the connection keeps it alive.
  func install(on handle: OpaquePointer) {
    sqlite3_commit_hook(
      handle,
      { pointer in
        guard let pointer else { return 0 }
        return Unmanaged<CommitGate>.fromOpaque(pointer).takeUnretainedValue().isClosed ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
