internal import Foundation
internal import Synchronization

/// What the archives of one store have told in one step: the app's names of classes, and data that were given out.
///
/// Nothing of it reaches another store.
package final class ArchiveScope: Sendable {
  /// The scope of the attribute that is being read or written.
  @TaskLocal static var current: ArchiveScope?

  /// What is known of data that become a value.
  enum Knowledge {
    case given(GivenData.Meaning)
    case new
    /// They may have been given out before the data that are remembered.
    case forgotten(limit: Int)
  }

  private struct State: Sendable {
    var chains: [String: [String]] = [:]
    var given: GivenData
  }

  private let state: Mutex<State>

  /// - Parameter mostData: The number of data that are remembered, the last ones.
  package init(mostData: Int = 100_000) {
    state = Mutex(State(given: GivenData(limit: mostData)))
  }

  /// Remembers the names of a class and its superclasses that an object was read with, the first time.
  func remember(_ chain: [String], for type: AnyClass) {
    let here = String(reflecting: type)
    state.withLock { if $0.chains[here] == nil { $0.chains[here] = chain } }
  }

  /// The names for a new object.
  func chain(of type: AnyClass) -> [String]? {
    let here = String(reflecting: type)
    return state.withLock { $0.chains[here] }
  }

  func remember(_ data: Data, _ meaning: GivenData.Meaning) {
    state.withLock { $0.given.remember(data, meaning) }
  }

  /// What data are, if they were given out.
  ///
  /// - Parameter isArchive: Whether the data are an archive.
  func knowledge(of data: Data, isArchive: Bool) -> Knowledge {
    state.withLock { state in
      if let meaning = state.given.meaning(of: data) { return .given(meaning) }
      return state.given.hasForgotten(isArchive ? .value : .stored)
        ? .forgotten(limit: state.given.limit) : .new
    }
  }
}
