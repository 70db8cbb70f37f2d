// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CLinux

/// A lock in a few bytes of memory.
///
/// The lock has to stay at one address: allocate it, and give its pointer to these functions. `OSAllocatedUnfairLock`
/// does so by itself.
public struct os_unfair_lock_s: BitwiseCopyable, Sendable {
  fileprivate var word: UInt32 = 0

  public init() {}
}

public typealias os_unfair_lock = os_unfair_lock_s
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

/// Waits for the lock.
///
/// If the thread has the lock already, the program ends, as on Apple's systems.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
  withWord(of: lock) { word in
    precondition(decant_lock_is_mine(word) == 0, "A thread waits for a lock that it has already.")
    decant_lock(word)
  }
}

/// Takes the lock if no thread has it.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
  withWord(of: lock) { decant_lock_try($0) != 0 }
}

/// Unlocks the lock.
///
/// If the thread doesn't have the lock, the program ends, as on Apple's systems.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
  withWord(of: lock) { word in
    precondition(decant_lock_is_mine(word) != 0, "A thread unlocks a lock that it doesn't have.")
    decant_unlock(word)
  }
}

/// Ends the program if the thread doesn't have the lock.
public func os_unfair_lock_assert_owner(_ lock: os_unfair_lock_t) {
  precondition(withWord(of: lock) { decant_lock_is_mine($0) != 0 }, "The thread doesn't have the lock.")
}

/// Ends the program if the thread has the lock.
public func os_unfair_lock_assert_not_owner(_ lock: os_unfair_lock_t) {
  precondition(withWord(of: lock) { decant_lock_is_mine($0) == 0 }, "The thread has the lock.")
}

private func withWord<Result>(
  of lock: os_unfair_lock_t, _ body: (UnsafeMutablePointer<UInt32>) -> Result
) -> Result {
  UnsafeMutableRawPointer(lock).withMemoryRebound(to: UInt32.self, capacity: 1, body)
}
