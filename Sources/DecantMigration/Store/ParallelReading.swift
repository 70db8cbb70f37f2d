internal import DecantPasses
internal import DecantStore
internal import Dispatch
internal import Synchronization

/// Reads or syncs files on a separate queue while the caller works.
///
/// This is a class because the queue and the caller share the state.
final class ParallelReading<Value: Sendable>: Sendable {
  private let group = DispatchGroup()
  private let isOver = Atomic(false)
  private let outcome = Mutex<Result<Value, StoreError>?>(nil)

  /// Begins the work.
  ///
  /// - Parameter read: Reads or syncs the files. It ends early if it asks `isOver` and the answer is true.
  init(_ read: @escaping @Sendable (_ isOver: () -> Bool) throws(StoreError) -> Value) {
    DispatchQueue(label: "decant.digest").async(group: group) { [self] in
      let found = Result { () throws(StoreError) in try read { self.isOver.load(ordering: .relaxed) } }
      outcome.withLock { $0 = found }
    }
  }

  /// Waits for the value.
  ///
  /// - Parameter goesOn: Asked at once, and then about once a second. False cancels the work.
  /// - Throws: The `StoreError` of the work; `StepFailure.stopped` after false.
  func value(while goesOn: () -> Bool) throws -> Value {
    repeat {
      guard goesOn() else {
        cancel()
        throw StepFailure.stopped
      }
    } while group.wait(timeout: .now() + 1) == .timedOut
    guard let found = outcome.withLock({ $0 }) else { throw StepFailure.stopped }
    return try found.get()
  }

  /// Asks the work to end, and waits until it has ended.
  func cancel() {
    isOver.store(true, ordering: .relaxed)
    group.wait()
  }
}
