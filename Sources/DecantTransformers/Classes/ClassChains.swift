internal import Foundation
internal import Synchronization

/// The class names under which objects were read, kept as long as the objects live.
enum ClassChains {
  /// `@unchecked Sendable`: the object is only compared.
  private struct Entry: @unchecked Sendable {
    weak var object: NSObject?
    let chain: [String]
  }

  private struct State: Sendable {
    var entries: [ObjectIdentifier: Entry] = [:]
    /// The number of entries at which the entries of dead objects are removed.
    var limit = ClassChains.fewest
  }

  private static let fewest = 1000
  private static let state = Mutex(State())

  static func remember(_ chain: [String], of object: NSObject) {
    state.withLock { state in
      if state.entries.count >= state.limit {
        state.entries = state.entries.filter { $0.value.object != nil }
        state.limit = max(fewest, 2 * state.entries.count)
      }
      state.entries[ObjectIdentifier(object)] = Entry(object: object, chain: chain)
    }
    ArchiveScope.current?.remember(chain, for: type(of: object))
  }

  /// The class names under which an object was read; `nil` for a new object.
  static func chain(of object: NSObject) -> [String]? {
    state.withLock { state in
      guard let entry = state.entries[ObjectIdentifier(object)], entry.object === object else { return nil }
      return entry.chain
    }
  }
}
