internal import Dispatch
internal import Synchronization

/// Threads that wait for the disk in the loop's place.
///
/// What several jobs have to make durable is asked for at the same time: the file system then writes it down together,
/// as many jobs as there are in about the time of one.
package final class Clerks: Sendable {
  /// The jobs that are seen to at the same time.
  package static let usual = 8

  private struct Room {
    var free: [DispatchQueue]
    var waiting: ArraySlice<@Sendable () -> Void> = []
  }

  private let room: Mutex<Room>
  private let work = DispatchGroup()

  package init(_ count: Int = Clerks.usual) {
    // A queue of its own each: one that waits for the disk must not keep the others waiting.
    room = Mutex(Room(free: (0..<max(1, count)).map { DispatchQueue(label: "decant.clerk.\($0)") }))
  }

  /// Hands over what the next free clerk does; what came first is begun first.
  package func hand(_ task: @escaping @Sendable () -> Void) {
    let plan = FaultPlan.current
    let task: @Sendable () -> Void = {
      FaultPlan.$current.withValue(plan) { SyncRounds.$isShared.withValue(true) { task() } }
    }
    work.enter()
    let desk = room.withLock { room -> DispatchQueue? in
      if let desk = room.free.popLast() { return desk }
      room.waiting.append(task)
      return nil
    }
    desk?.async { self.serve(at: desk, task) }
  }

  /// Forgets what nobody has begun.
  package func dismiss() {
    let left = room.withLock { room in
      defer { room.waiting = [] }
      return room.waiting.count
    }
    for _ in 0..<left { work.leave() }
  }

  /// Waits until everything that was handed over is done.
  package func finish() { work.wait() }

  /// Waits so many seconds at most.
  ///
  /// - Returns: Whether everything is done.
  func finish(within seconds: Int) -> Bool { work.wait(timeout: .now() + .seconds(seconds)) == .success }

  private func serve(at desk: DispatchQueue?, _ first: @escaping @Sendable () -> Void) {
    var next: (@Sendable () -> Void)? = first
    while let task = next {
      task()
      next = room.withLock { room in
        if let task = room.waiting.popFirst() { return task }
        if let desk { room.free.append(desk) }
        return nil
      }
      work.leave()
    }
  }
}
