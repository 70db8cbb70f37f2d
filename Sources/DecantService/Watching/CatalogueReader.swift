internal import DecantCatalogue
internal import DecantMigration
internal import DecantModel
internal import Foundation
internal import Synchronization

/// Reads the catalogue in a separate thread, so that a large catalogue doesn't delay the daemon's loop.
package final class CatalogueReader: Sendable {
  package struct Look: Sendable {
    /// Why no family can be used; `nil` if the catalogue can be read.
    package var failure: String?
    /// For each family that can't be used, the reason in sentences.
    package var families: [String: String] = [:]
    /// Whether the disk failed.
    ///
    /// The catalogue may be good, so it has to be read again even if it doesn't change.
    package var isOfDisk = false
  }

  private struct State {
    var isReading = false
    /// The result of the last reading, until it is taken.
    var look: Look?
  }

  private let state = Mutex(State())

  package init() {}

  /// Reads a catalogue, and reads it once more if the disk failed; this may take long.
  package static func look(at path: String) -> Look {
    look(at: path) { () throws(CatalogueError) in try read(path) }
  }

  static func look(at path: String, _ read: () throws(CatalogueError) -> Look) -> Look {
    func once() -> Look {
      let watch = DiskWatch(at: [path])
      let found: Look
      do throws(CatalogueError) {
        found = try read()
      } catch {
        found = Look(failure: error.description)
      }
      guard let failure = watch.failure else { return found }
      return Look(failure: "The catalogue can't be read. \(failure).", isOfDisk: true)
    }
    let first = once()
    return first.isOfDisk ? once() : first
  }

  private static func read(_ path: String) throws(CatalogueError) -> Look {
    let catalogue = try Catalogue.read(at: URL(fileURLWithPath: path, isDirectory: true))
    var look = Look()
    for family in catalogue.brokenFamilies {
      let others = "stores that fit no version of another family wait"
      let stores =
        family.knowsAllItsStores
        ? ", so its stores wait"
        : family.knowsItsStores
          ? ", so its stores wait. Because not all of its models can be read, \(others), too"
          : ". Because its models can't be read, all \(others)"
      look.families[family.name] =
        "The family “\(family.name)” can't be used\(stores). \(family.sentences.joined(separator: "; "))."
    }
    return look
  }

  /// Whether a reading runs, or its result isn't taken yet.
  package var isReading: Bool { state.withLock { $0.isReading || $0.look != nil } }

  /// Starts a reading; false if one is running.
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

  /// The result of a reading that ended since the last call; `nil` if none did.
  package func take() -> Look? {
    state.withLock { state in
      defer { state.look = nil }
      return state.look
    }
  }
}
