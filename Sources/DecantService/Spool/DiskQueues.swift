internal import Dispatch
internal import Synchronization

/// Dispatch queues on which tasks wait for the disk, so that the daemon's loop doesn't.
///
/// Several jobs make their files durable at the same time. The file system writes them together, in about the time that
/// one job takes.
package final class DiskQueues: Sendable {
  /// How many tasks run at the same time.
  package static let usual = 8

  private struct Room {
    var free: [DispatchQueue]
    var waiting: ArraySlice<@Sendable () -> Void> = []
  }

  private let room: Mutex<Room>
  private let work = DispatchGroup()

  package init(_ count: Int = DiskQueues.usual) {
    // Each queue is independent: a task that waits for the disk must not delay the others.
    room = Mutex(Room(free: (0..<max(1, count)).map { DispatchQueue(label: "decant.disk.\($0)") }))
  }

  /// Runs a task on the next free queue.
  ///
  /// Tasks begin in the order of the calls.
  package func async(_ task: @escaping @Sendable () -> Void) {
    let plan = FaultPlan.current
    let task: @Sendable () -> Void = {
      FaultPlan.$current.withValue(plan) { SyncRounds.$isShared.withValue(true) { task() } }
    }
    work.enter()
    let queue = room.withLock { room -> DispatchQueue? in
      if let queue = room.free.popLast() { return queue }
      room.waiting.append(task)
      return nil
    }
    queue?.async { self.serve(on: queue, task) }
  }

  /// Drops the tasks that have not begun.
  package func cancelWaiting() {
    let left = room.withLock { room in
      defer { room.waiting = [] }
      return room.waiting.count
    }
    for _ in 0..<left { work.leave() }
  }

  /// Waits until all tasks are done.
  package func finish() { work.wait() }

  /// Waits until all tasks are done, for a number of seconds at most.
  ///
  /// - Returns: Whether everything is done.
  func finish(within seconds: Int) -> Bool { work.wait(timeout: .now() + .seconds(seconds)) == .success }

  private func serve(on queue: DispatchQueue?, _ first: @escaping @Sendable () -> Void) {
    var next: (@Sendable () -> Void)? = first
    while let task = next {
      task()
      next = room.withLock { room in
        if let task = room.waiting.popFirst() { return task }
        if let queue { room.free.append(queue) }
        return nil
      }
      work.leave()
    }
  }
}
