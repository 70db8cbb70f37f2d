import Foundation
import Synchronization

/// Copies a work folder at SQL statements.
final class StatementSnapshots: Sendable {
  let folders = Mutex<[URL]>([])
  let work: URL
  let place: URL
  /// A copy is made at each statement whose number is a multiple of this one.
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
