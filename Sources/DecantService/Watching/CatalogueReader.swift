internal import DecantMigration
internal import DecantModel
internal import Foundation
internal import Synchronization

/// Reads the catalogue in a thread of its own, so that a large one doesn't hold the daemon's loop.
package final class CatalogueReader: Sendable {
  /// What a reading has found.
  package struct Look: Sendable {
    /// What is wrong, one sentence for each family that can't be used.
    package var problems: [String]
    /// The disk has failed: the catalogue may be sound, and has to be read again though nothing changes in it.
    package var isOfDisk = false
  }

  private struct State {
    var isReading = false
    /// What the last reading found, until somebody has taken it.
    var look: Look?
  }

  private let state = Mutex(State())

  package init() {}

  /// Reads a catalogue, a second time where the disk has failed at the first; takes as long as it takes.
  package static func look(at path: String) -> Look {
    func once() -> Look {
      let watch = DiskWatch(at: [path])
      let problems = problems(of: path)
      guard let failure = watch.failure else { return Look(problems: problems) }
      return Look(problems: ["The catalogue can't be read. \(failure)."], isOfDisk: true)
    }
    let first = once()
    return first.isOfDisk ? once() : first
  }

  private static func problems(of path: String) -> [String] {
    do throws(CatalogueError) {
      let catalogue = try Catalogue.read(at: URL(fileURLWithPath: path, isDirectory: true))
      return catalogue.brokenFamilies.map { family in
        let others = "all stores wait that are of no other family's version"
        let stores =
          family.knowsAllItsStores
          ? "its stores wait"
          : family.knowsItsStores
            ? "its stores wait, and because not all of its models can be read, \(others)"
            : "and because its models can't be read, \(others)"
        return
          "The family “\(family.name)” can't be used, \(stores). \(family.sentences.joined(separator: "; "))"
      }
    } catch {
      return [error.description]
    }
  }

  /// Starts to read; false where a reading is still under way.
  package func begin(path: String) -> Bool {
    let isFree = state.withLock { state in
      defer { state.isReading = true }
      return !state.isReading
    }
    guard isFree else { return false }
    let thread = Thread { [self] in
      let look = Self.look(at: path)
      state.withLock { $0 = State(isReading: false, look: look) }
    }
    thread.stackSize = 8 << 20
    thread.start()
    return true
  }

  /// What a reading has found since the last call.
  package func take() -> Look? {
    state.withLock { state in
      defer { state.look = nil }
      return state.look
    }
  }
}
