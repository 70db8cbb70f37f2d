package import Foundation
internal import Synchronization

/// What one step has learned from the archives of one store: the app's class names, and the data that policies got.
///
/// A scope is never used for another store.
package final class ArchiveScope: Sendable {
  /// The scope of the attribute that is being read or written.
  @TaskLocal static var current: ArchiveScope?

  /// What is known about data that a policy sets as a value.
  enum Knowledge {
    case given(GivenData.Meaning)
    case new
    /// The data may have been given out so early that they are forgotten.
    case forgotten(limit: Int)
  }

  private struct State: Sendable {
    var chains: [String: [String]] = [:]
    /// The classes whose names the store's archives don't have.
    var unnamed: Set<String> = []
    var given: GivenData
    /// Why the last value couldn't be archived.
    var refusal: (any Error)?
  }

  private let state: Mutex<State>
  /// Calls a body with one stored archive after the other, until the body returns false.
  ///
  /// The property is set before the scope is used. The closure is called while a policy sets a value.
  nonisolated(unsafe) package var archives: ((_ body: (Data) -> Bool) -> Void)?

  /// - Parameter mostData: The largest number of `Data` values that are remembered; the oldest are forgotten.
  package init(mostData: Int = 100_000) {
    state = Mutex(State(given: GivenData(limit: mostData)))
  }

  package func beginObject() { state.withLock { $0.given.turn += 1 } }

  // MARK: Classes

  /// Remembers the names that an archive has for a class and its superclasses; the first names stay.
  func remember(_ chain: [String], for type: AnyClass) {
    let here = String(reflecting: type)
    state.withLock { if $0.chains[here] == nil { $0.chains[here] = chain } }
  }

  /// The class names for a new object: those of an object that was read, or those in a stored archive.
  ///
  /// - Parameter reading: Gives the names that an archive has for the class.
  func chain(of type: AnyClass, reading: (Data) -> [String]?) -> [String]? {
    let here = String(reflecting: type)
    let (known, isUnnamed) = state.withLock { ($0.chains[here], $0.unnamed.contains(here)) }
    guard known == nil, !isUnnamed, let archives else { return known }
    var found: [String]?
    archives { data in
      found = reading(data)
      return found == nil
    }
    if let found { remember(found, for: type) } else { state.withLock { _ = $0.unnamed.insert(here) } }
    return found
  }

  // MARK: Refusals

  /// Keeps the reason why a transformer gives nil.
  func refuse(_ problem: any Error) { state.withLock { $0.refusal = problem } }

  func takeRefusal() -> (any Error)? { state.withLock { $0.refusal.take() } }

  // MARK: Data

  func remember(_ data: Data, _ meaning: GivenData.Meaning) {
    state.withLock { $0.given.remember(data, meaning) }
  }

  /// Whether data were given out to policies, and as what.
  func knowledge(of data: Data, isArchive: Bool) -> Knowledge {
    state.withLock { state in
      if let meaning = state.given.meaning(of: data) { return .given(meaning) }
      return state.given.hasForgotten(isArchive ? .value : .stored)
        ? .forgotten(limit: state.given.limit) : .new
    }
  }
}
