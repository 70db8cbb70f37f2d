internal import DecantSQLite
internal import Dispatch
internal import Synchronization

/// Checks of a large store that run in parallel with the migration.
///
/// SQLite reads the schema for the scan through a connection of its own, and checks the pages through it if the scan
/// has no result. The other checks run one after another on a second connection. No result of the migration may be
/// delivered before `wait` has returned without an error.
final class SourceChecks: Sendable {
  typealias Check = @Sendable (SQLiteDatabase) throws(StoreError) -> Void

  /// The size in bytes from which a file is checked in parallel; for smaller files this would take longer.
  static let smallest = 8 << 20

  private struct Lane: Sendable {
    let database: SQLiteDatabase
    let queue = DispatchQueue(label: "decant.check")
    let failure = Failure()
  }

  private final class Failure: Sendable {
    let first = Mutex<StoreError?>(nil)
  }

  private let pages: Lane
  private let scan = Mutex<PendingScan?>(nil)
  private let others: Lane
  private let group = DispatchGroup()
  private let isOver = Atomic(false)
  private let hasFailedFlag = Atomic(false)

  init(_ path: String) throws(SQLiteError) {
    pages = Lane(database: try SQLiteDatabase(path, mode: .immutable))
    others = Lane(database: try SQLiteDatabase(path, mode: .immutable))
    for lane in [pages, others] {
      try lane.database.execute(ReadSettings.text)
      // `self` is weak, because this object keeps the connection, and the connection keeps the observer.
      lane.database.observe { [weak self] in !(self?.isOver.load(ordering: .relaxed) ?? true) }
    }
  }

  var hasFailed: Bool { hasFailedFlag.load(ordering: .acquiring) }

  /// Begins to scan the file: its pages are checked, and the rows of its tables are counted.
  ///
  /// - Parameters:
  ///   - seconds: The number of seconds of clock time after which the scan ends without a result.
  ///   - check: SQLite's own check of the pages, which runs if the scan has no result; `nil` if the pages aren't
  ///     checked.
  func scan(_ path: String, seconds: Double, orElse check: Check?) {
    let pending = PendingScan()
    scan.withLock { $0 = pending }
    pages.queue.async(group: group) { [self] in
      var found: StoreScan?
      let end = ContinuousClock.now + .seconds(seconds)
      let reading = Result { () throws(StoreError) in
        found = try StoreScan.run(path, pages.database) {
          isOver.load(ordering: .relaxed) || ContinuousClock.now > end
        }
      }
      pending.end(found)
      guard found == nil else { return }
      // Damage may have made other checks fail already. The error of this check is then the most useful one.
      run(
        { database throws(StoreError) in
          try reading.get()
          try check?(database)
        }, on: pages, evenAfterFailure: true)
    }
  }

  func scanned(while goesOn: () -> Bool) -> StoreScan? {
    scan.withLock { $0 }?.result { !isOver.load(ordering: .relaxed) && goesOn() }
  }

  /// Adds a check after the others; it doesn't run if another check has failed before.
  func add(_ check: @escaping Check) {
    others.queue.async(group: group) { [self] in run(check, on: others) }
  }

  private func run(_ check: Check, on lane: Lane, evenAfterFailure: Bool = false) {
    guard evenAfterFailure || !hasFailed, !isOver.load(ordering: .relaxed) else { return }
    do throws(StoreError) {
      try check(lane.database)
    } catch {
      guard !isOver.load(ordering: .relaxed) else { return }
      lane.failure.first.withLock { $0 = error }
      hasFailedFlag.store(true, ordering: .releasing)
    }
  }

  /// Waits until all checks are done.
  ///
  /// Damage makes several checks fail. The error of the page check comes first, because it is the most useful one.
  ///
  /// - Parameter goesOn: Called about once a second; false cancels the checks.
  /// - Throws: The error of a check; `StoreError.stopped(path:)` if the checks were cancelled, now or before.
  func wait(while goesOn: () -> Bool) throws(StoreError) {
    if !group.wait(while: goesOn) { cancel() }
    for lane in [pages, others] {
      if let failure = lane.failure.first.withLock({ $0 }) { throw failure }
    }
    guard !isOver.load(ordering: .relaxed) else { throw .sqlite(.stopped(path: pages.database.path)) }
  }

  /// Cancels the checks that have no result yet.
  func cancel() { isOver.store(true, ordering: .relaxed) }
}
