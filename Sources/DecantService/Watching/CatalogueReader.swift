internal import DecantMigration
internal import Foundation
internal import Synchronization

/// Reads the catalogue in a thread of its own, so that a large one doesn't hold the daemon's loop.
package final class CatalogueReader: Sendable {
  private struct State {
    var isReading = false
    /// What the last reading found, until somebody has taken it.
    var problems: [String]?
  }

  private let state = Mutex(State())

  package init() {}

  /// What is wrong with a catalogue, one sentence for each family that can't be used; takes as long as it takes.
  package static func problems(of path: String) -> [String] {
    do throws(CatalogueError) {
      let catalogue = try Catalogue.read(at: URL(fileURLWithPath: path, isDirectory: true))
      return catalogue.brokenFamilies.map {
        "The family “\($0.name)” can't be used, its stores wait. \($0.sentences.joined(separator: "; "))"
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
      let problems = Self.problems(of: path)
      state.withLock { $0 = State(isReading: false, problems: problems) }
    }
    thread.stackSize = 8 << 20
    thread.start()
    return true
  }

  /// What a reading has found since the last call.
  package func take() -> [String]? {
    state.withLock { state in
      defer { state.problems = nil }
      return state.problems
    }
  }
}
