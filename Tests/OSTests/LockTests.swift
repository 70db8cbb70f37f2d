import Dispatch
import Testing
import os

@Suite("Locks of the module os")
struct LockTests {
  @Test("many threads count under the lock without losing a number")
  func counting() {
    let lock = OSAllocatedUnfairLock(initialState: 0)
    let plain = OSAllocatedUnfairLock()
    nonisolated(unsafe) var count = 0
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<20_000 {
        lock.withLock { $0 += 1 }
        plain.lock()
        count += 1
        plain.unlock()
      }
    }
    #expect(lock.withLock { $0 } == 160_000)
    #expect(count == 160_000)
  }

  @Test("a lock that one thread holds isn't available to another thread")
  func available() async {
    let lock = OSAllocatedUnfairLock(uncheckedState: "a")
    let (isFree, wasFree) = lock.withLockUnchecked { _ in
      lock.precondition(.owner)
      nonisolated(unsafe) var isFree = true
      DispatchQueue.concurrentPerform(iterations: 2) { turn in
        // One of the two turns may run on the thread that holds the lock.
        if lock.withLockIfAvailable({ _ in true }) == nil, turn == 0 { isFree = false }
      }
      return (isFree, true)
    }
    #expect(!isFree && wasFree)
    #expect(lock.withLockIfAvailable { $0 } == "a")
    lock.precondition(.notOwner)
  }

  @Test("an error releases the lock")
  func errors() {
    struct Fault: Error {}
    let lock = OSAllocatedUnfairLock()
    #expect(throws: Fault.self) { try lock.withLock { throw Fault() } }
    #expect(lock.lockIfAvailable())
    lock.unlock()
  }

  @Test("os_unfair_lock in allocated memory")
  func unfair() {
    let lock = os_unfair_lock_t.allocate(capacity: 1)
    lock.initialize(to: os_unfair_lock())
    defer { lock.deallocate() }
    os_unfair_lock_lock(lock)
    os_unfair_lock_assert_owner(lock)
    os_unfair_lock_unlock(lock)
    #expect(os_unfair_lock_trylock(lock))
    os_unfair_lock_unlock(lock)
    os_unfair_lock_assert_not_owner(lock)
  }
}
