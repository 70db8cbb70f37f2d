import Dispatch
import Foundation
import Synchronization
import Testing

@testable import DecantSpool

@Suite("Queues for the disk")
struct DiskQueuesTests {
  @Test("each queue runs one task at a time, and no task is lost")
  func sideBySide() {
    let queues = DiskQueues(4)
    let met = Mutex(0)
    let done = Mutex<Set<Int>>([])
    for number in 0..<4 {
      queues.async {
        // Waits until all four tasks run.
        met.withLock { $0 += 1 }
        let end = Date().addingTimeInterval(60)
        while met.withLock({ $0 }) < 4, Date() < end { usleep(1000) }
        if met.withLock({ $0 }) == 4 { done.withLock { _ = $0.insert(number) } }
      }
    }
    for number in 4..<40 { queues.async { done.withLock { _ = $0.insert(number) } } }
    queues.finish()
    #expect(done.withLock { $0 } == Set(0..<40))
  }

  @Test("waiting tasks can be cancelled, but not a running one")
  func dismissed() {
    let queues = DiskQueues(1)
    let begun = DispatchSemaphore(value: 0)
    let goOn = DispatchSemaphore(value: 0)
    let done = Mutex<[Int]>([])
    queues.async {
      begun.signal()
      goOn.wait()
      done.withLock { $0.append(0) }
    }
    begun.wait()
    for number in 1..<10 { queues.async { done.withLock { $0.append(number) } } }
    queues.cancelWaiting()
    goOn.signal()
    queues.finish()
    #expect(done.withLock { $0 } == [0])
    queues.async { done.withLock { $0.append(10) } }
    queues.finish()
    #expect(done.withLock { $0 } == [0, 10])
  }
}
