internal import Synchronization

/// Cached answers for earlier stores of a family, valid while the family's folder is unchanged.
///
/// Nothing about a store's rows is kept: each answer follows from the family and the question.
package final class FamilyMemory: Sendable {
  /// The maximum number of kept answers; a family's stores mostly have few versions.
  private static let most = 64

  private struct State {
    var answers: [AnyHashable: any Sendable] = [:]
  }

  private let state = Mutex(State())

  package func answer<Answer: Sendable, Failure: Error>(
    to question: some Hashable & Sendable, make: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    let key = Key(question)
    if let known = state.withLock({ $0.answers[key.value] }) as? Answer { return known }
    let made = try make()
    state.withLock { state in
      if state.answers.count >= Self.most { state.answers = [:] }
      state.answers[key.value] = made
    }
    return made
  }

  /// `@unchecked Sendable`: the wrapped value is `Sendable`.
  private struct Key: @unchecked Sendable {
    let value: AnyHashable

    init(_ question: some Hashable & Sendable) { value = AnyHashable(question) }
  }
}
