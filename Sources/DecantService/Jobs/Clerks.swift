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
    let task: @Sendable () -> Void = { FaultPlan.$current.withValue(plan) { task() } }
    work.enter()
    let desk = room.withLock { room -> DispatchQueue? in
      if let desk = room.free.popLast() { return desk }
      room.waiting.append(task)
      return nil
    }
    desk?.async { self.serve(at: desk, task) }
  }

  /// Does several things side by side, and waits for all of them.
  ///
  /// - Returns: What came of each, in the order of the things.
  package func all<Item: Sendable, Result: Sendable>(
    _ items: [Item], _ body: @escaping @Sendable (Item) -> Result
  ) -> [Result] {
    if items.count < 2 { return items.map(body) }
    let results = ResultList<Result>()
    let group = DispatchGroup()
    for (index, item) in items.enumerated() {
      group.enter()
      hand {
        results.put(body(item), at: index)
        group.leave()
      }
    }
    group.wait()
    return results.inOrder
  }

  /// Waits until everything that was handed over is done.
  package func finish() { work.wait() }

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

/// Results as they come, from any thread.
private final class ResultList<Result: Sendable>: Sendable {
  private let results = Mutex<[Int: Result]>([:])

  func put(_ result: Result, at index: Int) { results.withLock { $0[index] = result } }

  var inOrder: [Result] { results.withLock { results in results.keys.sorted().compactMap { results[$0] } } }
}
