/// A lock with the state that it guards.
///
/// Copies share one lock.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  // The lock guards the state, so the box may go from thread to thread.
  private let box: LockBox<State>

  /// A lock over a state that may go from thread to thread.
  public init(initialState: State) where State: Sendable { box = LockBox(initialState) }

  /// A lock over any state.
  ///
  /// The caller makes sure that no other reference reaches the state.
  public init(uncheckedState initialState: State) { box = LockBox(initialState) }

  public func withLock<Result: Sendable>(
    _ body: @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    try withLockUnchecked(body)
  }

  public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    os_unfair_lock_lock(box.lock)
    defer { os_unfair_lock_unlock(box.lock) }
    return try body(&box.state)
  }

  /// Nil if a thread has the lock already, even the calling thread.
  public func withLockIfAvailable<Result: Sendable>(
    _ body: @Sendable (inout State) throws -> Result
  ) rethrows -> Result? {
    try withLockIfAvailableUnchecked(body)
  }

  /// Nil if a thread has the lock already, even the calling thread.
  public func withLockIfAvailableUnchecked<Result>(
    _ body: (inout State) throws -> Result
  ) rethrows -> Result? {
    guard os_unfair_lock_trylock(box.lock) else { return nil }
    defer { os_unfair_lock_unlock(box.lock) }
    return try body(&box.state)
  }

  /// Whether the calling thread has the lock.
  public enum Ownership: Sendable, Hashable { case owner, notOwner }

  /// Ends the program if the condition doesn't hold.
  public func precondition(_ condition: Ownership) {
    switch condition {
    case .owner: os_unfair_lock_assert_owner(box.lock)
    case .notOwner: os_unfair_lock_assert_not_owner(box.lock)
    }
  }
}

extension OSAllocatedUnfairLock where State == Void {
  /// A lock without a state.
  public init() { self.init(uncheckedState: ()) }

  public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
    try withLockUnchecked(body)
  }

  public func withLockUnchecked<Result>(_ body: () throws -> Result) rethrows -> Result {
    os_unfair_lock_lock(box.lock)
    defer { os_unfair_lock_unlock(box.lock) }
    return try body()
  }

  public func withLockIfAvailable<Result: Sendable>(
    _ body: @Sendable () throws -> Result
  ) rethrows -> Result? {
    try withLockIfAvailableUnchecked(body)
  }

  public func withLockIfAvailableUnchecked<Result>(_ body: () throws -> Result) rethrows -> Result? {
    guard os_unfair_lock_trylock(box.lock) else { return nil }
    defer { os_unfair_lock_unlock(box.lock) }
    return try body()
  }

  /// Waits for the lock.
  ///
  /// The same thread must unlock it.
  public func lock() { os_unfair_lock_lock(box.lock) }

  public func unlock() { os_unfair_lock_unlock(box.lock) }

  public func lockIfAvailable() -> Bool { os_unfair_lock_trylock(box.lock) }
}

private final class LockBox<State> {
  let lock: os_unfair_lock_t
  var state: State

  init(_ state: State) {
    lock = .allocate(capacity: 1)
    lock.initialize(to: os_unfair_lock_s())
    self.state = state
  }

  deinit { lock.deallocate() }
}
