internal import DecantSQLite
internal import Dispatch
internal import Synchronization

/// Checks of a large store that go on while work with it has begun already.
///
/// They read the file over a connection of their own, one after the other. Nothing that was made of the store may be
/// let out before `wait` has come back without an error.
final class SourceChecks: Sendable {
  typealias Check = @Sendable (SQLiteDatabase) throws(StoreError) -> Void

  /// Below that a second connection isn't worth it, in bytes.
  static let smallest = 8 << 20

  private let database: SQLiteDatabase
  private let queue = DispatchQueue(label: "decant.check")
  private let group = DispatchGroup()
  private let failure = Mutex<StoreError?>(nil)
  private let isOver = Atomic(false)
  private let hasFailedFlag = Atomic(false)

  init(_ path: String) throws(SQLiteError) {
    database = try SQLiteDatabase(path, mode: .immutable)
    try database.execute(StoreReader.settings)
    // The connection outlives this object in the work at hand, which shall end then.
    database.observe { [weak self] in !(self?.isOver.load(ordering: .relaxed) ?? true) }
  }

  /// Whether a check has found something.
  var hasFailed: Bool { hasFailedFlag.load(ordering: .acquiring) }

  /// Puts a check behind those that are under way; none is made any more once one has failed.
  func add(_ check: @escaping Check) {
    queue.async(group: group) { [self] in
      guard !hasFailed, !isOver.load(ordering: .relaxed) else { return }
      do throws(StoreError) {
        try check(database)
      } catch {
        guard !isOver.load(ordering: .relaxed) else { return }
        failure.withLock { $0 = error }
        hasFailedFlag.store(true, ordering: .releasing)
      }
    }
  }

  /// Waits until all checks are done.
  ///
  /// - Parameter goesOn: Asked about once a second; false gives the checks up.
  /// - Throws: What a check has found; an interrupted `StoreError.sqlite` where they were given up, now or before.
  func wait(while goesOn: () -> Bool) throws(StoreError) {
    while group.wait(timeout: .now()) == .timedOut {
      guard goesOn() else {
        cancel()
        break
      }
      _ = group.wait(timeout: .now() + 1)
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    guard !isOver.load(ordering: .relaxed) else { throw .sqlite(.stopped(path: database.path)) }
  }

  /// Ends the checks without an answer.
  func cancel() { isOver.store(true, ordering: .relaxed) }
}
