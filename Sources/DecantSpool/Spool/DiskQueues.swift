internal import Dispatch
internal import Glibc
internal import Synchronization

/// Threads on which tasks wait for the disk, so that the daemon's loop doesn't wait.
///
/// Several jobs make their files durable at the same time. The file system writes them together, in about the time that
/// one job takes.
///
/// Dispatch queues aren't used: their threads set their own priority, and complain if a sandbox forbids this.
package final class DiskQueues: Sendable {
  /// The usual number of tasks that run at the same time.
  package static let usual = 8

  private let crew: Crew

  package init(_ count: Int = DiskQueues.usual) { crew = Crew(most: max(1, count)) }

  deinit { crew.close() }

  /// Runs a task on the next free thread.
  ///
  /// Tasks begin in the order of the calls.
  package func async(_ task: @escaping @Sendable () -> Void) {
    let plan = FaultPlan.current
    crew.add { FaultPlan.$current.withValue(plan) { SyncRounds.$isShared.withValue(true) { task() } } }
  }

  /// Cancels the tasks that have not begun.
  package func cancelWaiting() { crew.cancelWaiting() }

  /// Waits until all tasks are done.
  package func finish() { crew.work.wait() }
}

/// The threads of one `DiskQueues` and their tasks.
///
/// The threads end when the `DiskQueues` is deallocated, or when no task has come for a while.
private final class Crew: Sendable {
  /// The seconds that a thread waits for another task.
  private static let patience = 10
  private static let stackBytes = 1 << 20

  private struct Room {
    var threads = 0
    /// The threads that wait for a task.
    var idle = 0
    var waiting: [@Sendable () -> Void] = []
    var isClosed = false

    /// Removes and returns the next task, so that the objects in its closure are released after it has run.
    mutating func pop() -> (@Sendable () -> Void)? { waiting.isEmpty ? nil : waiting.removeFirst() }
  }

  /// The tasks that aren't done.
  let work = DispatchGroup()
  private let room = Mutex(Room())
  private let most: Int
  private let bell = DispatchSemaphore(value: 0)

  init(most: Int) { self.most = most }

  func add(_ task: @escaping @Sendable () -> Void) {
    work.enter()
    let needsThread = room.withLock { room in
      room.waiting.append(task)
      if room.waiting.count <= room.idle {
        bell.signal()
        return false
      }
      guard room.threads < most else { return false }
      room.threads += 1
      return true
    }
    if needsThread { startThread() }
  }

  func cancelWaiting() {
    let left = room.withLock { room in
      defer { room.waiting = [] }
      return room.waiting.count
    }
    for _ in 0..<left { work.leave() }
  }

  /// Lets the threads end when they have done all tasks.
  func close() {
    let threads = room.withLock { room in
      room.isClosed = true
      return room.threads
    }
    for _ in 0..<threads { bell.signal() }
  }

  private func startThread() {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let own = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Crew>.fromOpaque(argument).takeRetainedValue().serve() }
        return nil
      }, own.toOpaque())
    guard code != 0 else { return }
    own.release()
    // The system has no thread left, so the caller runs the waiting tasks.
    room.withLock { $0.threads -= 1 }
    while let task = room.withLock({ $0.pop() }) {
      task()
      work.leave()
    }
  }

  private func serve() {
    while let task = next() {
      task()
      work.leave()
    }
  }

  /// The next task; `nil` if the thread has to end.
  private func next() -> (@Sendable () -> Void)? {
    var (hasWaited, isOver) = (false, false)
    while true {
      let task: (@Sendable () -> Void)? = room.withLock { room in
        if hasWaited { room.idle -= 1 }
        if let task = room.pop() { return task }
        isOver = isOver || room.isClosed
        if isOver { room.threads -= 1 } else { room.idle += 1 }
        return nil
      }
      if let task { return task }
      if isOver { return nil }
      hasWaited = true
      isOver = bell.wait(timeout: .now() + .seconds(Self.patience)) == .timedOut
    }
  }
}
