internal import Synchronization

/// The property of a manager that changes while a migration runs.
package enum MigrationChange: Sendable {
  case progress
  case entityMapping
}

/// The observers of a manager.
///
/// `@unchecked Sendable`: an observation can end in any thread, so the list has a lock. The observers themselves are
/// called only by the thread that changes the manager.
package final class MigrationObservers: @unchecked Sendable {
  private struct Observer {
    let number: Int
    let change: MigrationChange
    let tell: () -> Void
  }

  private let lock = Mutex(())
  private var list: [Observer] = []
  private var last = 0

  /// Adds an observer.
  ///
  /// - Returns: This list, and the observer's number in it.
  package func add(_ change: MigrationChange, _ tell: @escaping () -> Void) -> (MigrationObservers, Int) {
    lock.withLock { _ in
      last += 1
      list.append(Observer(number: last, change: change, tell: tell))
      return (self, last)
    }
  }

  package func remove(_ number: Int) { lock.withLock { _ in list.removeAll { $0.number == number } } }

  func tell(_ change: MigrationChange) {
    let wanted = lock.withLock { _ in list.filter { $0.change == change } }
    for observer in wanted { observer.tell() }
  }
}
