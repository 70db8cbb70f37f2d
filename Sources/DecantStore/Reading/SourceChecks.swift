internal import DecantSQLite
internal import Dispatch
internal import Synchronization

/// Checks of a large store that run in parallel with the work.
///
/// They read the file over their own connection, one after the other. No result of the work may be delivered before
/// `wait` has returned without an error.
final class SourceChecks: Sendable {
  typealias Check = @Sendable (SQLiteDatabase) throws(StoreError) -> Void

  /// The smallest file for which a second connection is worth it, in bytes.
  static let smallest = 8 << 20

  private let database: SQLiteDatabase
  private let queue = DispatchQueue(label: "decant.check")
  private let group = DispatchGroup()
  private let failure = Mutex<StoreError?>(nil)
  private let isOver = Atomic(false)
  private let hasFailedFlag = Atomic(false)

  init(_ path: String) throws(SQLiteError) {
    database = try SQLiteDatabase(path, mode: .immutable)
    try database.execute(ReadSettings.text)
    // A running check keeps the connection after this object is released, so the observer must then end it.
    database.observe { [weak self] in !(self?.isOver.load(ordering: .relaxed) ?? true) }
  }

  /// Whether a check has found something.
  var hasFailed: Bool { hasFailedFlag.load(ordering: .acquiring) }

  /// Adds a check after the others; after a failure no further check runs.
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
  /// - Parameter goesOn: Called about once a second; false cancels the checks.
  /// - Throws: The error of a check; an interrupted `StoreError.sqlite` if the checks were cancelled, now or before.
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

  /// Cancels the checks without a result.
  func cancel() { isOver.store(true, ordering: .relaxed) }
}
