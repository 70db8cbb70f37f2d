import Foundation
import Synchronization

/// Keeps what a work folder holds at each statement.
final class StatementSnapshots: Sendable {
  let folders = Mutex<[URL]>([])
  let work: URL
  let place: URL
  /// Keeps one in so many.
  let every: Int
  let count = Mutex(0)

  init(of work: URL, in place: URL, every: Int) {
    self.work = work
    self.place = place
    self.every = every
  }

  func take() {
    let number = count.withLock { count in
      count += 1
      return count
    }
    guard number % every == 0 else { return }
    let folder = place.appendingPathComponent("\(number)")
    try? FileManager.default.copyItem(at: work, to: folder)
    folders.withLock { $0.append(folder) }
  }
}
